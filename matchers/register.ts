/** `jest-adk/register`: a `setupFilesAfterEnv` module that makes the matchers known to `expect`. Loads none of them. */
import { findBridge, type Sandbox } from '../environment/bridge';
import type * as Matchers from './index';

export type { AdkMatchers } from './types';

// Jest gives every module of a sandbox its own `@jest/globals`, also where none are injected; nothing needs to be installed.
const globals = require('@jest/globals') as Pick<Sandbox, 'test' | 'describe'> & { expect: Sandbox['expect'] & { extend(matchers: object): void } };

const names = ['toPassEvalSet', 'toHaveToolTrajectory', 'toHaveToolCall', 'toMatchResponse', 'toHaveMetricScore', 'toHaveSessionState', 'toRespondTo'] as const;

/** A matcher that is loaded when it is first called. */
function late(name: (typeof names)[number]): (this: unknown, ...args: unknown[]) => unknown {
  return function (this: unknown, ...args: unknown[]) {
    const matcher = (require('./index') as typeof Matchers)[name] as (...args: unknown[]) => unknown;
    return matcher.apply(this, args);
  };
}

findBridge()?.attachSandbox({
  require,
  import: (specifier) => import(specifier),
  expect: globals.expect,
  test: globals.test,
  describe: globals.describe,
});
globals.expect.extend(Object.fromEntries(names.map((name) => [name, late(name)])));
