/**
 * Jest reporter: ends the run with what was evaluated. Listed last, so that its section stands last:
 * `reporters: ['default', 'jest-adk/reporter']`. Writes to stderr. It changes the verdict of a run in one case: JEST_ADK_ONLY asks for
 * cases, and nothing was evaluated, which would be green.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { MessageColors } from '../src/report/failure-text';
import type { LiveLine } from '../src/report/live-line';
import type { JestTest, LoadError } from '../src/report/summary';
import type { EventTail } from '../src/results/event-tail';
import type { RunFold } from '../src/results/fold';
import { onlyFromEnvironment } from './only';
import { beginRun, runFolderPath } from './run-folder';

/** The part of Jest's global config that is read. */
interface GlobalConfig {
  readonly ci?: boolean;
}

/** Options in the config: `['jest-adk/reporter', { progress: false }]`. */
interface ReporterOptions {
  /** Live progress; only ever shown on a terminal outside CI. On unless set to false. */
  readonly progress?: boolean;
}

/** The part of Jest's `TestResult` that is read. */
interface TestFileResult {
  readonly testFilePath: string;
  readonly testExecError?: { readonly message?: string } | null;
  readonly failureMessage?: string | null;
  readonly testResults?: readonly { readonly fullName: string; readonly status: string }[];
}

/** The part of Jest's `AggregatedResult` that is read. */
interface RunTotals {
  readonly numTotalTestSuites?: number;
  readonly testResults?: readonly unknown[];
}

/** Milliseconds between looks at the events files. */
const lookEvery = 200;

/** See the head of this file. One instance per run; in watch mode one per re-run. */
class JestAdkReporter {
  private readonly loadErrors: LoadError[] = [];
  private readonly tests: JestTest[] = [];
  private id = '';
  private told = false;
  private lastError: Error | undefined;
  private fold: RunFold | undefined;
  private tail: EventTail | undefined;
  private line: LiveLine | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly globalConfig: GlobalConfig = {}, private readonly options: ReporterOptions = {}) {}

  /** Starts a run of ours: workers, which start later, inherit its id. */
  onRunStart(): void {
    quietly(() => {
      this.id = beginRun();
      if (this.options.progress !== false && isInteractive(this.globalConfig)) this.startProgress();
    });
  }

  /** Notes files that could not be run; after the last file the progress line goes, before Jest's own reporters end. */
  onTestFileResult(_test: unknown, result: TestFileResult, totals: RunTotals = {}): void {
    quietly(() => {
      if (result.testExecError) this.loadErrors.push({ testFile: result.testFilePath, message: stripVTControlCharacters(result.testExecError.message || result.failureMessage || 'unknown error') });
      for (const { fullName, status } of result.testResults ?? []) {
        if (status === 'passed' || status === 'failed') this.tests.push({ testFile: result.testFilePath, testName: fullName, passed: status === 'passed' });
      }
      if ((totals.testResults?.length ?? 0) >= (totals.numTotalTestSuites ?? Infinity)) this.stopProgress();
    });
  }

  /** Prints the section. Under `--bail` Jest ends a run twice. */
  onRunComplete(): void {
    if (this.told) return;
    this.told = true;
    quietly(() => {
      this.stopProgress();
      const run = this.read(true)?.result() ?? { schemaVersion: 1, runId: this.id, evaluations: [] };
      const evaluated = run.evaluations.length > 0;
      const loadErrors = evaluated ? this.loadErrors : this.loadErrors.filter(({ testFile }) => evaluates(testFile));
      const only = onlyFromEnvironment();
      if (!evaluated && only !== undefined) this.refuse(only);
      if (!evaluated && loadErrors.length === 0) return;
      const { summaryLines } = require('../src/report/summary') as typeof import('../src/report/summary');
      const configFile = configFileOf(process.argv);
      const lines = summaryLines(run, {
        colors: terminalColors(),
        width: columns(),
        loadErrors,
        tests: this.tests,
        damaged: this.tail?.damaged ?? 0,
        ...(configFile === undefined ? {} : { configFile }),
      });
      process.stderr.write(`\n${lines.join('\n')}\n\n`);
    });
  }

  /** Jest ends a run with an error of a reporter as failed. */
  getLastError(): Error | undefined {
    return this.lastError;
  }

  private refuse(only: readonly string[]): void {
    const { nothingEvaluated } = require('./left-out') as typeof import('./left-out');
    this.lastError = new Error(nothingEvaluated(only, process.env['JEST_ADK_ONLY']?.trim() ?? '', runFolderPath(this.id)));
    process.stderr.write(`\nADK eval results: ${this.lastError.message}\n\n`);
  }

  /** What happened so far; undefined while nothing was evaluated, which then loads and costs nothing. */
  private read(atEnd: boolean): RunFold | undefined {
    if (this.fold === undefined && existsSync(runFolderPath(this.id))) {
      const { createRunFold } = require('../src/results/fold') as typeof import('../src/results/fold');
      const { followEvents } = require('../src/results/event-tail') as typeof import('../src/results/event-tail');
      this.fold = createRunFold(this.id);
      this.tail = followEvents(runFolderPath(this.id), this.fold);
    }
    this.tail?.read(atEnd);
    return this.fold;
  }

  private startProgress(): void {
    const { openLiveLine } = require('../src/report/live-line') as typeof import('../src/report/live-line');
    const { progressText } = require('../src/report/progress') as typeof import('../src/report/progress');
    this.line = openLiveLine(process.stderr, [process.stdout]);
    let last = '';
    this.timer = setInterval(() => quietly(() => {
      const progress = this.read(false)?.progress();
      if (progress === undefined) return;
      const text = progressText(progress, columns());
      // Between evaluations there is nothing to follow; a line that has not changed is left in peace.
      if (progress.running.length > 0 && text !== last) this.line?.show(text);
      last = text;
    }), lookEvery);
    this.timer.unref();
  }

  private stopProgress(): void {
    clearInterval(this.timer);
    this.line?.close();
    this.line = undefined;
  }
}

