import { dirname } from 'node:path';
import type { EvaluateOptions, Host } from '../src/evaluation/types';
import type { EvaluationEvent } from '../src/results/model';
import type { EventWriter } from '../src/results/event-file';
import { watchEnvironment } from '../src/support/secrets';
import { agentEvaluatorFor } from './agent-evaluator';
import type { Bridge, Sandbox, Watched } from './bridge';
import { fullName, type CircusEvent, type CircusState, type CircusTest } from './circus';
import { core } from './core';
import { DescribedSets } from './describe-eval-set';
import { effectiveOptions, evaluate } from './evaluate';
import { createSandboxLoader } from './loader';
import type { FileWorld } from './file-world';
import { noteCases, onlyLeftOut } from './left-out';
import { onlyFromEnvironment } from './only';
import { evaluationDefaults, readEnvironmentOptions } from './options';
import { remindOfReporter } from './reporter-reminder';
import { RealmErrors } from './realm-errors';
import { eventsFile, openRunFolder, runFolderPath, runResultsDir } from './run-folder';
import { SharedSdk } from './sdk/shared';
import { isDebugging, TimeLimits } from './time-limits';
import { WatchedCalls } from './watched-calls';

/** The parts of Jest's configuration that are read. */
export interface JestConfig {
  readonly globalConfig: { readonly silent?: boolean | undefined; readonly testTimeout?: number | undefined; readonly reporters?: readonly (string | readonly [string, ...unknown[]])[] | undefined };
  readonly projectConfig: {
    readonly rootDir: string;
    readonly extensionsToTreatAsEsm?: readonly string[];
    readonly testEnvironmentOptions?: Readonly<Record<string, unknown>>;
    readonly testTimeout?: number | undefined;
  };
}

/** The sandbox's global object, as far as it is touched. */
export type SandboxGlobal = typeof globalThis & { AgentEvaluator?: unknown };

const fileLimit = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** What an evaluation of a test file leaves in Jest's own result of the file. */
export interface EvaluationRecord {
  readonly evaluation: string;
  readonly testName?: string;
  outcome?: string;
}

/** One test file: everything of jest-adk that lives as long as its sandbox. */
export class FileSession implements Bridge, FileWorld {
  /** Options of the project, under those of a call. */
  readonly defaults: EvaluateOptions;
  readonly rootDir: string;
  readonly records: EvaluationRecord[] = [];
  readonly agentEvaluator;
  readonly #errors: RealmErrors;
  readonly #calls: WatchedCalls;
  readonly #limits: TimeLimits;
  readonly #described: DescribedSets;
  readonly #sdk: SharedSdk;
  readonly #debugging = isDebugging();
  #sandbox: Sandbox | undefined;
  #writer: EventWriter | undefined;
  /** A `beforeAll` or `afterAll` hook is running: Jest's current test name is then that of another test. */
  #outsideTests = true;
  #ended = false;
  #unwatchSecrets: (() => void) | undefined;

  constructor(private readonly global: SandboxGlobal, private readonly config: JestConfig, private readonly testPath: string) {
    const { globalConfig, projectConfig } = config;
    const options = readEnvironmentOptions(projectConfig.testEnvironmentOptions);
    this.defaults = evaluationDefaults(options);
    this.rootDir = projectConfig.rootDir;
    this.#errors = new RealmErrors(global);
    this.#calls = new WatchedCalls(this.#errors.make);
    this.#limits = new TimeLimits(this.#calls, (globalConfig.testTimeout ?? projectConfig.testTimeout) !== undefined, this.#debugging);
    this.#described = new DescribedSets(this);
    this.#sdk = new SharedSdk(global, projectConfig.rootDir, testPath, options.share !== false);
    this.agentEvaluator = agentEvaluatorFor(this);
  }

  core = core;

  attachSandbox(sandbox: Sandbox): void {
    this.#sandbox = sandbox;
    this.#guardExit();
  }

