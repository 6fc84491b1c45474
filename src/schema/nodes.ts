import { schemaDocument } from './load';
import type { ModelWords, ReadAs, SchemaNode } from './vocabulary';

/** A schema, prepared for walking. */
export type Node =
  | { readonly kind: 'string' | 'float' | 'int' | 'bool' | 'any' | Exclude<ReadAs, 'map' | 'open_enum' | 'literal' | 'intermediate_data'> }
  | { readonly kind: 'open_enum' | 'literal'; readonly names: readonly string[] }
  | { readonly kind: 'nullable'; readonly inner: Node }
  | { readonly kind: 'list'; readonly item: Node }
  | { readonly kind: 'pair'; readonly items: readonly [Node, Node] }
  | { readonly kind: 'map'; readonly value: Node | undefined }
  | { readonly kind: 'intermediate_data' }
  | ModelNode;

/** An object with known fields. */
export interface ModelNode {
  readonly kind: 'model';
  readonly words: ModelWords;
  /** In declaration order. */
  readonly fields: readonly FieldNode[];
  /** Index of the field by what it may be called; `aliased`: camelCase as well. */
  spellings(aliased: boolean): ReadonlyMap<string, number>;
}

/** One known field. */
export interface FieldNode {
  readonly snake: string;
  readonly camel: string;
  readonly required: boolean;
  /** What it is when left out; undefined when it has none. */
  readonly byDefault: unknown;
  /** May be null. */
  readonly nullable: boolean;
  readonly node: Node;
}

const models = new Map<string, ModelNode>();

/** The model of that name. Its fields are prepared when it is first asked for. */
export function modelNode(name: string): ModelNode {
  let model = models.get(name);
  if (model === undefined) {
    const schema = schemaDocument().$defs[name];
    const words = schema?.['x-model'];
    if (schema === undefined || words === undefined) throw new Error(`unknown model ${name}`);
    model = new LazyModel(words, schema);
    models.set(name, model);
  }
  return model;
}

/** `eval_set_id` -> `evalSetId`. */
export function camelCase(snake: string): string {
  return snake.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Fields on first use: models refer to each other, and most files use few of them. */
class LazyModel implements ModelNode {
  readonly kind = 'model';
  private prepared: readonly FieldNode[] | undefined;
  private readonly maps: [ReadonlyMap<string, number>?, ReadonlyMap<string, number>?] = [];

  constructor(
    readonly words: ModelWords,
    private readonly schema: SchemaNode,
  ) {}

  get fields(): readonly FieldNode[] {
    this.prepared ??= Object.entries(this.schema.properties ?? {}).map(([snake, field]) => {
      const node = nodeOf(field);
      return { snake, camel: camelCase(snake), required: this.schema.required?.includes(snake) === true, byDefault: field.default, nullable: node.kind === 'nullable', node };
    });
    return this.prepared;
  }

  spellings(aliased: boolean): ReadonlyMap<string, number> {
    const at = aliased ? 1 : 0;
    return (this.maps[at] ??= new Map(
      this.fields.flatMap(({ snake, camel }, index) => (aliased ? [[snake, index] as const, [camel, index] as const] : [[snake, index] as const])),
    ));
  }
}

function nodeOf(schema: SchemaNode): Node {
  if (schema.$ref !== undefined) return modelNode(schema.$ref.slice('#/$defs/'.length));
  switch (schema['x-read']) {
    case undefined:
      return nodeOfType(schema);
    case 'map':
      return { kind: 'map', value: typeof schema.additionalProperties === 'object' ? nodeOf(schema.additionalProperties) : undefined };
    case 'open_enum':
      return { kind: 'open_enum', names: schema.examples ?? [] };
    case 'literal':
      return { kind: 'literal', names: [String(schema.const)] };
    default:
      return { kind: schema['x-read'] };
  }
}

function nodeOfType(schema: SchemaNode): Node {
  if (schema.anyOf !== undefined) {
    const [inner, nothing] = schema.anyOf;
    if (inner === undefined || nothing?.type !== 'null') throw new Error('a union needs a rule of its own');
    return { kind: 'nullable', inner: nodeOf(inner) };
  }
  switch (schema.type) {
    case 'string':
      return { kind: 'string' };
    case 'number':
      return { kind: 'float' };
    case 'integer':
      return { kind: 'int' };
    case 'boolean':
      return { kind: 'bool' };
    case 'array':
      return listNode(schema);
    default:
      return { kind: 'any' };
  }
}

function listNode(schema: SchemaNode): Node {
  if (!Array.isArray(schema.items)) return { kind: 'list', item: nodeOf((schema.items ?? {}) as SchemaNode) };
  const [first, second] = schema.items as readonly SchemaNode[];
  return { kind: 'pair', items: [nodeOf(first ?? {}), nodeOf(second ?? {})] };
}
