/** Kinds of values that a setting may have, however it was written: on the command line, in a variable, in a config file. */

import { endpointProblem, isEndpoint } from '../../judge/endpoint';
import { isLlm } from '../../judge/source';

/** How values of a kind are read. */
export interface Kind {
  readonly type: 'string' | 'boolean' | 'list';
  /** What is legal, for messages. */
  readonly wanted: string;
  readonly choices?: readonly string[];
  /** The value, or undefined when it is not legal. */
  parse(value: unknown): unknown;
}

/** Any text; an empty one counts as none. */
export function text(): Kind {
  return { type: 'string', wanted: 'a text', parse: (value) => (typeof value === 'string' ? value : undefined) };
}

/** A model: its name, or, from a config file that is code, itself. */
export const model: Kind = {
  type: 'string',
  wanted: 'the name of a model; in a config file also { baseUrl, model }, a BaseLlm or a function',
  parse: (value) => ((typeof value === 'string' && value !== '') || typeof value === 'function' || isLlm(value) || (isEndpoint(value) && endpointProblem(value) === undefined) ? value : undefined),
};

/** An object, from a config file. */
export const object: Kind = { type: 'string', wanted: 'an object', parse: (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined) };

/** A file; in a config file also what it would hold. */
export const fileOrObject: Kind = { type: 'string', wanted: 'the path of a file; in a config file also an object', parse: (value) => ((typeof value === 'string' && value !== '') || object.parse(value) !== undefined ? value : undefined) };

/** A whole number of at least `least`. */
export function whole(least: number): Kind {
  return {
    type: 'string',
    wanted: `a whole number of at least ${least}`,
    parse: (value) => {
      const found = typeof value === 'string' && /^\+?\d+$/.test(value.trim()) ? Number(value) : value;
      return typeof found === 'number' && Number.isSafeInteger(found) && found >= least ? found : undefined;
    },
  };
}

/** A finite number. */
export function number(wanted: string, isLegal: (value: number) => boolean): Kind {
  return {
    type: 'string',
    wanted: `a number of ${wanted}`,
    parse: (value) => {
      const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof found === 'number' && Number.isFinite(found) && isLegal(found) ? found : undefined;
    },
  };
}

/** One of some words. */
export function choice(...choices: readonly string[]): Kind {
  return { type: 'string', wanted: choices.map((each) => `"${each}"`).join(', '), choices, parse: (value) => (typeof value === 'string' && choices.includes(value) ? value : undefined) };
}

/** Several of a kind; one by itself is a list of one. */
export function list(of: Kind): Kind {
  return {
    type: 'list',
    wanted: `${of.wanted}, or several`,
    parse: (value) => {
      const items = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((item) => of.parse(item));
      return items.includes(undefined) || items.includes('') ? undefined : items;
    },
  };
}

/** Which part of how many. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `I/N`, I from 1 to N. */
export const fraction: Kind = {
  type: 'string',
  wanted: 'I/N with whole numbers, I from 1 to N',
  parse: (value): Shard | undefined => {
    const found = typeof value === 'string' ? /^(\d{1,9})\/(\d{1,9})$/.exec(value.trim()) : null;
    if (found === null) return undefined;
    const [index, count] = [Number(found[1]), Number(found[2])];
    return index >= 1 && index <= count ? { index, count } : undefined;
  },
};

const policies = ['all', 'any', 'majority', 'mean'];

/** A pass policy. */
export const policy: Kind = {
  type: 'string',
  wanted: '"all", "any", "majority", "mean" or a pass rate above 0, at most 1',
  choices: policies,
  parse: (value) => {
    if (typeof value === 'string' && policies.includes(value)) return value;
    const rate = typeof value === 'object' && value !== null ? (value as { passRate?: unknown }).passRate : typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof rate === 'number' && rate > 0 && rate <= 1 ? { passRate: rate } : undefined;
  },
};
