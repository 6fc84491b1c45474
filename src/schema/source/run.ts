import { Type, type TSchema } from '@sinclair/typebox';

/**
 * Our own results (`src/results/model.ts`), as JSON Schema 2020-12: what reporters read and what `jest_adk` in result files holds.
 * Names are camelCase throughout. Later versions may add fields, so unknown ones are allowed; a breaking change counts `schemaVersion` up.
 * Needed at build time and in tests only.
 */
const definitions: Record<string, TSchema> = {};

/** Defines a type under a name and gives the reference to it. */
function define(name: string, fields: Record<string, TSchema>, description: string): TSchema {
  definitions[name] = Type.Object(fields, { description });
  return Type.Unsafe({ $ref: `#/$defs/${name}` });
}

const maybe = (schema: TSchema): TSchema => Type.Optional(schema);
const oneOf = (...names: string[]): TSchema => Type.Unsafe({ enum: names });
const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);
const count = (description?: string): TSchema => Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
const milliseconds = (): TSchema => Type.Number({ minimum: 0, description: 'milliseconds' });
const anything = (description: string): TSchema => Type.Object({}, { additionalProperties: true, description });

const error = define('ErrorInfo', { code: Type.String(), message: Type.String() }, 'What went wrong; `code` is stable.');
const reasonCode = (): TSchema => maybe(oneOf('judge_error', 'unparsed', 'no_quorum', 'no_verdict', 'coverage', 'service_error', 'agent_error', 'not_run', 'config', 'no_response', 'rubrics_required', 'no_expectation', 'unsupported_case', 'whole_conversation'));
const metricStatus = oneOf('passed', 'failed', 'informational', 'not_evaluated', 'error');
const outcome = oneOf('passed', 'failed', 'error');
const content = define('Content', { parts: maybe(Type.Array(anything('google-genai `Part`'))), role: maybe(Type.String()) }, 'google-genai `Content`.');
const details = define('MetricDetails', {
  rubricScores: maybe(Type.Array(Type.Object({ rubricId: Type.String(), rationale: maybe(nullable(Type.String())), score: maybe(nullable(Type.Number())) }))),
  tokenUsageDetails: maybe(anything('figures by name')),
  durationDetails: maybe(anything('figures by name, in seconds')),
}, 'What stands behind a score.');

const invocationFields = {
  invocationId: Type.String(),
  userContent: content,
  finalResponse: maybe(content),
  intermediateData: maybe(anything('tool uses, tool responses and intermediate responses, or `invocationEvents`')),
  creationTimestamp: Type.Number({ description: 'seconds since the epoch' }),
  duration: maybe(Type.Number({ description: 'seconds' })),
  modelDuration: maybe(Type.Number({ description: 'seconds' })),
  toolDuration: maybe(Type.Number({ description: 'seconds' })),
  rubrics: maybe(Type.Array(anything('a rubric'))),
  appDetails: maybe(anything('agents and their tools')),
};
const invocation = define('Invocation', invocationFields, 'One turn as it is expected.');

const toolCall = define('ObservedToolCall', {
  name: Type.String(),
  args: maybe(anything('arguments')),
  id: maybe(Type.String()),
  author: Type.String(),
  response: maybe(anything('google-genai `FunctionResponse`')),
  group: Type.Integer({ description: 'calls of one event share it' }),
  nestedIn: maybe(Type.String()),
  pending: maybe(Type.Boolean()),
  simulated: maybe(Type.Boolean({ description: 'the tool did not run: it was answered for' })),
}, 'A tool call as it was observed.');

const actualInvocation = define('ActualInvocation', {
  ...invocationFields,
  outcome: oneOf('answered', 'unanswered', 'error', 'not_run'),
  error: maybe(error),
  responses: Type.Array(Type.Object({ author: Type.String(), content })),
  toolCalls: Type.Array(toolCall),
  toolResponses: maybe(Type.Array(anything('google-genai `FunctionResponse`'))),
  usageByModel: Type.Array(Type.Object({ model: Type.String(), calls: count(), usage: anything('token counts') })),
  latencyMs: milliseconds(),
  pendingTools: Type.Array(Type.String()),
  session: maybe(count('which session of a case with several, from 0')),
}, 'One turn as it went.');

const trial = define('TrialRecord', {
  evalId: Type.String(),
  trial: count('from 0'),
  ids: Type.Object({ appName: Type.String(), userId: Type.String(), sessionId: Type.String() }),
  invocations: Type.Array(actualInvocation),
  endReason: Type.String(),
  droppedMessage: maybe(Type.String()),
  error: maybe(error),
  finalState: maybe(anything('session state after the last turn')),
  sessions: maybe(Type.Array(Type.Object({ name: maybe(Type.String()), ids: Type.Object({ appName: Type.String(), userId: Type.String(), sessionId: Type.String() }), turns: count(), finalState: maybe(anything('session state after its last turn')) }))),
  childState: maybe(Type.Record(Type.String(), Type.String(), { description: 'state keys that stayed in the session of an AgentTool, with its name' })),
  artifacts: maybe(Type.Array(Type.String())),
  warnings: Type.Array(Type.String()),
  startedAt: milliseconds(),
  durationMs: milliseconds(),
}, 'One trial of a case.');

const judgment = define('Judgment', {
  samples: count('asked'),
  answered: count('with an answer that could be used'),
  votes: maybe(Type.Array(Type.Object({ id: maybe(Type.String()), yes: count(), no: count(), abstained: count(), agreement: nullable(Type.Number({ minimum: 0, maximum: 1 })) }))),
  coverage: maybe(Type.Number({ minimum: 0, maximum: 1 })),
  unanswered: maybe(Type.Array(Type.String())),
  problems: maybe(Type.Array(Type.String())),
}, 'What a judge was asked about one turn, and what came back.');

