/** Requests of Vertex AI's evaluation service, and what its answers score. Source: google-adk 2.13, whose SDK sends these bodies. */
import { contentToJson } from '../../evalset/parts';
import type { Content, Invocation, JsonValue } from '../../evalset/types';
import type { VertexAnswer } from '../../judge/vertex';
import type { Profile } from '../../support/profile';
import type { MetricDetails } from '../types';
import { agentsOf, eventsOf, messageText } from './evidence';

type Reading = Pick<Profile, 'name' | 'thoughtsAreText'>;
type RubricScores = NonNullable<MetricDetails['rubricScores']>;

/** A request for one turn: its two texts, and the reference's. */
export function singleTurnRequest(metric: object, { user, response, reference }: { readonly user: string; readonly response: string; readonly reference?: string | undefined }): object {
  const contents = (text: string): object => ({ contents: { contents: [{ parts: [{ text }] }] } });
  const event = (author: string, text: string): object => ({ author, content: { parts: [{ text }] } });
  return {
    metrics: [metric],
    instance: {
      prompt: contents(user),
      response: contents(response),
      ...(reference === undefined || reference === '' ? {} : { reference: contents(reference) }),
      agent_eval_data: { turns: [{ turn_index: 0, turn_id: 'turn_0', events: [event('user', user), event('model', response)] }] },
    },
  };
}

/** One request for a whole conversation. Outside google-adk the older shape of intermediate data is sent as events. */
export function multiTurnRequest(metric: object, turns: readonly Invocation[], profile: Reading): object {
  const agents: Record<string, object> = {};
  for (const turn of turns) for (const { name, instructions, toolDeclarations } of agentsOf(turn)) agents[name] ??= { agent_id: name, instruction: instructions, tools: toolDeclarations.map(toolJson) };
  return {
    metrics: [metric],
    instance: {
      prompt: { contents: { contents: [] } },
      agent_eval_data: {
        agents,
        turns: turns.map((turn, index) => ({
          turn_index: index,
          turn_id: turn.invocationId,
          events: [
            { author: 'user', ...contentOf(turn.userContent) },
            ...eventsOf(turn, profile).flatMap(({ author, content }) => (content === undefined ? [] : [{ author, ...contentOf(content) }])),
            { author: 'agent', ...contentOf(turn.finalResponse) },
          ],
        })),
      },
    },
  };
}

function contentOf(content: Content | undefined): { readonly content?: unknown } {
  return content === undefined ? {} : { content: contentToJson(content, 'with_defaults') };
}

/** A declaration in the spelling of the service. */
function toolJson(tool: JsonValue): unknown {
  if (typeof tool !== 'object' || tool === null || !('functionDeclarations' in tool)) return tool;
  const { functionDeclarations, ...more } = tool;
  return { function_declarations: functionDeclarations, ...more };
}

/** Name of a metric in the service. */
export function predefinedMetric(name: string): object {
  return { predefined_metric_spec: { metric_spec_name: name } };
}

/** What one answer says. */
export interface ServiceScore {
  readonly score: number | null;
  /** Entries for the result; null for none. */
  readonly rubricScores: RubricScores | null;
  /** What went wrong in the service. */
  readonly error?: string;
}

/** Reads an answer: the first metric result; a score beside an error is no score. */
export function readServiceAnswer(answer: VertexAnswer): ServiceScore {
  const [result] = answer.metricResults ?? [];
  if (result === undefined) return { score: null, rubricScores: [{ rubricId: 'error', score: null, rationale: 'the answer has no metric results' }], error: 'the answer has no metric results' };
  const failed = (result.error?.code ?? 0) !== 0;
  const error = failed ? `the service failed with code ${result.error?.code ?? ''}: ${result.error?.message ?? ''}` : undefined;
  const entries: RubricScores = [
    ...(result.rubricVerdicts ?? []).map(({ evaluatedRubric, verdict, reasoning }, index) => ({
      rubricId: evaluatedRubric?.content?.property?.description || evaluatedRubric?.rubricId || `rubric_${index}`,
      score: verdict === true ? 1 : 0,
      rationale: reasoning || null,
    })),
    ...(result.explanation ? [{ rubricId: 'explanation', score: null, rationale: result.explanation }] : []),
    ...(error === undefined ? [] : [{ rubricId: 'error', score: null, rationale: error }]),
  ];
  return { score: failed ? null : (result.score ?? null), rubricScores: entries.length === 0 ? null : entries, ...(error === undefined ? {} : { error }) };
}

/** Text of a message for the service: "" when it has none. */
export function textFor(content: Content | undefined, profile: Reading): string {
  return messageText(content, profile) ?? '';
}
