import type { SchemaDocument, SchemaNode } from '../vocabulary';

type Json = Record<string, unknown>;

/** What is published, and what it describes. */
const files: readonly { readonly file: string; readonly model: string; readonly title: string; readonly pages: string }[] = [
  { file: 'eval-set.schema.json', model: 'EvalSet', title: 'ADK eval set', pages: '*.test.json, *.evalset.json' },
  { file: 'eval-config.schema.json', model: 'EvalConfig', title: 'ADK eval config', pages: 'test_config.json, *.config.json' },
];

/** JSON Schemas (2020-12) that accept a model in both spellings. Conversions such as "0.5" for a number are left out: a file should not rest on them. */
export function publishedSchemas(document: SchemaDocument): Record<string, Json> {
  return Object.fromEntries(files.map(({ file, model, title, pages }) => [file, publish(document, model, title, pages)]));
}

function publish(document: SchemaDocument, model: string, title: string, pages: string): Json {
  const used: Record<string, Json> = {};
  const visit = (name: string): void => {
    if (name in used) return;
    used[name] = {};
    const node = document.$defs[name];
    if (node === undefined) throw new Error(`schema ${name} is not defined`);
    used[name] = publishModel(node, name === model, visit);
  };
  visit(model);
  const { [model]: root, ...$defs } = used;
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, description: `Files ${pages}`, ...root, $defs };
}

function publishModel(node: SchemaNode, isRoot: boolean, visit: (name: string) => void): Json {
  const words = node['x-model'];
  const properties: Json = isRoot ? { $schema: { type: 'string' } } : {};
  const required: Json[] = [];
  const onlyOne: Json[] = [];
  for (const [snake, field] of Object.entries(node.properties ?? {})) {
    const camel = camelCase(snake);
    const schema = publishNode(field, visit);
    properties[snake] = schema;
    if (camel !== snake) properties[camel] = schema;
    const both = camel === snake ? undefined : { required: [snake, camel] };
    if (node.required?.includes(snake) === true) required.push(both === undefined ? { required: [snake] } : { anyOf: [{ required: [snake] }, { required: [camel] }] });
    if (both !== undefined) onlyOne.push({ not: both });
  }
  if (words?.rule === 'one_conversation') required.push(oneConversation);
  const allOf = [...required, ...onlyOne];
  return { type: 'object', properties, ...(words?.unknown === 'strict' && words.grows !== true ? { additionalProperties: false } : {}), ...(allOf.length > 0 ? { allOf } : {}) };
}

const given = (...names: string[]): Json => ({ anyOf: names.map((name) => ({ required: [name], properties: { [name]: { not: { type: 'null' } } } })) });
const oneConversation: Json = { oneOf: [given('conversation'), given('conversation_scenario', 'conversationScenario'), given('sessions')] };

function publishNode(node: SchemaNode, visit: (name: string) => void): Json {
  if (node.$ref !== undefined) {
    const name = node.$ref.slice('#/$defs/'.length);
    visit(name);
    return { $ref: node.$ref };
  }
  const read = node['x-read'];
  if (read === 'criterion') return publishCriterion(node, visit);
  const { 'x-read': _read, 'x-model': _model, items, anyOf, additionalProperties, properties: _properties, ...rest } = node;
  const { additionalItems: _, minItems: __, maxItems: ___, ...plain } = rest as Json; // words of older drafts
  const published: Json = { ...plain };
  if (Array.isArray(items)) Object.assign(published, tuple(items, visit));
  else if (items !== undefined) published['items'] = publishNode(items as SchemaNode, visit);
  if (anyOf !== undefined) published['anyOf'] = anyOf.map((branch) => publishNode(branch, visit));
  if (typeof additionalProperties === 'object') published['additionalProperties'] = publishNode(additionalProperties, visit);
  return published;
}

/** A list of fixed length in the words of 2020-12. */
function tuple(items: readonly SchemaNode[], visit: (name: string) => void): Json {
  return { prefixItems: items.map((item) => publishNode(item, visit)), items: false, minItems: items.length };
}

/** A threshold alone, or an object with one; null records without judging. */
function publishCriterion(node: SchemaNode, visit: (name: string) => void): Json {
  const branches = (node.anyOf ?? []).map((branch) => publishNode(branch, visit));
  return { anyOf: [...branches, { type: 'object', properties: { threshold: { type: 'null' } }, required: ['threshold'] }] };
}

function camelCase(snake: string): string {
  return snake.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
