import type { Criterion } from '../config/types';
import type { JsonValue } from '../evalset/types';
import { refusal } from '../support/errors';
import { describeExpected } from './arg-matchers';
import { CriterionFields } from './criterion-fields';
import { plainRules, valuesEqual } from './equality';
import { maximumMatching } from './pairing';
import type { Metric, MetricContext, MetricInput, MetricScore } from './types';
import { judge } from './verdict';

const name = 'artifact_match';

interface ArtifactCriterion extends Criterion {
  readonly wanted: readonly JsonValue[];
  /** No other artifact may be there. */
  readonly exact: boolean;
}

/** `artifact_match`: 1 when the trial left the artifacts that the criterion's `artifacts` names (names, or matchers such as `{"$regex": "report-.*"}`). */
export const artifactMatch: Metric<ArtifactCriterion> = {
  name,
  info: { metricName: name, description: 'Whether the expected artifacts were saved.', metricValueInfo: { interval: { minValue: 0, maxValue: 1, openAtMin: false, openAtMax: false } } },
  needs: ['artifacts'],
  readCriterion(raw, profile) {
    const fields = new CriterionFields(raw, ['artifacts', 'mode'], profile);
    const wanted = fields.field('artifacts', (value) => (Array.isArray(value) && value.length > 0 ? (value as JsonValue[]) : undefined), 'a list of names or matchers');
    if (fields.value('artifacts') === undefined) fields.problem('artifacts', `${name} needs artifacts.`, 'Name the files that are expected, such as ["report.pdf"].');
    const exact = fields.choice('mode', ['exact', 'subset'] as const) === 'exact';
    fields.reportKeys();
    return { criterion: { ...raw, wanted: wanted ?? [], exact }, problems: fields.problems };
  },
  evaluate: evaluateArtifacts,
};

function evaluateArtifacts({ criterion, threshold, trial }: MetricInput<ArtifactCriterion>, { profile }: MetricContext): MetricScore {
  const saved = trial?.artifacts;
  if (saved === undefined) throw refusal('no_artifacts', `${name} needs the artifacts of the session, which this target does not give.`);
  const rules = { ...plainRules(false), dataMatchers: profile.name === 'default' };
  const partner = maximumMatching(criterion.wanted, saved, (wanted, file) => valuesEqual(file, wanted, rules));
  const missing = criterion.wanted.filter((_wanted, index) => partner[index] === undefined);
  const extra = criterion.exact ? saved.filter((_file, index) => !partner.includes(index)) : [];
  const score = Number(missing.length + extra.length === 0);
  const status = judge(score, threshold, profile);
  const explanation = [
    ...missing.map((wanted) => `missing   ${describeExpected(wanted)}`),
    ...extra.map((file) => `extra     ${JSON.stringify(file)}`),
    ...(saved.length === 0 ? ['no artifact was saved'] : []),
  ];
  return { score, status, perInvocation: [], ...(status === 'failed' ? { explanation } : {}) };
}
