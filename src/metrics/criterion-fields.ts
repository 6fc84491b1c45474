import type { Criterion } from '../config/types';
import type { Problem } from '../support/errors';
import { didYouMean } from '../support/nearest';
import type { Profile } from '../support/profile';
import { stringifyJson } from '../support/json';

/** Fields that every criterion may have. */
const common: readonly string[] = ['threshold', 'include_intermediate_responses_in_final'];

/** Lenient boolean of the formats: 0, 1, and the usual words in any case. Undefined for anything else. */
function lenientBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1 || value === 0n || value === 1n) return Boolean(value);
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|yes|on|t|y|1)$/i.test(value)) return true;
  return /^(?:false|no|off|f|n|0)$/i.test(value) ? false : undefined;
}

/** A field name in camelCase. */
export function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Short text of a value for a message. */
export function shown(value: unknown): string {
  const text = value === undefined || typeof value === 'function' ? String(value) : stringifyJson(value, 0);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/**
 * Reads a metric's own fields from a criterion, each spelled in snake_case or camelCase, and gathers every problem.
 * A field that is absent reads as undefined; so does one with a problem.
 */
export class CriterionFields {
  readonly problems: Problem[] = [];

  /** Reads `raw`; `known` names the metric's own fields in snake_case. */
  constructor(
    private readonly raw: Criterion,
    private readonly known: readonly string[],
    private readonly profile: Profile,
  ) {}

  /** The value as written: of two spellings the camelCase one, as in the reference. */
  value(name: string): { readonly value: unknown; readonly key: string } | undefined {
    const camel = camelName(name);
    if (camel in this.raw) return { value: this.raw[camel], key: camel };
    return name in this.raw ? { value: this.raw[name], key: name } : undefined;
  }

  problem(key: string, message: string, hint?: string): undefined {
    this.problems.push({ code: 'bad_criterion', message, path: [key], ...(hint === undefined ? {} : { hint }) });
    return undefined;
  }

  /** Reads a field through a function that gives undefined for a value it cannot use. */
  field<T>(name: string, read: (value: unknown) => T | undefined, wanted: string): T | undefined {
    const found = this.value(name);
    if (found === undefined) return undefined;
    const value = read(found.value);
    return value === undefined ? this.problem(found.key, `${found.key} is ${shown(found.value)}.`, `It takes ${wanted}.`) : value;
  }

  boolean(name: string): boolean | undefined {
    return this.field(name, lenientBoolean, 'true or false');
  }

  number(name: string): number | undefined {
    return this.field(name, (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined), 'a number');
  }

  text(name: string): string | undefined {
    return this.field(name, (value) => (typeof value === 'string' ? value : undefined), 'a text');
  }

  /** A text or a list of texts. */
  texts(name: string): readonly string[] | undefined {
    const read = (value: unknown): string[] | undefined => {
      const list: unknown[] = Array.isArray(value) ? value : [value];
      return list.every((item) => typeof item === 'string') ? list : undefined;
    };
    return this.field(name, read, 'a text or a list of texts');
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const read = (value: unknown): T | undefined => choices.find((choice) => typeof value === 'string' && choice === value.trim().toLowerCase().replace(/[- ]/g, '_'));
    return this.field(name, read, `one of ${choices.join(', ')}`);
  }

  /** A map from names to whole numbers of 0 or more. */
  counts(name: string): ReadonlyMap<string, number> | undefined {
    const read = (value: unknown): Map<string, number> | undefined => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      const entries = Object.entries(value as Record<string, unknown>);
      return entries.every(([, count]) => Number.isInteger(count) && (count as number) >= 0) ? new Map(entries as [string, number][]) : undefined;
    };
    return this.field(name, read, 'a map from tool names to whole numbers, such as { "search": 2 }');
  }

  /** Reports fields written twice and keys that look like a misspelt field. Other unknown keys are data, as in the reference. */
  reportKeys(): void {
    if (this.profile.criteriaCheckedLate) return;
    const names = [...common, ...this.known];
    const spellings = new Set(names.flatMap((name) => [name, camelName(name)]));
    for (const name of names) {
      const camel = camelName(name);
      if (camel !== name && camel in this.raw && name in this.raw) this.problem(name, `Both ${name} and ${camel} are given.`, 'Keep one.');
    }
    for (const key of Object.keys(this.raw)) {
      if (spellings.has(key)) continue;
      const hint = didYouMean(key, names);
      if (hint !== undefined) this.problem(key, `Unknown key ${JSON.stringify(key)}.`, hint);
    }
  }
}
