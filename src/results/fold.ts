import { casesInOrder, type StoredEvent } from './event-line';
import { schemaVersion, type CaseResult, type EvalSetResult, type EvaluationEvent, type EvaluationResult, type Outcome, type PlannedSetInfo, type RunEvaluation, type RunResult } from './model';

/** Where a run stands, for progress displays. */
export interface RunProgress {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  /** Trials planned, ended and under way. */
  readonly trials: number;
  readonly trialsEnded: number;
  readonly running: readonly { readonly evalId: string; readonly trial: number }[];
}

/** Folds the events of one run, from any number of processes, into what reporters read. */
export interface RunFold {
  /** `source` tells the processes apart (an events file): ids of evaluations are unique only within one. */
  add(source: string, event: EvaluationEvent | StoredEvent): void;
  /** The run as far as it came. An evaluation that did not end is an error, with its unfinished cases. */
  result(): RunResult;
  progress(): RunProgress;
}

/** Starts an empty fold. */
export function createRunFold(runId: string): RunFold {
  const evaluations: EvaluationFold[] = [];
  const current = new Map<string, EvaluationFold>();
  return {
    add(source, event) {
      const key = JSON.stringify([source, event.evaluation]);
      let fold = current.get(key);
      // A worker that was replaced may count its evaluations from the start again, in the same file.
      if (fold === undefined || event.type === 'run_started') {
        fold = new EvaluationFold(event.at);
        current.set(key, fold);
        evaluations.push(fold);
      }
      fold.add(event);
    },
    result: () => ({ schemaVersion, runId, evaluations: evaluations.map((fold) => fold.evaluation()) }),
    progress: () => sumProgress(evaluations.map((fold) => fold.progress())),
  };
}

/** Folds events that come from one process, such as the lines of one file. */
export function foldEvents(runId: string, events: Iterable<EvaluationEvent | StoredEvent>): RunResult {
  const fold = createRunFold(runId);
  for (const event of events) fold.add('', event);
  return fold.result();
}

/** One eval set while its events come in. */
interface SetFold {
  readonly planned?: PlannedSetInfo;
  readonly cases: CaseResult[];
  ended?: EvalSetResult;
}

class EvaluationFold {
  private readonly sets = new Map<string, SetFold>();
  private readonly running = new Map<string, { evalSetId: string; evalId: string; trial: number }>();
  private testFile: string | undefined;
  private testName: string | undefined;
  private testPerCase = false;
  private outcome: Outcome | undefined;
  private models: Pick<EvaluationResult, 'usage' | 'plannedJudgeCalls'> = {};
  private trialsEnded = 0;
  private lastAt: number;

  constructor(private readonly startedAt: number) {
    this.lastAt = startedAt;
  }

  add(event: EvaluationEvent | StoredEvent): void {
    this.lastAt = Math.max(this.lastAt, event.at);
    switch (event.type) {
      case 'run_started':
        this.testFile = event.testFile;
        this.testName = event.testName;
        this.testPerCase = event.testPerCase === true;
        for (const planned of event.sets) this.sets.set(planned.evalSetId, { planned, cases: [] });
        break;
      case 'trial_started':
        this.running.set(trialKey(event), { evalSetId: event.evalSetId, evalId: event.evalId, trial: event.trial });
        break;
      case 'trial_ended':
        this.running.delete(trialKey(event));
        this.trialsEnded += 1;
        break;
      case 'case_ended':
        this.set(event.result.evalSetId).cases.push(event.result);
        break;
      case 'set_ended':
        this.endSet(event);
        break;
      case 'run_ended':
        this.outcome = event.outcome;
        this.models = { ...(event.usage === undefined ? {} : { usage: event.usage }), ...(event.plannedJudgeCalls === undefined ? {} : { plannedJudgeCalls: event.plannedJudgeCalls }) };
        break;
      case 'turn_ended':
      case 'metric_scored':
        break;
    }
  }

  evaluation(): RunEvaluation {
    const sets = [...this.sets].map(([evalSetId, set]) => set.ended ?? this.unendedSet(evalSetId, set));
    const result: EvaluationResult = { schemaVersion, outcome: this.outcome ?? 'error', sets, ...this.models };
    const unfinished = this.outcome === undefined ? [...this.sets].flatMap(([evalSetId, set]) => this.missing(evalSetId, set)) : [];
    return {
      ...(this.testFile === undefined ? {} : { testFile: this.testFile }),
      ...(this.testName === undefined ? {} : { testName: this.testName }),
      ...(this.testPerCase ? { testPerCase: true as const } : {}),
      result,
      startedAt: this.startedAt,
      durationMs: this.lastAt - this.startedAt,
      ...(unfinished.length === 0 ? {} : { unfinished }),
    };
  }

