/**
 * Jest's own runner (jest-circus of the Jest that is running) with jest-adk around it: attaches to environments that are not ours,
 * and puts what was evaluated into the result of the file.
 */
import { attach, passOn, sessionOf, type AnyEnvironment } from './attach';
import type { CircusEvent, CircusState } from './circus';
import { resolveFromJest } from './jest-packages';
import { currentRunId } from './run-folder';
import type { EvaluationRecord, FileSession, JestConfig } from './session';

/** What stands in `result.adk` of a test file that evaluated. The evaluations themselves are in the run's events files. */
interface FileRecord {
  readonly runId: string;
  readonly evaluations: readonly EvaluationRecord[];
}

type GlobalConfig = JestConfig['globalConfig'];
type ProjectConfig = JestConfig['projectConfig'];
type Runner = (globalConfig: GlobalConfig, config: ProjectConfig, environment: AnyEnvironment, runtime: unknown, testPath: string, ...rest: unknown[]) => Promise<object>;

/** The `testRunner` of the preset. */
const run: Runner = async (globalConfig, config, environment, runtime, testPath, ...rest) => {
  if (/\.(json|toml)$/.test(testPath)) {
    throw new Error(`${testPath} is an eval set, not a test. Jest takes it for one because of testMatch or testRegex: end their patterns in ".test.js" or ".test.ts".`);
  }
  const session = sessionOf(environment) ?? join(environment, { globalConfig, projectConfig: config }, testPath);
  // 29: the module is the function; 30: it is its default export.
  const module = require(resolveFromJest('jest-circus/runner', config.rootDir)) as Runner | { default: Runner };
  const circus = typeof module === 'function' ? module : module.default;
  let result: object;
  try {
    result = await circus(globalConfig, config, environment, runtime, testPath, ...rest);
  } finally {
    // Also for a file that could not be loaded: what it changed in the process must not reach the next one.
    await session.end();
  }
  if (session.records.length === 0) return result;
  const adk: FileRecord = { runId: currentRunId(), evaluations: session.records };
  return Object.assign(result, { adk });
};
export = run;

/** Makes an environment that is not ours pass its events on. */
function join(environment: AnyEnvironment, config: JestConfig, testPath: string): FileSession {
  const session = attach(environment, config, testPath);
  const own = environment.handleTestEvent?.bind(environment) as ((event: unknown, state: unknown) => void | Promise<void>) | undefined;
  environment.handleTestEvent = (event: unknown, state: unknown) => {
    const before = own?.(event, state);
    const ours = (): void | Promise<void> => passOn(session, event as CircusEvent, state as CircusState);
    return before instanceof Promise ? before.then(ours) : ours();
  };
  return session;
}
