/**
 * Largest set of pairs of rows and columns in which each stands once. Rows choose in order and take the lowest column that is free,
 * so the answer is the same every time.
 *
 * @param rows  what is to be paired
 * @param columns  what it is paired with
 * @param fits  whether a row and a column may be paired
 * @returns the column of each row, undefined for a row that is left over
 */
export function maximumMatching<R, C>(rows: readonly R[], columns: readonly C[], fits: (row: R, column: C) => boolean): (number | undefined)[] {
  const rowOf = new Array<number | undefined>(columns.length).fill(undefined);
  const place = (row: number, tried: Set<number>): boolean => {
    for (const column of columns.keys()) {
      if (tried.has(column) || !fits(rows[row] as R, columns[column] as C)) continue;
      tried.add(column);
      const holder = rowOf[column];
      if (holder === undefined || place(holder, tried)) {
        rowOf[column] = row;
        return true;
      }
    }
    return false;
  };
  for (const row of rows.keys()) place(row, new Set());
  const columnOf = new Array<number | undefined>(rows.length).fill(undefined);
  rowOf.forEach((row, column) => {
    if (row !== undefined) columnOf[row] = column;
  });
  return columnOf;
}

/**
 * Pairs of rows and columns whose weights add up to the most (Hungarian method). Among equal sums, pairs that keep the order win.
 *
 * @param rows  what is to be paired
 * @param columns  what it is paired with
 * @param weight  0 for a pair that must not be made, otherwise in (0, 1]
 * @returns the column of each row, undefined for a row that is left over
 */
export function bestPairing<R, C>(rows: readonly R[], columns: readonly C[], weight: (row: R, column: C) => number): (number | undefined)[] {
  const columnOf = new Array<number | undefined>(rows.length).fill(undefined);
  if (rows.length === 0 || columns.length === 0) return columnOf;
  // Loaded here: only the opt-in scores and the explanations of failures need it.
  const munkres = require('munkres-js') as (costs: number[][]) => [number, number][];
  const weights = rows.map((row) => columns.map((column) => weight(row, column)));
  // Whole numbers, because the method looks for exact zeros; the distance from the diagonal only breaks ties.
  const unit = Math.max(rows.length, columns.length) ** 2 + 1;
  const costs = weights.map((line, row) => line.map((value, column) => Math.round((1 - value) * 1e6) * unit + Math.abs(row - column)));
  for (const [row, column] of munkres(costs)) {
    if ((weights[row]?.[column] ?? 0) > 0) columnOf[row] = column;
  }
  return columnOf;
}
