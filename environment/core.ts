import type * as Core from '../src/index';

let loaded: typeof Core | undefined;

/** The core, loaded once per worker, outside the sandboxes, when the first evaluation asks for it. */
export function core(): typeof Core {
  return (loaded ??= require('../src/index') as typeof Core);
}