  progress(): RunProgress {
    const sets = [...this.sets.values()];
    const ended = sets.flatMap((set) => (set.ended === undefined ? set.cases : set.ended.cases));
    const count = (outcome: Outcome): number => ended.filter((each) => each.outcome === outcome).length;
    const sum = (of: (planned: PlannedSetInfo) => number): number =>
      sets.reduce((total, set) => total + (set.planned === undefined ? set.cases.length : of(set.planned)), 0);
    return {
      cases: sum((planned) => planned.cases),
      passed: count('passed'),
      failed: count('failed'),
      errors: count('error'),
      trials: sum((planned) => planned.cases * planned.numRuns),
      trialsEnded: this.trialsEnded,
      running: this.outcome === undefined ? [...this.running.values()].map(({ evalId, trial }) => ({ evalId, trial })) : [],
    };
  }

  private set(evalSetId: string): SetFold {
    let set = this.sets.get(evalSetId);
    if (set === undefined) this.sets.set(evalSetId, (set = { cases: [] }));
    return set;
  }

  private endSet(event: Extract<EvaluationEvent | StoredEvent, { type: 'set_ended' }>): void {
    const set = this.set(event.result.evalSetId);
    set.ended = 'caseIds' in event ? { ...event.result, cases: casesInOrder(event.caseIds, set.cases) } : event.result;
    set.cases.length = 0;
  }

  private missing(evalSetId: string, set: SetFold): NonNullable<RunEvaluation['unfinished']>[number][] {
    if (set.ended !== undefined) return [];
    const evalIds = unfinishedIds(evalSetId, set, this.running);
    const cases = Math.max(evalIds.length, (set.planned?.cases ?? 0) - set.cases.length);
    return cases === 0 ? [] : [{ evalSetId, evalIds, cases }];
  }

  /** What can be said of a set whose end was never written. */
  private unendedSet(evalSetId: string, set: SetFold): EvalSetResult {
    const unfinished = unfinishedIds(evalSetId, set, this.running).map((evalId) => unfinishedCase(evalSetId, evalId));
    const order = set.planned?.evalIds;
    const all = [...set.cases, ...unfinished];
    return {
      schemaVersion,
      evalSetId,
      ...(set.planned?.evalSetFile === undefined ? {} : { evalSetFile: set.planned.evalSetFile }),
      appName: set.planned?.appName ?? '',
      outcome: 'error',
      cases: order === undefined ? all : casesInOrder(order, all),
      numRuns: set.planned?.numRuns ?? 1,
      passPolicy: 'mean',
      compatibility: 'default',
      config: { reason: 'unknown' },
      warnings: [],
      startedAt: this.startedAt,
      durationMs: this.lastAt - this.startedAt,
    };
  }
}

function trialKey(event: { readonly evalSetId: string; readonly evalId: string; readonly trial: number }): string {
  return JSON.stringify([event.evalSetId, event.evalId, event.trial]);
}

/** Ids of planned cases without a result; when the plan gave no ids, of those that were under way. */
function unfinishedIds(evalSetId: string, set: SetFold, running: ReadonlyMap<string, { evalSetId: string; evalId: string }>): string[] {
  const done = set.cases.map((each) => each.evalId);
  const planned = set.planned?.evalIds ?? [...new Set([...running.values()].filter((each) => each.evalSetId === evalSetId).map((each) => each.evalId))];
  return planned.filter((evalId) => {
    const at = done.indexOf(evalId);
    if (at !== -1) done.splice(at, 1);
    return at === -1;
  });
}

function unfinishedCase(evalSetId: string, evalId: string): CaseResult {
  const message = 'The run ended before this case did.';
  return {
    evalSetId, evalId, outcome: 'error', flaky: false, trials: [], metrics: [], expected: null,
    failures: [{ kind: 'inference_error', message }],
    error: { code: 'unfinished', message },
  };
}

function sumProgress(all: readonly RunProgress[]): RunProgress {
  const zero: RunProgress = { cases: 0, passed: 0, failed: 0, errors: 0, trials: 0, trialsEnded: 0, running: [] };
  return all.reduce((sum, each) => ({
    cases: sum.cases + each.cases,
    passed: sum.passed + each.passed,
    failed: sum.failed + each.failed,
    errors: sum.errors + each.errors,
    trials: sum.trials + each.trials,
    trialsEnded: sum.trialsEnded + each.trialsEnded,
    running: [...sum.running, ...each.running],
  }), zero);
}
