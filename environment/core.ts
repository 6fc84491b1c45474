import { AsyncResource } from 'node:async_hooks';
import type * as Core from '../src/index';

let loaded: typeof Core | undefined;

/** Made when the environment is loaded, before any test. */
const outsideTests = new AsyncResource('jest-adk');

/**
 * The core, loaded once per worker, outside the sandboxes, when the first evaluation asks for it.
 *
 * It is loaded outside the asynchronous context of the test that asks, and with it the ES modules that every evaluation needs: Node keeps
 * promises of loading those, and in Jest 30 they would keep the running test and its whole file alive.
 */
export function core(): typeof Core {
  return (loaded ??= outsideTests.runInAsyncScope(() => {
    require('p-queue');
    return require('../src/index') as typeof Core;
  }));
}
