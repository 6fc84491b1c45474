/** The section that ends a Jest run: every test that evaluated, what failed and how to run that again, errors apart, totals. */
import { dirname } from 'node:path';
import type { CaseResult, Outcome, RunEvaluation, RunResult } from '../results/model';
import { padEndTo, printable, wrapTo } from '../support/text-width';
import { errorLines, failureTable } from './case-lines';
import type { SummaryContext } from './context';
import type { MessageColors } from './failure-text';
import { outcomeMark } from './marks';
import { shortPath } from './paths';
import { likelyShell, rerunCommand, type Shell } from './rerun';
import { countText, durationText, evaluationTime, plannedJudgeCalls, plural, roleText, roleTotals, tokenTotals } from './totals';

/** A test file that Jest could not run at all. */
export interface LoadError {
  /** Absolute path. */
  readonly testFile: string;
  /** Its first line is shown. */
  readonly message: string;
}

/** How Jest says a test ended. */
export interface JestTest {
  /** Absolute path. */
  readonly testFile: string;
  /** Full name. */
  readonly testName: string;
  readonly passed: boolean;
}

/** How the section is laid out. */
export interface SummaryOptions {
  readonly colors?: Partial<MessageColors>;
  /** Columns; 80 when left out. */
  readonly width?: number;
  /** Paths below this folder are shown relative to it, and commands are to be run there. The working directory when left out. */
  readonly cwd?: string;
  readonly shell?: Shell;
  /** Config named on Jest's command line, repeated in the commands. */
  readonly configFile?: string;
  readonly loadErrors?: readonly LoadError[];
  /** What became of the tests: one may pass although an evaluation in it did not (`.not`, a second attempt), or fail although it did. */
  readonly tests?: readonly JestTest[];
  /** Events that could not be read. */
  readonly damaged?: number;
}

/** Cases shown of one test; the results file has them all. */
const mostCases = 20;

const plain = (text: string): string => text;

/** The section as lines without line breaks; none when nothing was evaluated and nothing went wrong. */
export function summaryLines(run: RunResult, options: SummaryOptions = {}): readonly string[] {
  const { loadErrors = [] } = options;
  if (run.evaluations.length === 0 && loadErrors.length === 0) return [];
  const { width = 80, cwd = process.cwd() } = options;
  const colors = { red: plain, yellow: plain, green: plain, dim: plain, ...options.colors };
  const tests = byTest(run.evaluations, options.tests ?? []);
  const context = { colors, width, cwd };
  return [
    'ADK eval results',
    '',
    ...tests.flatMap((test) => testLines(test, { ...context, rerun: rerunOf(test, options, cwd) })),
    ...loadErrors.flatMap((error) => loadErrorLines(error, context)),
    '',
    ...warningLines(run, options.damaged ?? 0, context),
    ...totalLines(run, tests, context),
  ];
}

/** One Jest test with all it evaluated. */
interface TestGroup {
  readonly testFile?: string;
  readonly testName?: string;
  readonly testPerCase: boolean;
  readonly evaluations: RunEvaluation[];
  /** Whether Jest says that the test passed; undefined where it was not asked. */
  readonly testPassed?: boolean;
}

function byTest(evaluations: readonly RunEvaluation[], jestTests: readonly JestTest[]): readonly TestGroup[] {
  const passed = new Map<string, boolean>();
  for (const { testFile, testName, passed: one } of jestTests) {
    const key = JSON.stringify([testFile, testName]);
    // Tests may share a name.
    passed.set(key, one && passed.get(key) !== false);
  }
  const groups = new Map<string, TestGroup>();
  for (const evaluation of evaluations) {
    const { testFile, testName, testPerCase = false } = evaluation;
    const key = JSON.stringify([testFile, testName, testPerCase]);
    const group = groups.get(key) ?? { ...(testFile === undefined ? {} : { testFile }), ...(testName === undefined ? {} : { testName }), testPerCase, evaluations: [], ...testVerdict(passed.get(JSON.stringify([testFile, testName]))) };
    groups.set(key, group);
    group.evaluations.push(evaluation);
  }
  return [...groups.values()];
}

