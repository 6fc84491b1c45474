import type { Model } from './types';

/** Tells models apart, for limits and kept answers: their names, and where they are asked. */
export function identityOf({ name, address }: Pick<Model, 'name' | 'address'>): string {
  return address === undefined ? name : `${name} at ${address}`;
}
