import { toolPairsOf } from '../../src/metrics/tool-calls';
import { roundToThree } from '../../src/metrics/efficiency';
import type { MetricDetails } from '../../src/metrics/types';
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

interface ExpectedEfficiency extends Expected {
  readonly overall_details?: unknown;
  readonly details?: readonly unknown[];
}

function detailsJson(details: MetricDetails | undefined): unknown {
  const kind = details?.tokenUsageDetails ?? details?.durationDetails;
  if (kind === undefined) return null;
  return Object.fromEntries(Object.entries(kind).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]));
}

describe('efficiency metrics agree with the reference', () => {
  test.each(golden<GoldenMetricInput, ExpectedEfficiency>('efficiency').map((item) => [item.name, item] as const))('%s', async (_name, { input, expected }) => {
    const { score, raises } = await runGolden(input);
    if (expected.raises !== undefined) {
      expect(raises).toBeDefined();
      return;
    }
    expect({
      overall_score: score?.score,
      overall_status: adkStatus(score?.status ?? 'raised'),
      per_invocation: score?.perInvocation.map((turn) => ({ score: turn.score, status: adkStatus(turn.status) })),
      overall_details: detailsJson(score?.details),
      details: score?.perInvocation.map((turn) => detailsJson(turn.details)),
    }).toEqual(expected);
  });
});

test.each([
  [0.0625, 0.062],
  [0.1875, 0.188],
  [2.0625, 2.062],
  [0.0005, 0.001],
  [0.0015, 0.002],
  [0.0025, 0.003],
  [1.0005, 1],
  [0.1005, 0.101],
])('rounds %d to %d, as Python does', (value, rounded) => {
  expect(roundToThree(value)).toBe(rounded);
});

describe('tool calls are paired with their responses as in the reference', () => {
  test.each(golden<{ intermediate_data: unknown }, { pairs: unknown }>('tool_pairs').map((item) => [item.name, item] as const))('%s', (_name, { input, expected }) => {
    const pairs = toolPairsOf(invocationOf({ user_content: {}, ...(input as object) })).map(({ call, response }) => [call.name, response?.response ?? null]);
    expect(pairs).toEqual(expected.pairs);
  });
});
