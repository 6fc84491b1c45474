/** One run of `jest-adk eval`, from its settings to its exit code. */
import { planEvaluation } from '../../evaluation/plan';
import { startEvaluation } from '../../evaluation/run';
import type { EvalPlan } from '../../evaluation/types';
import { plural } from '../../report/totals';
import type { EvaluationListener, EvaluationResult } from '../../results/model';
import { toErrorInfo } from '../../support/errors';
import { stringifyJson } from '../../support/json';
import { terminalColors } from '../colors';
import type { CliArguments, CliIo, ExitCode } from '../types';
import { conflicts } from './conflicts';
import { planLines, planReport } from './dry-run';
import { exitCodeOf, verdictOf } from './exit-code';
import { listenForInterrupts, type Interrupts } from './interrupts';
import { openOutput, plainColors, type Output } from './output';
import { failureLines, savedFolders, summaryLine, warningLines, type Printing } from './print';
import { showProgress } from './progress';
import { toCall, type Call } from './request';
import { misspeltVariables, readSettings, type Settings, type Words } from './settings';
import { watchStrays } from './strays';
import { settingLines } from './print-config';

/** Runs the command. @throws {JestAdkError} for what is refused before anything ran */
export async function runEval(args: CliArguments, io: CliIo, wordsOf?: Words): Promise<ExitCode> {
  const settings = await readSettings(args, io, wordsOf);
  const err = (lines: readonly string[]): void => lines.forEach((line) => io.stderr.write(`${line}\n`));
  err(misspeltVariables(io));
  const strays = watchStrays((text) => err([text]));
  const interrupts = listenForInterrupts((text) => err([text]), strays.exit);
  const listeners: EvaluationListener[] = [];
  try {
    const call = toCall(settings, io, listeners, interrupts.signal);
    if (settings.get<boolean>('printConfig') === true) {
      for (const line of settingLines(settings)) io.stdout.write(`${line}\n`);
      return 0;
    }
    const plan = await planEvaluation({ ...call.request, check: conflicts, ...(settings.get<boolean>('dryRun') === true && { offline: true }) }, call.host);
    if (plan.sets.length === 0) return nothingToRun(settings, err);
    if (settings.get<boolean>('dryRun') === true) return printPlan(plan, settings, call, io);
    const code = await evaluate({ settings, io, call, plan, interrupts, listeners, err });
    return strays.count > 0 && code < 2 ? 2 : code;
  } catch (thrown) {
    const code = interrupts.exitCode();
    if (code === undefined) throw thrown;
    err([toErrorInfo(thrown).message]);
    return code;
  } finally {
    interrupts.close();
    strays.close();
  }
}

interface Running {
  readonly settings: Settings;
  readonly io: CliIo;
  readonly call: Call;
  readonly plan: EvalPlan;
  readonly interrupts: Interrupts;
  readonly listeners: EvaluationListener[];
  readonly err: (lines: readonly string[]) => void;
}

async function evaluate({ settings, io, call, plan, interrupts, listeners, err }: Running): Promise<ExitCode> {
  const quiet = settings.get<boolean>('quiet') === true;
  const printing = (stream: CliIo['stdout']): Printing => ({
    colors: terminalColors(io, stream, settings.get<boolean>('color')) ?? plainColors,
    width: stream.columns ?? 80,
    detailed: settings.get<boolean>('printDetailedResults') === true,
    cwd: io.cwd,
  });
  const output = openOutput(settings, io, printing(io.stdout));
  const progress = quiet ? undefined : showProgress(io);
  let endedEarly = false;
  listeners.push((event) => output.listener(event));
  if (progress !== undefined) listeners.push(progress.listener);
  if (settings.get<boolean>('failFast') === true) {
    listeners.push((event) => {
      if (event.type !== 'case_ended' || verdictOf(event.result) === 'passed' || endedEarly || interrupts.exitCode() !== undefined) return;
      endedEarly = true;
      interrupts.stop();
    });
  }
  if (plan.judgeCalls > 0 && !quiet) err([`Judges are asked at most ${plural(plan.judgeCalls, 'time')} (retries and second questions beside).`]);
  const startedAt = Date.now();
  const result = await startEvaluation(plan, call.host).result.finally(() => progress?.close());
  const times = { startedAt, durationMs: Date.now() - startedAt };
  const onStderr = printing(io.stderr);
  err(failureLines(result, onStderr));
  err(warningLines(result, onStderr));
  const wrote = write(output, result, times, err);
  tellSaved(result, settings, call, io, err);
  if (!quiet) err([summaryLine(result, times.durationMs, times.startedAt)]);
  return interrupts.exitCode() ?? (wrote ? exitCodeOf(result, endedEarly) : 2);
}

function write(output: Output, result: EvaluationResult, times: { readonly startedAt: number; readonly durationMs: number }, err: Running['err']): boolean {
  try {
    output.finish(result, times);
    return true;
  } catch (thrown) {
    err([`--output could not be written: ${toErrorInfo(thrown).message}`]);
    return false;
  }
}

/** JSON on stdout stays JSON: the folder is told on stderr then. */
function tellSaved(result: EvaluationResult, settings: Settings, { resultsDir }: Call, io: CliIo, err: Running['err']): void {
  const lines = savedFolders(result, resultsDir).map((folder) => `Eval results saved under: ${folder}`);
  if (lines.length === 0) err(['No eval results were saved: nothing could be scored.']);
  else if (settings.get<string>('outputFormat') === 'pretty' || settings.get<string>('output') !== undefined) lines.forEach((line) => io.stdout.write(`${line}\n`));
  else err(lines);
}

/** A shard may be empty where there are fewer cases than shards; anything else that selects nothing is a mistake. */
function nothingToRun(settings: Settings, err: Running['err']): ExitCode {
  const tags = settings.get<readonly string[]>('tag');
  if (tags !== undefined) {
    err([`No case has the tag ${tags.map((tag) => JSON.stringify(tag)).join(' or ')}.`]);
    return 2;
  }
  err(['This shard holds no case: there are fewer cases than shards. Nothing was run.']);
  return settings.get('shard') === undefined ? 2 : 0;
}

function printPlan(plan: EvalPlan, settings: Settings, call: Call, io: CliIo): ExitCode {
  const report = planReport(plan, settings, call);
  const text = settings.get<string>('outputFormat') === 'pretty' ? planLines(report, io.cwd).join('\n') : stringifyJson(report, settings.get<string>('outputFormat') === 'json' ? 2 : 0);
  io.stdout.write(`${text}\n`);
  return 0;
}
