import type { Criterion } from '../config/types';
import { problemsOf } from '../evalset/loaded';
import { readOptions } from '../evalset/reader';
import { withKeptKeys } from '../schema/origin';
import { readModel } from '../schema/read';
import { JestAdkError } from '../support/errors';
import { defaultProfile, type Profile } from '../support/profile';
import type { MetricSpec } from './registry';

/**
 * A metric as ADK writes it (`EvalMetric`: name, threshold, criterion), from JSON in either spelling.
 *
 * @throws {JestAdkError} `invalid_value` with every problem
 */
export function evalMetricFromJson(value: unknown, profile: Profile = defaultProfile): MetricSpec {
  const read = readModel('EvalMetric', value, readOptions(profile));
  if (read.issues.length > 0) throw new JestAdkError('invalid_value', problemsOf(read.issues, undefined));
  const spec = read.value as MetricSpec;
  return spec.criterion === undefined ? spec : { ...spec, criterion: withKeptKeys(spec.criterion as Criterion) };
}
