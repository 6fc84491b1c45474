/** Metrics that the user brings: functions named by a config, and functions given in code. */
import { resolveCustomMetrics, type ResolvedMetric } from '../config/custom-metric-loader';
import type { ConfigChoice, CustomMetricConfig, MetricInfo } from '../config/types';
import type { CustomMetrics } from '../metrics/registry';
import type { Metric } from '../metrics/types';
import { JestAdkError, type Problem } from '../support/errors';
import type { Planning } from './parts';

type UserFunction = ResolvedMetric['fn'];

/**
 * The metrics of one set by name, scoped to it: those of its config, then those given in code, which win.
 * A module that cannot be loaded is a problem; under google-adk its metric is not evaluated while running.
 */
export async function customMetricsOf(planning: Planning, choice: ConfigChoice): Promise<CustomMetrics> {
  const { options, checked, host, parts, problems } = planning;
  const metrics = new Map<string, Metric>();
  for (const [name, config] of choice.config.customMetrics) {
    const context = {
      ...(choice.file === undefined ? {} : { configFile: choice.file }),
      ...(options.modulePaths === undefined ? {} : { modulePaths: options.modulePaths }),
      cwd: host.rootDir,
      loader: host.loader,
    };
    const load = (): Promise<Map<string, ResolvedMetric>> => resolveCustomMetrics(new Map([[name, config]]), context);
    const resolved = checked.profile.criteriaCheckedLate ? await load().catch((thrown: unknown) => thrown) : await problems.collectAsync(load);
    if (resolved instanceof Map) {
      const found = (resolved as Map<string, ResolvedMetric>).get(name);
      if (found !== undefined) metrics.set(name, parts.customMetric(name, found.fn, infoOf(name, config)));
    } else metrics.set(name, unloadable(name, resolved)); // Its name is known all the same: one problem is told once.
  }
  for (const [name, given] of Object.entries(options.customMetrics ?? {})) {
    const metric = fromCode(name, given, planning);
    metrics.set(name, metric ?? unloadable(name, 'no metric'));
  }
  return metrics;
}

function infoOf(name: string, config: CustomMetricConfig): MetricInfo {
  const { metricInfo, description } = config;
  return { metricValueInfo: {}, ...(description === undefined ? {} : { description }), ...metricInfo, metricName: name };
}

function fromCode(name: string, given: unknown, { parts, problems }: Planning): Metric | undefined {
  if (typeof given === 'function') return parts.customMetric(name, given as UserFunction, { metricName: name, metricValueInfo: {} });
  const value = (given ?? {}) as { fn?: unknown; metricInfo?: MetricInfo; evaluate?: unknown; info?: MetricInfo };
  if (typeof value.fn === 'function') return parts.customMetric(name, value.fn as UserFunction, { metricValueInfo: {}, ...value.metricInfo, metricName: name });
  if (typeof value.evaluate === 'function' && value.info !== undefined) return { ...(given as Metric), name };
  const problem: Problem = { code: 'bad_option', message: `The option "customMetrics" gives no metric for "${name}".`, hint: 'Give a function, { fn, metricInfo } or a metric with name, info and evaluate.' };
  problems.add(problem);
  return undefined;
}

/** Stands for a metric whose function could not be loaded where that shows only while running. */
function unloadable(name: string, cause: unknown): Metric {
  return {
    name,
    info: { metricName: name, metricValueInfo: {} },
    needs: [],
    readCriterion: (criterion) => ({ criterion, problems: [] }),
    evaluate() {
      throw cause instanceof Error ? cause : new JestAdkError('metric_module_failed', [{ code: 'metric_module_failed', message: String(cause) }]);
    },
  };
}
