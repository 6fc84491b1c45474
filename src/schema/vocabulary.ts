/** What is known of an object's fields and what happens to its unknown keys. Words of the format description: plain/aliased, strict/loose/keeping. */
export interface ModelWords {
  readonly name: string;
  /** `plain`: only snake_case is known to google-adk. `aliased`: snake_case and lowerCamelCase, freely mixed. */
  readonly spelling: 'plain' | 'aliased';
  /** `strict`: refused. `loose`: dropped. `keeping`: kept as they are spelled and written back. */
  readonly unknown: 'strict' | 'loose' | 'keeping';
  /** Built from attributes as well, which changes the name of the error for a value that is no object. */
  readonly attributes?: boolean;
  /** A rule over the whole object, checked when nothing else is wrong with it. */
  readonly rule?: 'one_conversation' | 'event_identity';
  /** Unknown keys come from newer APIs: outside `google-adk` they are dropped although google-adk refuses them. */
  readonly grows?: boolean;
  /** snake_case keys that may stand beside their camelCase form if they are null: old files spell all fields of a part out. */
  readonly nullTwins?: readonly string[];
  /** Unknown keys are expected here, and no reason for a warning. */
  readonly quiet?: boolean;
  /** Keys of ours, which google-adk keeps and does not use: no reason for a warning. */
  readonly ours?: readonly string[];
  /** Fields that google-adk does not have: under its rules they are unknown keys, and they are written only when they are there. snake_case. */
  readonly ownFields?: readonly string[];
  /** A key that is nearly a known one is an error even where unknown keys are dropped, unless the reader is told to let it pass. */
  readonly refusesTypos?: boolean;
}

/** How a value is read where its JSON Schema type does not say it. */
export type ReadAs =
  | 'map'
  | 'bytes'
  | 'open_enum'
  | 'status'
  | 'intermediate_data'
  | 'persona'
  | 'criterion'
  | 'user_simulator'
  | 'speech_config'
  | 'custom_instructions'
  | 'literal'
  | 'opaque_object';

/** A JSON Schema object as the build emits it, with our two extra words. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode | readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly default?: unknown;
  readonly examples?: readonly string[];
  readonly const?: unknown;
  readonly 'x-model'?: ModelWords;
  readonly 'x-read'?: ReadAs;
}

/** All models by name, as in `dist/schemas/model.json`. */
export interface SchemaDocument {
  readonly $defs: Readonly<Record<string, SchemaNode>>;
}
