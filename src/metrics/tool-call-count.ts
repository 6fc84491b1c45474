import { efficiencyMetric, meanAvailable } from './efficiency';
import { toolCallsOf } from './tool-calls';

/** `tool_call_count_v1`: tool calls of a turn; their mean over all turns. */
export const toolCallCount = efficiencyMetric({
  name: 'tool_call_count_v1',
  description: 'Number of tool calls per turn.',
  turn: (turn, { profile }) => ({ score: toolCallsOf(turn, profile).length }),
  total: (turns) => ({ score: meanAvailable(turns.map((turn) => turn.score)) }),
});
