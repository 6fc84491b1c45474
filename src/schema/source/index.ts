import type { SchemaDocument, SchemaNode } from '../vocabulary';
import { evalConfig } from './eval-config';
import { conversationScenarios, evalSet } from './eval-set';
import { generationConfig, judgeCriteria } from './judge';
import { publishedSchemas } from './publish';
import { evalSetResult } from './results';
import { publishedResults } from './run';
import { initialSession, session } from './session';

/** All models by name, each written once and referred to: what our reader and writer walk. */
export const $defs: Record<string, SchemaNode> = {};

function hoist(schema: SchemaNode): SchemaNode {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) copy[key] = key === 'default' || key === 'examples' ? value : hoistAny(value);
  const words = schema['x-model'];
  if (words === undefined) return copy;
  const { default: byDefault, ...definition } = copy;
  $defs[words.name] ??= definition;
  return { $ref: `#/$defs/${words.name}`, ...(byDefault === undefined ? {} : { default: byDefault }) };
}

function hoistAny(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hoistAny);
  return typeof value === 'object' && value !== null ? hoist(value) : value;
}

for (const schema of [evalSet, conversationScenarios, evalConfig, session, initialSession, evalSetResult, ...judgeCriteria, generationConfig]) hoist(schema);

/** Published JSON Schemas by file name, for editors and for checking files elsewhere. */
export const published: Readonly<Record<string, object>> = { ...publishedSchemas({ $defs } satisfies SchemaDocument), ...publishedResults };