function testVerdict(testPassed: boolean | undefined): { readonly testPassed?: boolean } {
  return testPassed === undefined ? {} : { testPassed };
}

/** The outcome that a test is marked with: Jest's word counts, and an error stays one. */
function outcomeOf({ evaluations, testPassed }: TestGroup): Outcome {
  const outcome = worst(evaluations.map(({ result }) => result.outcome));
  if (testPassed === true) return 'passed';
  return testPassed === false && outcome === 'passed' ? 'failed' : outcome;
}

function rerunOf({ testFile, testName, testPerCase }: TestGroup, options: SummaryOptions, cwd: string): SummaryContext['rerun'] {
  const where = {
    ...(testFile === undefined ? {} : { testFile }),
    ...(testName === undefined || testPerCase ? {} : { testName }),
    ...(options.configFile === undefined ? {} : { configFile: options.configFile }),
  };
  const shell = options.shell ?? likelyShell();
  return ({ evalSetId, evalId }) => {
    // Where each case is a test, the name is that of the block around them.
    const ofCase = testName === undefined ? { testNameEnd: `${evalSetId} ${evalId}` } : { testName: `${testName} ${evalId}` };
    return rerunCommand({ evalId, ...where, ...(testPerCase ? ofCase : {}) }, cwd, shell);
  };
}

function testLines(group: TestGroup, context: SummaryContext): readonly string[] {
  const sets = group.evaluations.flatMap(({ result }) => result.sets);
  const cases = sets.flatMap((set) => set.cases);
  const failed = cases.filter((each) => each.outcome === 'failed');
  const errors = cases.filter((each) => each.outcome === 'error');
  const folders = [...new Set(sets.flatMap(({ resultFile }) => (resultFile === undefined ? [] : [dirname(resultFile)])))];
  return [
    ...headLines(group, cases, context),
    ...(group.testPassed === true ? [] : limited(failed, (each) => failureTable(each, context))),
    ...(errors.length === 0 || group.testPassed === true ? [] : [`      ${context.colors.dim('could not be evaluated (no verdict on the agent):')}`, ...limited(errors, (each) => errorLines(each, context))]),
    ...unfinishedLines(group, context),
    ...folders.map((folder) => context.colors.dim(`      results: ${shortPath(folder, context.cwd)}`)),
  ];
}

function limited(cases: readonly CaseResult[], lines: (each: CaseResult) => readonly string[]): readonly string[] {
  const more = cases.length - mostCases;
  return [...cases.slice(0, mostCases).flatMap(lines), ...(more > 0 ? [`      … and ${plural(more, 'case')} more`] : [])];
}

function headLines(group: TestGroup, cases: readonly CaseResult[], { colors, width, cwd }: SummaryContext): readonly string[] {
  const name = group.testName ?? (group.testFile === undefined ? 'evaluation' : shortPath(group.testFile, cwd));
  const count = (outcome: Outcome): number => cases.filter((each) => each.outcome === outcome).length;
  const outcome = outcomeOf(group);
  const [passed, failed, errors] = [count('passed'), count('failed'), count('error')];
  const flaky = cases.filter((each) => each.flaky).length;
  const counts = [`${passed} of ${plural(cases.length, 'case')} passed`, ...(failed > 0 ? [`${failed} failed`] : []), ...(errors > 0 ? [plural(errors, 'error')] : []), ...(flaky > 0 ? [`${flaky} flaky`] : []), ...besides(group)].join(', ');
  const lines = wrapTo(printable(name), width - 4);
  const head = lines.map((line, index) => (index === 0 ? `  ${outcomeMark(outcome, colors)} ${line}` : `    ${line}`));
  const file = group.testName === undefined || group.testFile === undefined ? '' : `  ${shortPath(group.testFile, cwd)}`;
  return [...head, ...wrapTo(`${counts}${file}`, width - 6).map((line) => `      ${colors.dim(line)}`)];
}