const judgeReport = define('JudgeReport', {
  engine: oneOf('judge', 'vertex'),
  model: Type.String(),
  modelVersions: maybe(Type.Array(Type.String())),
  prompts: maybe(Type.Array(Type.String({ description: 'template@version and its hash' }))),
  config: maybe(anything('google-genai `GenerateContentConfig`')),
  samples: count(),
}, 'Who judged, and how it was asked.');

const modelCalls = Type.Object({
  model: Type.String(),
  calls: count(),
  cached: maybe(count('answered from the cache; not among the calls')),
  promptTokens: count(),
  outputTokens: count(),
  totalTokens: count(),
  costUsd: maybe(Type.Number({ minimum: 0 })),
});

const usage = define('UsageByRole', Object.fromEntries(['agent', 'judge', 'user', 'environment', 'generator'].map((role) => [role, maybe(Type.Array(modelCalls))])), 'Calls and tokens by role.');

const invocationScore = define('InvocationScore', {
  score: nullable(Type.Number()),
  status: metricStatus,
  reasonCode: reasonCode(),
  reason: maybe(Type.String()),
  explanation: maybe(Type.Array(Type.String())),
  details: maybe(details),
  judgment: maybe(judgment),
}, 'Score of one turn.');

const metricResult = define('MetricResult', {
  metricName: Type.String(),
  threshold: nullable(Type.Number()),
  criterion: nullable(anything('the criterion as configured')),
  score: nullable(Type.Number()),
  status: metricStatus,
  reasonCode: reasonCode(),
  reason: maybe(Type.String()),
  error: maybe(error),
  explanation: maybe(Type.Array(Type.String())),
  perInvocation: Type.Array(invocationScore),
  details: maybe(details),
  judge: maybe(judgeReport),
  replacedTurnId: maybe(Type.String()),
}, 'One metric of one trial.');

const trialResult = define('TrialResult', {
  trial,
  status: oneOf('passed', 'failed', 'not_evaluated', 'error'),
  error: maybe(error),
  metrics: Type.Array(metricResult),
}, 'One trial, scored.');

const caseResult = define('CaseResult', {
  evalSetId: Type.String(),
  evalId: Type.String(),
  outcome,
  flaky: Type.Boolean({ description: 'trials disagreed' }),
  trials: Type.Array(trialResult),
  metrics: Type.Array(Type.Object({
    metricName: Type.String(),
    threshold: nullable(Type.Number()),
    direction: oneOf('max', 'min'),
    score: nullable(Type.Number()),
    status: metricStatus,
  reasonCode: reasonCode(),
    reason: maybe(Type.String()),
    unstable: maybe(Type.Boolean()),
    rows: count(),
  })),
  failures: Type.Array(Type.Object({
    kind: oneOf('below_threshold', 'not_evaluated', 'metric_error', 'trials_without_results', 'inference_error', 'policy'),
    metricName: maybe(Type.String()),
    score: maybe(nullable(Type.Number())),
    threshold: maybe(nullable(Type.Number())),
    failed: maybe(count()),
    total: maybe(count()),
    message: Type.String(),
  })),
  expected: nullable(Type.Array(invocation)),
  error: maybe(error),
  place: maybe(Type.Object({ file: Type.String(), line: count(), column: count() })),
}, 'A case over all its trials.');

const evalSetResult = define('EvalSetResult', {
  schemaVersion: Type.Literal(1),
  evalSetId: Type.String(),
  evalSetFile: maybe(Type.String()),
  appName: Type.String(),
  outcome,
  cases: Type.Array(caseResult),
  numRuns: count(),
  passPolicy: Type.Union([oneOf('mean', 'all', 'any', 'majority'), Type.Object({ passRate: Type.Number({ minimum: 0, maximum: 1 }) })]),
  compatibility: oneOf('default', 'google-adk'),
  config: Type.Object({ file: maybe(Type.String()), reason: Type.String() }),
  judges: maybe(Type.Array(Type.Object({ metricName: Type.String(), verdicts: count(), split: count(), between: maybe(Type.Object({ verdicts: count(), agreement: Type.Number({ minimum: 0, maximum: 1 }), kappa: nullable(Type.Number()) })) }))),
  warnings: Type.Array(Type.String()),
  startedAt: milliseconds(),
  durationMs: milliseconds(),
  resultFile: maybe(Type.String()),
}, 'One eval set, evaluated.');

const evaluation = define('EvaluationResult', { schemaVersion: Type.Literal(1), outcome, sets: Type.Array(evalSetResult), usage: maybe(usage), plannedJudgeCalls: maybe(count()) }, 'What one `evaluate` call gives.');

define('RunResult', {
  schemaVersion: Type.Literal(1),
  runId: Type.String(),
  evaluations: Type.Array(Type.Object({
    testFile: maybe(Type.String()),
    testName: maybe(Type.String()),
    testPerCase: maybe(Type.Literal(true)),
    result: evaluation,
    startedAt: maybe(milliseconds()),
    durationMs: maybe(milliseconds()),
    unfinished: maybe(Type.Array(Type.Object({ evalSetId: Type.String(), evalIds: Type.Array(Type.String()), cases: count() }))),
  })),
}, 'One Jest run over all its workers.');

/** Published by file name: `result.schema.json` is what `evaluate` gives, `run.schema.json` what reporters read. */
export const publishedResults: Readonly<Record<string, object>> = {
  'result.schema.json': document('Result of an evaluation', 'EvaluationResult'),
  'run.schema.json': document('Result of a run', 'RunResult'),
};

/** Plain JSON, without TypeBox's own symbols. */
function document(title: string, root: string): object {
  return JSON.parse(JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, $ref: `#/$defs/${root}`, $defs: definitions })) as object;
}
