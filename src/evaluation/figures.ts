/** A score as printed: two decimals, whole numbers from 10 on without any. */
export function figure(value: number | null, digits = 2): string {
  if (value === null) return 'none';
  return Number.isInteger(value) && Math.abs(value) >= 10 ? String(value) : value.toFixed(digits);
}

/** A score and the threshold it missed, with as many digits as it takes to tell them apart: `0.50, needs 1.00`, `120, needs at most 100`. */
export function missed(score: number | null, threshold: number | null, direction: 'max' | 'min'): string {
  let digits = 2;
  while (digits < 15 && score !== threshold && figure(score, digits) === figure(threshold, digits)) digits += 1;
  return `${figure(score, digits)}, needs ${direction === 'min' ? 'at most ' : ''}${figure(threshold, digits)}`;
}