/** Where the test and its evaluations do not agree. */
function besides({ evaluations, testPassed }: TestGroup): readonly string[] {
  const evaluationPassed = worst(evaluations.map(({ result }) => result.outcome)) === 'passed';
  if (testPassed === undefined || testPassed === evaluationPassed) return [];
  return [testPassed ? 'and the test passed' : 'but the test failed'];
}

/** As in one evaluation: what could not be evaluated stands above what failed. */
function worst(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('error')) return 'error';
  return outcomes.includes('failed') ? 'failed' : 'passed';
}

function unfinishedLines(group: TestGroup, { colors, width }: SummaryContext): readonly string[] {
  return group.evaluations.flatMap(({ unfinished = [] }) => unfinished).flatMap(({ evalSetId, evalIds, cases }) => {
    const named = evalIds.length === 0 ? '' : `: ${evalIds.slice(0, mostCases).map(printable).join(', ')}${evalIds.length > mostCases || cases > evalIds.length ? ', …' : ''}`;
    const text = `the process ended before ${plural(cases, 'case')} of ${printable(evalSetId)} did${named}`;
    return wrapTo(text, width - 8).map((line, index) => (index === 0 ? `      ${colors.yellow('!')} ${line}` : `        ${line}`));
  });
}

function loadErrorLines({ testFile, message }: LoadError, { colors, width, cwd }: Omit<SummaryContext, 'rerun'>): readonly string[] {
  const [first = ''] = message.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('●'));
  return [`  ${colors.yellow('!')} ${shortPath(testFile, cwd)}`, ...wrapTo(`the test file could not be run: ${printable(first)}`, width - 6).map((line) => `      ${line}`)];
}

function warningLines(run: RunResult, damaged: number, { colors, width }: Omit<SummaryContext, 'rerun'>): readonly string[] {
  const warnings = new Set(run.evaluations.flatMap(({ result }) => result.sets).flatMap((set) => set.warnings));
  if (damaged > 0) warnings.add(`${plural(damaged, 'line')} of the run's events could not be read; a process was probably ended while it wrote`);
  if (warnings.size === 0) return [];
  return [...[...warnings].flatMap((warning) => wrapTo(`warning: ${printable(warning)}`, width - 4).map((line, index) => `  ${index === 0 ? '' : '  '}${colors.yellow(line)}`)), ''];
}

function totalLines(run: RunResult, tests: readonly TestGroup[], { colors }: Omit<SummaryContext, 'rerun'>): readonly string[] {
  const cases = run.evaluations.flatMap(({ result }) => result.sets).flatMap((set) => set.cases);
  const rows: [string, string][] = [
    ['Evaluated tests:', outcomeCounts(tests.map(outcomeOf), colors)],
    ['Eval cases:', outcomeCounts(cases.map((each) => each.outcome), colors)],
  ];
  const tokens = tokenTotals(run);
  if (tokens !== undefined) rows.push(['Tokens:', `${countText(tokens.total)} (${countText(tokens.input)} in, ${countText(tokens.output)} out)`]);
  const planned = plannedJudgeCalls(run);
  for (const totals of roleTotals(run)) rows.push([`${totals.role}:`, `${roleText(totals)}${totals.role === 'Judge' && planned > 0 ? `; planned at most ${countText(planned)}` : ''}`]);
  rows.push(['Evaluation time:', durationText(evaluationTime(run.evaluations))]);
  return rows.map(([label, text]) => `  ${padEndTo(label, 17)}${text}`);
}

function outcomeCounts(outcomes: readonly Outcome[], colors: MessageColors): string {
  const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
  const [passed, failed, errors] = [count('passed'), count('failed'), count('error')];
  return [
    ...(failed > 0 ? [colors.red(`${failed} failed`)] : []),
    ...(errors > 0 ? [colors.yellow(plural(errors, 'error'))] : []),
    ...(passed > 0 ? [colors.green(`${passed} passed`)] : []),
    `${outcomes.length} total`,
  ].join(', ');
}
