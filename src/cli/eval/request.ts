/** What the settings of a call come to: a request to the core, and the world it runs in. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EvaluateOptions, EvaluateRequest, Host } from '../../evaluation/types';
import { withKeptKeys } from '../../schema/origin';
import type { JudgeSource } from '../../judge/types';
import { JestAdkError, type Problem } from '../../support/errors';
import { sendSdkLogsToStderr } from '../../target/adk-copy';
import { adkServerTarget } from '../../target/adk-server';
import { looksLikeUrl } from '../../target/http/base-url';
import { createNodeLoader } from '../../target/module-loader';
import { applyEnvFile } from '../env-file';
import { readHeaders } from '../headers';
import { modelOfFlags } from '../model-flags';
import type { CliIo } from '../types';
import type { Shard } from './kinds';
import { modulePaths, type Settings } from './settings';

/** A call as the core sees it. */
export interface Call {
  readonly request: EvaluateRequest;
  readonly host: Host;
  /** As it was given, for what is printed. */
  readonly resultsDir: string;
  readonly remote: boolean;
}

/**
 * Turns settings into a request. Environment variables of `--env-file` are set where they were not.
 *
 * @throws {JestAdkError} `usage` with everything that is wrong
 */
export function toCall(settings: Settings, io: CliIo, listeners: Host['listeners'], signal: AbortSignal): Call {
  sendSdkLogsToStderr();
  const problems: Problem[] = [...settings.problems];
  const collect = <T>(step: () => T): T | undefined => {
    try {
      return step();
    } catch (thrown) {
      if (!(thrown instanceof JestAdkError)) throw thrown;
      problems.push(...thrown.problems);
      return undefined;
    }
  };
  const envFile = settings.get<string>('envFile');
  if (envFile !== undefined) collect(() => applyEnvFile(envFile, io));
  const userId = settings.get<string>('userId') ?? '';
  if (userId.includes('/')) problems.push({ code: 'usage', message: `${settings.sourced.get('userId')?.source ?? ''} ${JSON.stringify(userId)} contains "/", which cannot be part of a path.` });
  const folders = modulePaths(settings, io.cwd, isFolder);
  const headers = readHeaders({ file: settings.get<string>('headerFile'), lines: settings.get<readonly string[]>('header') ?? [], source: settings.sourced.get('header')?.source }, io.cwd);
  problems.push(...folders.problems, ...headers.problems);
  const remote = looksLikeUrl(settings.target);
  const timeoutMs = (settings.get<number>('timeout') ?? 0) * 1000;
  const legal = settings.problems.length === 0;
  const target = remote && legal
    ? collect(() =>
        adkServerTarget(settings.target, {
          ...given('appName', settings.get<string>('appName')),
          headers: headers.headers,
          timeoutMs,
          retries: settings.get<number>('retries') ?? 0,
          stream: settings.get<boolean>('stream') === true,
          keepSessions: settings.get<boolean>('keepSessions') === true,
          env: io.env,
        }))
    : settings.target;
  if (!remote && legal) problems.push(...remoteOnly(settings));
  const options = optionsOf(settings, { judge: collect(() => judgeOf(settings)), userId, folders: folders.folders, timeoutMs, remote, signal });
  if (problems.length > 0) throw new JestAdkError('usage', problems);
  const resultsDir = settings.get<string>('resultsDir') ?? '.';
  const host: Host = { rootDir: io.cwd, callerDir: io.cwd, loader: createNodeLoader(), resultsDir: resolve(io.cwd, resultsDir), listeners, skipUnscored: true, stopsAtCases: settings.get<boolean>('failFast') === true };
  const selected = selection(settings);
  return { request: { target, evalSets: settings.paths, options, ...(selected === undefined ? {} : { selected }) }, host, resultsDir, remote };
}

