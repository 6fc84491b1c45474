import { createHash } from 'node:crypto';
import type { TrialInfo } from '../inference/trial-options';

/** A seed of its own for every trial, the same in every run. */
export function seedOf(seed: number, { evalSetId, evalId, trial }: TrialInfo): number {
  return createHash('sha256').update(JSON.stringify([seed, evalSetId, evalId, trial])).digest().readUInt32BE() % 2 ** 31;
}
