import type { Criterion, MetricInfo } from '../config/types';
import { JestAdkError } from '../support/errors';
import type { Profile } from '../support/profile';
import { camelName, shown } from './criterion-fields';
import type { InvocationScore, MetricContext, MetricDetails, MetricInput, MetricScore, MetricStatus } from './types';
import { judge, type Direction } from './verdict';

const legalShapes = 'Return a number, { score, reason } or { overallScore, overallEvalStatus, perInvocationResults: [{ score, evalStatus }] }.';
const statusNames = ['passed', 'failed', 'not_evaluated', 'informational'] as const;

/** The metric whose result is read. */
export interface ResultContext {
  readonly name: string;
  readonly info: MetricInfo;
  readonly input: MetricInput;
  readonly context: MetricContext;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads what a custom metric returned, in either spelling.
 *
 * @throws {JestAdkError} `bad_metric_result` naming the legal shapes
 */
export function readMetricResult(returned: unknown, metric: ResultContext): MetricScore {
  if (typeof returned === 'number') return scored(returned, undefined, metric);
  const fields = fieldsOf(returned);
  if (fields === undefined) throw malformed(metric.name, `${metric.name} returned ${shown(returned)}.`);
  if ('score' in fields) return { ...scored(fields.score, fields.evalStatus ?? fields.status, metric), ...reasonOf(fields) };
  if (!('overallScore' in fields) && !('overallEvalStatus' in fields)) throw malformed(metric.name, `${metric.name} returned ${shown(returned)}.`);
  return { ...scored(fields.overallScore ?? null, fields.overallEvalStatus, metric), ...reasonOf(fields), ...rubricDetails(fields.overallRubricScores), perInvocation: turns(fields, metric) };
}

/** An object with its keys in camelCase; undefined for anything else. */
function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [camelName(key), item as unknown]));
}

function turns(fields: Fields, metric: ResultContext): InvocationScore[] {
  const results = fields.perInvocationResults ?? [];
  if (!Array.isArray(results)) throw malformed(metric.name, `${metric.name} returned perInvocationResults that are no list: ${shown(results)}.`);
  return results.map((item: unknown, index) => {
    const turn = fieldsOf(item);
    if (turn === undefined) throw malformed(metric.name, `${metric.name} returned ${shown(item)} for turn ${index + 1}.`);
    const { score, status } = scored(turn.score ?? null, turn.evalStatus ?? turn.status, metric, `turn ${index + 1}: `);
    return { score, status, ...reasonOf(turn), ...rubricDetails(turn.rubricScores) };
  });
}

function scored(score: unknown, status: unknown, metric: ResultContext, where = ''): MetricScore {
  if (score !== null && (typeof score !== 'number' || !Number.isFinite(score))) throw malformed(metric.name, `${metric.name} returned ${where}the score ${typeof score === 'number' ? String(score) : shown(score)}.`);
  return { score, status: status === undefined || status === null ? verdict(score, metric) : readStatus(status, metric, where), perInvocation: [] };
}

/** Direction of a custom metric: its criterion's, else its own. google-adk knows none. */
export function directionOf(info: MetricInfo, criterion: Criterion | null, profile: Pick<Profile, 'name'>): Direction {
  const said = profile.name === 'default' ? criterion?.['direction'] : undefined;
  return said === 'min' || said === 'max' ? said : (info.direction ?? 'max');
}

function verdict(score: number | null, { input, info, context }: ResultContext): MetricStatus {
  return score === null ? 'not_evaluated' : judge(score, input.threshold, context.profile, directionOf(info, input.criterion, context.profile));
}

/** ADK's numbers 1 to 4, or their names in any case. */
function readStatus(status: unknown, metric: ResultContext, where: string): MetricStatus {
  const found = typeof status === 'number' ? statusNames[status - 1] : statusNames.find((name) => typeof status === 'string' && name === status.toLowerCase());
  if (found !== undefined) return found;
  const message = `${metric.name} returned ${where}the status ${shown(status)}.`;
  throw malformed(metric.name, message, `Statuses are ${statusNames.map((name) => name.toUpperCase()).join(', ')}, or 1 to 4.`);
}

function reasonOf(fields: Fields): { readonly reason?: string } {
  return typeof fields.reason === 'string' ? { reason: fields.reason } : {};
}

function rubricDetails(scores: unknown): { readonly details?: MetricDetails } {
  if (!Array.isArray(scores)) return {};
  const rubricScores = scores.flatMap((item) => {
    const { rubricId, rationale, score } = fieldsOf(item) ?? {};
    if (typeof rubricId !== 'string') return [];
    return [{ rubricId, ...(typeof rationale === 'string' ? { rationale } : {}), ...(typeof score === 'number' ? { score } : {}) }];
  });
  return { details: { rubricScores } };
}

function malformed(name: string, message: string, hint = legalShapes): JestAdkError {
  return new JestAdkError('bad_metric_result', [{ code: 'bad_metric_result', message, hint, path: [name] }]);
}
