import { limitMetric } from '../../src/evaluation/metric-limit';
import { scoreTrial } from '../../src/evaluation/rollup';
import { customMetric } from '../../src/metrics/custom';
import { defaultProfile } from '../../src/support/profile';
import { manualClock } from '../inference/helpers';
import { caseOf, trialOf } from './scripted';

const evaluation = (): AbortController => new AbortController();

test('D49 a metric that never comes back is an error when its time is over', async () => {
  const metric = customMetric('slow', () => new Promise<number>(() => undefined));
  const { status, metrics } = await scoreTrial({
    evalCase: caseOf(),
    trial: trialOf(),
    metrics: [{ metric, criterion: { threshold: 0.5 }, threshold: 0.5 }],
    profile: defaultProfile,
    signal: evaluation().signal,
    metricTimeoutMs: 1,
    warn: () => undefined,
  });
  expect(status).toBe('error');
  expect(metrics).toMatchObject([{ status: 'error', error: { code: 'metric_timeout', message: 'slow gave no result within 1 ms (turnTimeoutMs; --timeout on the command line).' } }]);
});

test('the limit is called off when the metric ends, and ends with the evaluation', () => {
  const clock = manualClock();
  const ended = limitMetric('tone', evaluation().signal, 100, clock);
  ended.end();
  clock.advance(100);
  expect(ended.signal.aborted).toBe(false);

  const stopped = evaluation();
  const running = limitMetric('tone', stopped.signal, 100, clock);
  stopped.abort('enough');
  expect(running.signal.reason).toBe('enough');
  expect(limitMetric('tone', stopped.signal, 100, clock).signal.aborted).toBe(true);
});

test('without a limit the evaluation alone decides', () => {
  const { signal } = evaluation();
  expect(limitMetric('tone', signal, undefined).signal).toBe(signal);
});
