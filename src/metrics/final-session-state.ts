import type { Criterion } from '../config/types';
import { sessionsOf } from '../evalset/turns';
import type { EvalCase, JsonObject } from '../evalset/types';
import type { TrialRecord } from '../inference/types';
import { refusal } from '../support/errors';
import { CriterionFields, shown } from './criterion-fields';
import { differences, type ArgsMode, type Difference } from './equality';
import type { Metric, MetricContext, MetricInput, MetricScore } from './types';
import { judge } from './verdict';

const name = 'final_session_state_match';
const modes = ['exact', 'subset', 'superset'] as const;

interface StateCriterion extends Criterion {
  readonly mode: ArgsMode;
  readonly expectedState: JsonObject | undefined;
}

/**
 * `final_session_state_match`: 1 when the session ended in the state that the case's `final_session_state` (or the criterion's `state`) asks for.
 * Other keys may be there unless `mode` is `exact`. Argument matchers may stand for values.
 */
export const finalSessionStateMatch: Metric<StateCriterion> = {
  name,
  info: { metricName: name, description: 'Whether the session state at the end is the expected one.', metricValueInfo: { interval: { minValue: 0, maxValue: 1, openAtMin: false, openAtMax: false } } },
  needs: ['state'],
  readCriterion(raw, profile) {
    const fields = new CriterionFields(raw, ['mode', 'state'], profile);
    const mode = fields.choice('mode', modes) ?? 'subset';
    const expectedState = fields.field('state', (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined), 'a map');
    fields.reportKeys();
    return { criterion: { ...raw, mode, expectedState }, problems: fields.problems };
  },
  evaluate: evaluateState,
};

function evaluateState({ criterion, threshold, evalCase, trial }: MetricInput<StateCriterion>, { profile }: MetricContext): MetricScore {
  const expectations = expectationsOf(criterion, evalCase, trial);
  if (expectations.length === 0) {
    return { score: null, status: 'not_evaluated', reason: 'No expectation: the case has no final_session_state.', perInvocation: [] };
  }
  const rules = { mode: criterion.mode, booleansEqualNumbers: profile.booleansEqualNumbers, dataMatchers: profile.name === 'default' };
  const explanation = expectations.flatMap(({ of, expected, actual }) => {
    if (actual === undefined) throw refusal('no_final_state', `${name} needs the session state at the end${of}, and there is none.`);
    const found = [...differences(actual, expected, rules)];
    return found.length === 0 ? [] : explain(found, trial?.childState).map((line) => `${line}${of}`);
  });
  const score = Number(explanation.length === 0);
  const status = judge(score, threshold, profile);
  return { score, status, perInvocation: [], ...(status === 'failed' ? { explanation } : {}) };
}

/** The state that is expected of each session, with the one it had; a criterion's is expected at the very end. */
function expectationsOf(criterion: StateCriterion, evalCase: EvalCase | undefined, trial: TrialRecord | undefined): readonly { readonly of: string; readonly expected: JsonObject; readonly actual: JsonObject | undefined }[] {
  const asked = (expected: JsonObject | undefined): expected is JsonObject => expected !== undefined && Object.keys(expected).length > 0;
  if (asked(criterion.expectedState)) return [{ of: '', expected: criterion.expectedState, actual: trial?.finalState }];
  const sessions = evalCase === undefined ? [] : sessionsOf(evalCase);
  return sessions.flatMap(({ name: given, expectedState }, index) => {
    if (!asked(expectedState)) return [];
    if (sessions.length === 1 && evalCase?.sessions === undefined) return [{ of: '', expected: expectedState, actual: trial?.finalState }];
    return [{ of: ` (session ${index + 1}${given === undefined ? '' : `, ${shown(given)}`})`, expected: expectedState, actual: trial?.sessions?.[index]?.finalState }];
  });
}

function explain(found: readonly Difference[], childState: Readonly<Record<string, string>> | undefined): string[] {
  const lines = found.slice(0, 6).map(({ path, message }) => {
    const key = String(path[0]);
    const tool = path.length === 1 && childState !== undefined && Object.hasOwn(childState, key) ? childState[key] : undefined;
    const place = path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
    return tool === undefined ? `state ${place}: ${message}` : `state ${place}: ${message}; written only in child session of AgentTool ${shown(tool)}`;
  });
  return found.length > 6 ? [...lines, `… and ${found.length - 6} more differences`] : lines;
}
