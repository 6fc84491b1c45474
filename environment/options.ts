import { JestAdkError, type Problem } from '../src/support/errors';
import type { EvaluateOptions } from '../src/evaluation/types';

/** What stands under `testEnvironmentOptions.adk`: defaults for every evaluation of the project, and how the SDK is loaded. */
export interface EnvironmentOptions {
  /** Loads `@google/adk`, `@google/genai` and `zod` once per worker. On unless set to false. */
  readonly share?: boolean;
  readonly numRuns?: EvaluateOptions['numRuns'];
  readonly passPolicy?: EvaluateOptions['passPolicy'];
  readonly compatibility?: EvaluateOptions['compatibility'];
  readonly concurrency?: EvaluateOptions['concurrency'];
  readonly turnTimeoutMs?: EvaluateOptions['turnTimeoutMs'];
  readonly caseTimeoutMs?: EvaluateOptions['caseTimeoutMs'];
  readonly appName?: EvaluateOptions['appName'];
  readonly userId?: EvaluateOptions['userId'];
  readonly resultsDir?: EvaluateOptions['resultsDir'];
  readonly configFilePath?: EvaluateOptions['configFilePath'];
  readonly promptTemplateEngine?: EvaluateOptions['promptTemplateEngine'];
  readonly modulePaths?: EvaluateOptions['modulePaths'];
}

const known: Readonly<Record<keyof EnvironmentOptions, true>> = {
  share: true, numRuns: true, passPolicy: true, compatibility: true, concurrency: true, turnTimeoutMs: true, caseTimeoutMs: true,
  appName: true, userId: true, resultsDir: true, configFilePath: true, promptTemplateEngine: true, modulePaths: true,
};

/**
 * Reads `testEnvironmentOptions.adk`. Values of evaluation options are checked by the core when they are used.
 *
 * @throws {JestAdkError} `unknown_option` with every unknown name
 */
export function readEnvironmentOptions(testEnvironmentOptions: Readonly<Record<string, unknown>> | undefined): EnvironmentOptions {
  const raw = testEnvironmentOptions?.['adk'];
  if (raw === undefined) return {};
  const where = 'testEnvironmentOptions.adk';
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new JestAdkError('invalid_option', [{ code: 'invalid_option', message: `${where} must be an object, got ${JSON.stringify(raw)}.` }]);
  }
  const problems: Problem[] = Object.keys(raw).filter((name) => !(name in known)).map((name) => unknownOption(where, name));
  const { share } = raw as EnvironmentOptions;
  if (share !== undefined && typeof share !== 'boolean') {
    problems.push({ code: 'invalid_option', message: `${where}.share must be true or false, got ${JSON.stringify(share)}.` });
  }
  if (problems.length > 0) throw new JestAdkError(problems[0]?.code ?? 'invalid_option', problems);
  return raw;
}

function unknownOption(where: string, name: string): Problem {
  // Loaded here: a file whose options are right has nothing to suggest.
  const { didYouMean } = require('../src/support/nearest') as typeof import('../src/support/nearest');
  const hint = didYouMean(name, Object.keys(known)) ?? `Known are: ${Object.keys(known).join(', ')}.`;
  return { code: 'unknown_option', message: `${where} has no option ${JSON.stringify(name)}.`, hint };
}

/** The options that concern evaluations, for merging under those of a call. */
export function evaluationDefaults({ share: _share, ...rest }: EnvironmentOptions): EvaluateOptions {
  // Absent keys are absent: the configuration went through JSON.
  return rest as EvaluateOptions;
}