  /** An agent that ends the process would take the run with it, and with code 0 turn it green: while one is evaluated, this is its error. */
  #guardExit(): void {
    const { process } = this.global;
    const exit = process.exit;
    process.exit = (code) => {
      if (this.#calls.running > 0) throw this.#errors.make(`process.exit(${code ?? ''}) was called during an evaluation.`);
      return exit.call(process, code);
    };
  }

  /** What the sandbox handed over. */
  get sandbox(): Sandbox {
    if (this.#sandbox !== undefined) return this.#sandbox;
    throw this.#errors.make("jest-adk is not registered in this test file. Add 'jest-adk/register' to setupFilesAfterEnv in Jest's config, or use `preset: 'jest-adk'`.");
  }

  watch<T>(call: Watched, work: (signal: AbortSignal) => Promise<T>, viaExpect = true): Promise<T> {
    const translated = async (signal: AbortSignal): Promise<T> => {
      try {
        return await work(signal);
      } catch (error) {
        throw this.#errors.translate(error);
      }
    };
    return this.#calls.start(call.what, this.testName(), translated, viaExpect);
  }

  /** Runs something of the core; what it throws is an error of the sandbox. */
  translating<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#errors.translate(error);
    }
  }

  evaluate: Bridge['evaluate'] = (target, evalSets, options, signal) => evaluate(this, target, evalSets, options, signal);

  ask: Bridge['ask'] = (target, start, options, signal) => core().runSingleTurn(target, start, effectiveOptions(this, options, signal), this.host());

  describeEvalSet: Bridge['describeEvalSet'] = (target, paths, options) => this.translating(() => this.#described.describe(target, paths, options ?? {}));

  api(): Record<string, unknown> {
    const outer: Record<string, unknown> = { ...core() };
    for (const [name, value] of Object.entries(outer)) {
      if (typeof value === 'function' && value.prototype instanceof Error) outer[name] = this.#errors.classFor(value as never);
    }
    return { ...outer, AgentEvaluator: this.agentEvaluator, describeEvalSet: this.describeEvalSet };
  }

  shared: Bridge['shared'] = (specifier, from) => this.translating(() => this.#sdk.shared(specifier, from));

  /** Full name of the test that is calling; undefined outside tests. */
  testName(): string | undefined {
    const state = this.#sandbox?.expect.getState();
    return state?.currentConcurrentTestName?.() ?? (this.#outsideTests ? undefined : state?.currentTestName);
  }

  /** The world of this test file, for one evaluation. */
  host(testName = this.testName()): Host {
    // Keys that a setup file put into the sandbox's environment are secrets as well.
    this.#unwatchSecrets ??= watchEnvironment(() => this.global.process.env);
    const only = onlyFromEnvironment();
    const { extensionsToTreatAsEsm: esmExtensions = [] } = this.config.projectConfig;
    const loader = createSandboxLoader({ sandbox: () => this.sandbox, rootDir: this.rootDir, esmExtensions });
    return {
      rootDir: this.rootDir,
      callerDir: dirname(this.testPath),
      loader,
      resultsDir: runResultsDir(runFolderPath()),
      listeners: [(event) => this.#onEvent(event, testName)],
      testFile: this.testPath,
      ...(testName !== undefined && { testName }),
      ...(only !== undefined && { onlyCases: { ids: only, by: 'JEST_ADK_ONLY', among: this.#noteCases } }),
      ...(this.#debugging && { unlimited: true }),
      // A shared copy is found among the modules of the process.
      ...(!this.#sdk.isShared && { adk: () => loader.loadPackage('@google/adk', this.rootDir) }),
    };
  }

  #noteCases = (evalIds: readonly string[]): void => {
    const folder = openRunFolder();
    remindOfReporter(this.config.globalConfig.reporters, folder);
    noteCases(folder, evalIds);
  };

  #onEvent(event: EvaluationEvent, testName: string | undefined): void {
    if (event.type === 'run_started') {
      remindOfReporter(this.config.globalConfig.reporters, openRunFolder());
      this.records.push({ evaluation: event.evaluation, ...(testName !== undefined && { testName }) });
      if (event.plannedJudgeCalls !== undefined && this.config.globalConfig.silent !== true) tellPlan(event.plannedJudgeCalls, testName ?? this.testPath);
    }
    if (event.type === 'run_ended') {
      const record = this.records.find(({ evaluation }) => evaluation === event.evaluation);
      if (record !== undefined) record.outcome = event.outcome;
    }
    if (this.#writer === undefined) {
      const { openEventWriter } = require('../src/results/event-file') as typeof import('../src/results/event-file');
      this.#writer = openEventWriter(eventsFile(openRunFolder()));
    }
    this.#writer.write(event);
  }

  /** Jest's events. Returns a promise only where Jest waits for one. */
  handle(event: CircusEvent, state: CircusState): Promise<void> | undefined {
    const { test, hook } = event;
    switch (event.name) {
      case 'add_test':
        this.#described.place(state);
        return undefined;
      case 'run_start':
        return this.#described.start(state);
      case 'hook_start':
        if (hook === undefined) return undefined;
        this.#outsideTests = hook.type.endsWith('All');
        this.#limits.prepare(hook, state, fileLimit in this.global);
        return undefined;
      case 'test_start':
        this.#outsideTests = false;
        return undefined;
      case 'test_fn_start':
        if (test !== undefined) this.#limits.prepare(test, state, fileLimit in this.global);
        return undefined;
      case 'test_fn_failure':
        if (test !== undefined) this.#explain(test, event.error);
        return this.#collect(test, false, this.#limits.explain(event.error) === undefined ? 'the test failed before this call ended' : 'the test ran into its time limit');
      case 'hook_failure':
        return this.#afterFailedHook(event, state);
      case 'test_fn_success':
        return this.#collect(test, true);
      case 'test_done':
        if (test !== undefined && onlyLeftOut(test.errors)) skipped(test);
        return this.#collect(test, true);
      case 'run_finish':
        return this.#finish(state);
      default:
        return undefined;
    }
  }

  async #collect(test: CircusTest | undefined, complain: boolean, why?: string): Promise<void> {
    if (test === undefined) return;
    const forgotten = await this.#calls.collect(fullName(test), why);
    if (complain) test.errors.push(...forgotten);
  }

  async #afterFailedHook({ test, error }: CircusEvent, state: CircusState): Promise<void> {
    const hint = this.#limits.explain(error);
    if (hint !== undefined && test !== undefined) this.#explain(test, error);
    // Jest has put the error of a hook for all tests at each of them.
    else if (hint !== undefined) state.unhandledErrors.push(this.#errors.make(hint));
    await this.#calls.collect(test === undefined ? undefined : fullName(test), hint === undefined ? 'a hook failed before this call ended' : 'a hook ran into its time limit');
  }

  #explain(test: CircusTest, error: unknown): void {
    const hint = this.#limits.explain(error);
    if (hint === undefined) return;
    // Jest keeps `[error, place of the test]`; its own text for a limit is a string.
    const last = test.errors.at(-1);
    if (Array.isArray(last) && typeof last[0] === 'string') last[0] = `${last[0]}\n\n${hint}`;
    else if (Array.isArray(last)) (last[0] as { message: string }).message += `\n\n${hint}`;
    else test.errors.push(this.#errors.make(hint));
  }

  async #finish(state: CircusState): Promise<void> {
    for (const error of [...(await this.#described.finish()), ...(await this.#calls.collectAll())]) state.unhandledErrors.push(error);
  }

  /** After the last test: nothing of this file is left running, and what it changed in the shared SDK is undone. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#calls.collectAll();
    this.#writer?.close();
    this.#unwatchSecrets?.();
    this.#sdk.restore();
  }
}

/** A test without any of the cases that JEST_ADK_ONLY wants: Jest shows it as skipped, as those of `describeEvalSet` are. */
function skipped(test: CircusTest): void {
  test.errors = [];
  test.status = 'skip';
}

/** What an evaluation may cost is told before it does. */
function tellPlan(judgeCalls: number, who: string): void {
  process.stderr.write(`jest-adk: "${who}" asks judges at most ${judgeCalls} time${judgeCalls === 1 ? '' : 's'} (retries and second questions beside).\n`);
}
