import { efficiencyMetric, eventsOf, meanAvailable } from './efficiency';

/** `inference_call_count_v1`: model calls of a turn, counted by the events that report usage or a model; their mean over the turns that can tell. */
export const inferenceCallCount = efficiencyMetric({
  name: 'inference_call_count_v1',
  description: 'Number of model calls per turn.',
  turn(turn) {
    const calls = eventsOf(turn)?.filter((event) => event.usageMetadata !== undefined || event.modelVersion !== undefined);
    return { score: calls?.length ?? null };
  },
  total: (turns) => ({ score: meanAvailable(turns.map((turn) => turn.score)) }),
});
