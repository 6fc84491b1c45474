import { exactMean } from '../../src/support/exact-mean';

// Figures of Python 3.11 `statistics.mean`.
test.each([
  [[], null],
  [[0.7, 0.7, 0.7], 0.7],
  [[0.1, 0.2, 0.3], 0.2],
  [Array(10).fill(0.1), 0.1],
  [[0, 1], 0.5],
  [[1, 0, 0], 0.3333333333333333],
  [[1, 1, 0.9999], 0.9999666666666667],
  [[0.9, 0.8], 0.8500000000000001],
  [[-0.1, -0.2], -0.15000000000000002],
  [[1e300, 1e-300], 5e299],
  [[1e308, 1e308], 1e308],
  [[5e-324, 5e-324], 5e-324],
  [[1e16, 1, -1e16], 0.3333333333333333],
  [[-0, 0], 0],
  [[12], 12],
])('mean of %j is %p', (values, mean) => {
  expect(exactMean(values)).toBe(mean);
});

test('an infinite value makes the mean infinite', () => {
  expect(exactMean([Infinity, 1])).toBe(Infinity);
});
