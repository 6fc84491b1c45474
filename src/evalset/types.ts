/**
 * Eval sets as they are in memory: canonical camelCase field names, whatever the file's spelling. Keys that belong to the user
 * (`args`, `response`, `state`, `finalSessionState`, `agentDetails`) are data and keep their spelling.
 * Absent and null optional fields are both left out. Integers beyond 2^53 are `bigint`. Source: google-adk 2.13 `eval_set.py`, `eval_case.py`.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
/** A JSON object whose keys belong to the user. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A tool call (google-genai `FunctionCall`). */
export interface FunctionCall {
  readonly id?: string;
  readonly name?: string;
  readonly args?: JsonObject;
  readonly partialArgs?: readonly JsonValue[];
  readonly willContinue?: boolean;
}

/** What a tool answered (google-genai `FunctionResponse`). */
export interface FunctionResponse {
  readonly id?: string;
  readonly name?: string;
  readonly response?: JsonObject;
  readonly willContinue?: boolean;
  readonly scheduling?: string;
  readonly parts?: readonly JsonValue[];
}

/** Bytes inside a content (google-genai `Blob`). */
export interface InlineData {
  /** Base64, either alphabet. */
  readonly data?: string;
  readonly mimeType?: string;
  readonly displayName?: string;
}

/** A reference to a file (google-genai `FileData`). */
export interface FileData {
  readonly fileUri?: string;
  readonly mimeType?: string;
  readonly displayName?: string;
}

/** One part of a content (google-genai `Part`). All fields optional, none exclusive. */
export interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: FunctionCall;
  readonly functionResponse?: FunctionResponse;
  readonly inlineData?: InlineData;
  readonly fileData?: FileData;
  readonly executableCode?: { readonly code?: string; readonly language?: string; readonly id?: string };
  readonly codeExecutionResult?: { readonly outcome?: string; readonly output?: string; readonly id?: string };
  readonly videoMetadata?: { readonly fps?: number; readonly startOffset?: string; readonly endOffset?: string };
  readonly mediaResolution?: JsonValue;
  readonly toolCall?: JsonValue;
  readonly toolResponse?: JsonValue;
  readonly partMetadata?: JsonObject;
  readonly audioTranscription?: JsonValue;
  readonly mediaProcessing?: JsonValue;
  readonly speechMetadata?: JsonValue;
}

/** A message: parts and who says them (google-genai `Content`). */
export interface Content {
  readonly parts?: readonly Part[];
  readonly role?: string;
}

/** Token counts as the model reported them. */
export interface UsageMetadata {
  readonly promptTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly toolUsePromptTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly totalTokenCount?: number;
  readonly [other: string]: unknown;
}

/** What an eval case expects between the question and the answer. */
export interface IntermediateData {
  readonly toolUses: readonly FunctionCall[];
  readonly toolResponses: readonly FunctionResponse[];
  readonly intermediateResponses: readonly (readonly [author: string, parts: readonly Part[]])[];
}

/** One event of a turn, as it is kept. */
export interface InvocationEvent {
  readonly author: string;
  readonly content?: Content;
  readonly groundingMetadata?: JsonObject;
  /** Present, even when empty, when the event reported usage: an empty object counts as one inference. */
  readonly usageMetadata?: UsageMetadata;
  /** Present, even when "", when the event named its model. */
  readonly modelVersion?: string;
}

/** The recorded events of a turn; the other shape of intermediate data. */
export interface InvocationEvents {
  readonly invocationEvents: readonly InvocationEvent[];
}

/** One yes-or-no criterion for a judge. */
export interface Rubric {
  readonly rubricId: string;
  readonly rubricContent: { readonly textProperty?: string };
  readonly description?: string;
  readonly type?: string;
}

/** An agent's instruction and tools, as its model saw them. */
export interface AgentDetails {
  readonly name: string;
  readonly instructions: string;
  readonly toolDeclarations: readonly JsonValue[];
}

/** The agents of a turn by name. */
export interface AppDetails {
  readonly agentDetails: Readonly<Record<string, AgentDetails>>;
}

/** One turn: what the user says and, in an eval case, what is expected; in a run, what was observed. */
export interface Invocation {
  readonly invocationId: string;
  readonly userContent: Content;
  readonly finalResponse?: Content;
  readonly intermediateData?: IntermediateData | InvocationEvents;
  /** Seconds since the epoch. */
  readonly creationTimestamp: number;
  /** Seconds. */
  readonly duration?: number;
  readonly modelDuration?: number;
  readonly toolDuration?: number;
  readonly rubrics?: readonly Rubric[];
  readonly appDetails?: AppDetails;
}

/** The session a case starts in. */
export interface SessionInput {
  readonly appName: string;
  readonly userId: string;
  /** Non-empty: the case runs in this session, which is reused when it exists. */
  readonly sessionId?: string;
  readonly state: JsonObject;
}

/** Who a simulated user is. */
export interface Persona {
  readonly id: string;
  readonly description: string;
  readonly behaviors: readonly {
    readonly name: string;
    readonly description: string;
    readonly behaviorInstructions: readonly string[];
    readonly violationRubrics: readonly string[];
  }[];
}

/** A conversation that is played instead of written down. */
export interface ConversationScenario {
  readonly startingPrompt: string;
  readonly conversationPlan: string;
  readonly userPersona?: Persona;
}

/** One session of a case with several; google-adk has no word for it. They share memory and artifacts, and the state of the user and of the app. */
export interface EvalSession {
  /** What a later session that resumes this one calls it. */
  readonly name?: string;
  /** Name of an earlier session that goes on here. */
  readonly resumes?: string;
  /** Left out: that of the case, whose state is the first session's alone. */
  readonly sessionInput?: SessionInput;
  readonly conversation: readonly Invocation[];
  /** Expected of this session at its end. */
  readonly finalSessionState?: JsonObject;
  /** Whether what was said goes to the memory service when the session ends. */
  readonly addToMemory: boolean;
}

/** Exactly one of `conversation`, `conversationScenario` and `sessions` is present. `writtenTurns` gives the turns of either. */
export interface EvalCase {
  readonly evalId: string;
  readonly conversation?: readonly Invocation[];
  readonly sessions?: readonly EvalSession[];
  readonly conversationScenario?: ConversationScenario;
  readonly sessionInput?: SessionInput;
  readonly creationTimestamp: number;
  readonly rubrics?: readonly Rubric[];
  readonly finalSessionState?: JsonObject;
}

/** A set of cases, as one file holds it. */
export interface EvalSet {
  readonly evalSetId: string;
  readonly name?: string;
  readonly description?: string;
  readonly evalCases: readonly EvalCase[];
  /** Seconds since the epoch. */
  readonly creationTimestamp: number;
}

/** Where a value of a loaded file stands: a file and a pointer in the file's own spelling. */
export interface Place {
  readonly file: string;
  readonly path: readonly (string | number)[];
}

/**
 * What reading a file gave. Spellings, unknown keys that are kept, and places live beside the value, keyed by its objects,
 * so that the value itself stays plain data.
 */
export interface Loaded<T> {
  readonly value: T;
  /** Absolute path. */
  readonly file: string;
  readonly warnings: readonly import('../support/errors').Problem[];
  /** Extra files the value was made from (prompt templates, initial session), absolute paths. */
  readonly dependencies: readonly string[];
  /** Place of an object inside `value`; undefined for objects that were not read from the file. */
  placeOf(node: object): Place | undefined;
}

/** Tells the two shapes of intermediate data apart. */
export function isInvocationEvents(data: IntermediateData | InvocationEvents): data is InvocationEvents {
  return 'invocationEvents' in data;
}
