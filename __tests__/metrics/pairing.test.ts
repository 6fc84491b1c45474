import fc from 'fast-check';
import { bestPairing, maximumMatching } from '../../src/metrics/pairing';

const size = fc.integer({ min: 0, max: 5 });
const table = <T>(cell: fc.Arbitrary<T>): fc.Arbitrary<{ rows: number; columns: number; cells: T[][] }> =>
  fc.tuple(size, size).chain(([rows, columns]) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }).map((cells) => ({ rows, columns, cells })),
  );

/** The most that any pairing adds up to, by trying all. */
function most(weights: readonly (readonly number[])[], columns: number, row = 0, used = new Set<number>()): number {
  if (row === weights.length) return 0;
  let best = most(weights, columns, row + 1, used);
  for (let column = 0; column < columns; column += 1) {
    if (used.has(column)) continue;
    best = Math.max(best, (weights[row]?.[column] ?? 0) + most(weights, columns, row + 1, new Set([...used, column])));
  }
  return best;
}

const keys = (count: number): number[] => Array.from({ length: count }, (_item, index) => index);

test('a matching is as large as any, and uses each column once', () => {
  fc.assert(
    fc.property(table(fc.boolean()), ({ rows, columns, cells }) => {
      const partner = maximumMatching(keys(rows), keys(columns), (row, column) => cells[row]?.[column] ?? false);
      const made = partner.flatMap((column, row) => (column === undefined ? [] : [[row, column] as const]));
      expect(new Set(made.map(([, column]) => column)).size).toBe(made.length);
      expect(made.every(([row, column]) => cells[row]?.[column])).toBe(true);
      expect(made.length).toBe(most(cells.map((line) => line.map(Number)), columns));
    }),
  );
});

test('a pairing weighs as much as any', () => {
  fc.assert(
    fc.property(table(fc.constantFrom(0, 0.1, 0.25, 0.5, 1)), ({ rows, columns, cells }) => {
      const partner = bestPairing(keys(rows), keys(columns), (row, column) => cells[row]?.[column] ?? 0);
      const sum = partner.reduce<number>((total, column, row) => total + (column === undefined ? 0 : (cells[row]?.[column] ?? 0)), 0);
      expect(sum).toBeCloseTo(most(cells, columns), 9);
    }),
  );
});

test('equal weights keep the order', () => {
  expect(bestPairing(keys(3), keys(3), () => 1)).toEqual([0, 1, 2]);
  expect(bestPairing(keys(2), keys(3), () => 0.5)).toEqual([0, 1]);
});
