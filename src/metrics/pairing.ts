/**
 * Largest set of pairs of rows and columns in which each stands once. Rows choose in order and take the lowest column that is free,
 * so the answer is the same every time.
 *
 * @param fits  whether a row and a column may be paired
 * @returns the column of each row, undefined for a row that is left over
 */
export function maximumMatching(rows: number, columns: number, fits: (row: number, column: number) => boolean): (number | undefined)[] {
  const rowOf: (number | undefined)[] = new Array<number | undefined>(columns).fill(undefined);
  const place = (row: number, tried: Set<number>): boolean => {
    for (let column = 0; column < columns; column += 1) {
      if (tried.has(column) || !fits(row, column)) continue;
      tried.add(column);
      const holder = rowOf[column];
      if (holder === undefined || place(holder, tried)) {
        rowOf[column] = row;
        return true;
      }
    }
    return false;
  };
  for (let row = 0; row < rows; row += 1) place(row, new Set());
  const columnOf = new Array<number | undefined>(rows).fill(undefined);
  rowOf.forEach((row, column) => {
    if (row !== undefined) columnOf[row] = column;
  });
  return columnOf;
}

/**
 * Pairs of rows and columns whose weights add up to the most (Hungarian method). Among equal sums, pairs that keep the order win.
 *
 * @param weight  0 for a pair that must not be made, otherwise in (0, 1]
 * @returns the column of each row, undefined for a row that is left over
 */
export function bestPairing(rows: number, columns: number, weight: (row: number, column: number) => number): (number | undefined)[] {
  if (rows === 0 || columns === 0) return new Array<number | undefined>(rows).fill(undefined);
  // Loaded here: only the opt-in scores and the explanations of failures need it.
  const munkres = require('munkres-js') as (costs: number[][]) => [number, number][];
  const weights = Array.from({ length: rows }, (_row, row) => Array.from({ length: columns }, (_column, column) => weight(row, column)));
  // Whole numbers, because the method looks for exact zeros; the distance from the diagonal only breaks ties.
  const unit = Math.max(rows, columns) ** 2 + 1;
  const costs = weights.map((line, row) => line.map((value, column) => Math.round((1 - value) * 1e6) * unit + Math.abs(row - column)));
  const columnOf = new Array<number | undefined>(rows).fill(undefined);
  for (const [row, column] of munkres(costs)) {
    if ((weights[row]?.[column] ?? 0) > 0) columnOf[row] = column;
  }
  return columnOf;
}