/** As a module of CommonJS, so that `import` and `require` give the class itself. */
export = JestAdkReporter;

/** A report that cannot be made is no reason to fail a run. */
function quietly(action: () => void): void {
  try {
    action();
  } catch (error) {
    process.stderr.write(`\njest-adk: the report could not be made: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function isInteractive({ ci }: GlobalConfig): boolean {
  return process.stderr.isTTY === true && ci !== true && !process.env['CI'] && process.env['TERM'] !== 'dumb';
}

function columns(): number {
  return process.stderr.isTTY === true ? Math.max(40, process.stderr.columns || 80) : 80;
}

/** NO_COLOR, FORCE_COLOR, Jest's own `--colors` and `--no-colors`, else whether stderr is a terminal. */
function terminalColors(): MessageColors {
  const { createColors } = require('picocolors') as typeof import('picocolors');
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const named = (...flags: string[]): boolean => flags.some((flag) => process.argv.includes(flag));
  const off = (NO_COLOR !== undefined && NO_COLOR !== '') || FORCE_COLOR === '0' || named('--no-color', '--no-colors', '--colors=false');
  const on = (FORCE_COLOR !== undefined && FORCE_COLOR !== '') || named('--color', '--colors') || (process.stderr.isTTY === true && TERM !== 'dumb');
  return createColors(on && !off);
}

/** The config file named on the command line, absolute; a config given as JSON is none. */
function configFileOf(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '-c' || word === '--config');
  const value = at === -1 ? argv.find((word) => word.startsWith('--config='))?.slice('--config='.length) : argv[at + 1];
  return value === undefined || value.trimStart().startsWith('{') ? undefined : resolve(value);
}

/** Whether a test file that never ran would have evaluated: only then is it worth a section of its own. */
function evaluates(testFile: string): boolean {
  try {
    return /\b(toPassEvalSet|describeEvalSet|AgentEvaluator|toRespondTo)\b|jest-adk/.test(readFileSync(testFile, 'utf8'));
  } catch {
    return false;
  }
}
