import { toolPairsOf } from '../../src/metrics/tool-calls';
import { adkStatus, golden, invocationOf, runGolden, type GoldenMetricInput } from './support';

interface Expected {
  readonly raises?: string;
  readonly overall_score?: number | null;
  readonly overall_status?: string;
  readonly per_invocation?: readonly { readonly score: number | null; readonly status: string }[];
}

describe.each(['trajectory', 'response_match'])('%s agrees with the reference under google-adk', (subject) => {
  test.each(golden<GoldenMetricInput, Expected>(subject).map((item) => [item.name, item] as const))('%s', async (_name, { input, expected }) => {
    const { score, raises } = await runGolden(input);
    if (expected.raises !== undefined) {
      expect(raises).toBeDefined();
      return;
    }
    expect({
      overall_score: score?.score,
      overall_status: adkStatus(score?.status ?? 'raised'),
      per_invocation: score?.perInvocation.map((turn) => ({ score: turn.score, status: adkStatus(turn.status) })),
    }).toEqual(expected);
  });
});

describe('tool calls are paired with their responses as in the reference', () => {
  test.each(golden<{ intermediate_data: unknown }, { pairs: unknown }>('tool_pairs').map((item) => [item.name, item] as const))('%s', (_name, { input, expected }) => {
    const pairs = toolPairsOf(invocationOf(input)).map(({ call, response }) => [call.name, response?.response ?? null]);
    expect(pairs).toEqual(expected.pairs);
  });
});
