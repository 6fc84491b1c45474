/**
 * Where a value stands in its file: a chain of steps up to the top, shared by everything below. Kept beside the values, keyed by the objects themselves,
 * so that they stay plain data.
 */
export interface Origin {
  readonly up: Origin | undefined;
  readonly step: string | number;
  /** Not a step of the file: the name of an alternative, shown only where google-adk's own places are compared. */
  readonly alternative?: boolean;
}

/** What a read object has beside its fields and its place. */
export interface Kept {
  /** Unknown keys that are kept, in the file's spelling and order. */
  readonly extras?: Readonly<Record<string, unknown>>;
  /** `$schema`: written back before the first field. */
  readonly header?: Readonly<Record<string, unknown>>;
}

const origins = new WeakMap<object, Origin>();
const kept = new WeakMap<object, Kept>();

/** Notes where a freshly read object stands; the top of a file has no origin. */
export function noteOrigin(value: object, origin: Origin | undefined): void {
  if (origin !== undefined) origins.set(value, origin);
}

/** Where an object stands; undefined for the top of a file and for objects that were not read. */
export function originOf(value: object): Origin | undefined {
  return origins.get(value);
}

/** Notes what a freshly read object has beside its fields. */
export function noteKept(value: object, keys: Kept): void {
  kept.set(value, keys);
}

/** What an object has beside its fields. */
export function keptOf(value: object): Kept | undefined {
  return kept.get(value);
}

/** Gives a changed copy of a read object the place and the kept keys of the original. Returns the copy. */
function copySide<T extends object>(copy: T, original: object): T {
  noteOrigin(copy, origins.get(original));
  const keys = kept.get(original);
  if (keys !== undefined) kept.set(copy, keys);
  return copy;
}

/** The object together with its kept keys, which mean something to the metric or simulator that it configures. */
export function withKeptKeys<T extends object>(value: T): T {
  const extras = keptOf(value)?.extras;
  return extras === undefined ? value : copySide({ ...value, ...extras }, value);
}

/** The steps from the top, as a pointer into the file. */
export function pathOf(origin: Origin | undefined): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = origin; at !== undefined; at = at.up) if (at.alternative !== true) path.push(at.step);
  return path.reverse();
}

/** The steps from the top as google-adk names them, alternatives included, all as text. */
export function referencePathOf(origin: Origin | undefined): string[] {
  const path: string[] = [];
  for (let at = origin; at !== undefined; at = at.up) path.push(String(at.step));
  return path.reverse();
}