/** The judge of all criteria, where one is given. */
function judgeOf(settings: Settings): JudgeSource | undefined {
  return modelOfFlags(
    { model: settings.get<JudgeSource>('judgeModel'), url: settings.get<string>('judgeUrl'), keyEnv: settings.get<string>('judgeKeyEnv') },
    { model: '--judge-model', url: '--judge-url', keyEnv: '--judge-key-env' },
  );
}

/** A request has its own time limit, which says more than that of the turn around it: the turn's comes after it. */
const graceMs = 5000;

function optionsOf(settings: Settings, more: { readonly userId: string; readonly folders: readonly string[]; readonly timeoutMs: number; readonly remote: boolean; readonly judge: JudgeSource | undefined; readonly signal: AbortSignal }): EvaluateOptions {
  const only = settings.get<readonly string[]>('only');
  return {
    numRuns: settings.get<number>('numRuns') ?? 1,
    passPolicy: settings.get<NonNullable<EvaluateOptions['passPolicy']>>('passPolicy') ?? 'all',
    concurrency: settings.get<number>('parallelism') ?? 1,
    turnTimeoutMs: more.timeoutMs + (more.remote ? graceMs : 0),
    userId: more.userId,
    modulePaths: more.folders,
    signal: more.signal,
    ...given('compatibility', settings.get<'google-adk'>('compat')),
    ...given('judge', more.judge),
    ...given('userModel', settings.get<JudgeSource>('userModel')),
    ...given('environmentModel', settings.get<JudgeSource>('environmentModel')),
    ...given('modelPrices', settings.get<NonNullable<EvaluateOptions['modelPrices']>>('modelPrices')),
    ...given('simulationSeed', settings.get<number>('simulationSeed')),
    ...given('judgeConcurrency', settings.get<number>('judgeConcurrency')),
    ...given('onNotEvaluated', settings.get<NonNullable<EvaluateOptions['onNotEvaluated']>>('onNotEvaluated')),
    ...given('maxJudgeCalls', settings.get<number>('maxJudgeCalls')),
    ...given('judgeCache', settings.get<boolean>('judgeCache')),
    ...given('appDetails', settings.get<string | object>('appDetails')),
    ...given('appName', settings.get<string>('appName')),
    ...given('configFilePath', settings.get<string>('configFilePath')),
    ...given('promptTemplateEngine', settings.get<'string' | 'jinja' | 'eta'>('promptTemplateEngine')),
    ...(only === undefined ? {} : { only }),
  };
}

function given<K extends string, T>(name: K, value: T | undefined): { readonly [name in K]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [name in K]?: T };
}

/** Settings that do nothing for an agent that runs here. */
function remoteOnly(settings: Settings): readonly Problem[] {
  const names = (['header', 'headerFile', 'retries', 'stream', 'keepSessions'] as const).filter((name) => {
    const { source } = settings.sourced.get(name) ?? { source: 'default' };
    return source.startsWith('--');
  });
  return names.map((name) => ({ code: 'usage', message: `${settings.sourced.get(name)?.source ?? name} belongs to the URL of a server; TARGET ${JSON.stringify(settings.target)} is a local module.` }));
}

/** Which cases run beside those that `--only` names: by tag, then by shard. Called once per case, in order. */
function selection(settings: Settings): EvaluateRequest['selected'] {
  const tags = settings.get<readonly string[]>('tag');
  const shard = settings.get<Shard>('shard');
  if (tags === undefined && shard === undefined) return undefined;
  let seen = 0;
  return (_evalSetId, _evalId, evalCase) => {
    if (tags !== undefined && !tagsOf(evalCase).some((tag) => tags.includes(tag))) return false;
    if (shard === undefined) return true;
    seen += 1;
    return seen % shard.count === shard.index % shard.count;
  };
}

/** The key is ours: google-adk keeps it in the file and does nothing with it. */
function tagsOf(evalCase: object): readonly string[] {
  const { tags } = withKeptKeys(evalCase) as { readonly tags?: unknown };
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
