import type { EvalPlan, EvaluateOptions, RunningEvaluation } from '../src/evaluation/types';
import type { CaseResult, EvaluationResult } from '../src/results/model';
import { fullName, selectedTests, type CircusState, type CircusTest } from './circus';
import { atPlace } from './call-site';
import type { DescribeOptions, EvalSetSource } from './calls';
import { effectiveOptions } from './evaluate';
import type { FileWorld } from './file-world';
import { onlyFromEnvironment } from './only';

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface DescribedCase {
  readonly evalSetId: string;
  readonly evalId: string;
  readonly place?: Place;
}

/** An evaluation under way, and what it runs. */
interface Started {
  readonly plan: EvalPlan;
  readonly running: RunningEvaluation;
}

/** The functions of a test file that define tests. */
interface Definitions {
  readonly describe: (name: string, body: () => void) => void;
  readonly test: ((name: string, body: () => Promise<void>) => void) & { readonly skip: (name: string, body: () => Promise<void>) => void };
}

/** Every `describeEvalSet` of one test file. */
export class DescribedSets {
  readonly #groups: Group[] = [];
  /** The case whose test is being defined. */
  #defining: { readonly group: Group; readonly one: DescribedCase } | undefined;

  constructor(private readonly session: FileWorld) {}

  describe(target: unknown, evalSets: EvalSetSource, options: DescribeOptions): void {
    const { session } = this;
    const { describe, test } = session.sandbox as unknown as Definitions;
    const group = new Group(session, target, evalSets, options);
    const only = onlyFromEnvironment();
    const { onlyCases, ...host } = session.host(undefined);
    const sets = session.core().listCases({ evalSets, options: withoutSerial(session, options) }, host);
    onlyCases?.among?.(sets.flatMap(({ cases }) => cases.map(({ evalId }) => evalId)));
    for (const { evalSetId, cases } of sets) {
      describe(evalSetId, () => {
        for (const one of cases) {
          this.#defining = { group, one: { evalSetId, ...one } };
          const described = this.#defining.one;
          // Left out by JEST_ADK_ONLY: a file must keep its tests, or Jest takes it for broken.
          const define = only === undefined || only.includes(one.evalId) ? test : test.skip;
          define(one.evalId, () => group.judge(described));
          this.#defining = undefined;
        }
      });
    }
    this.#groups.push(group);
  }

  /** Notes which test belongs to the case being defined, and puts it at the case's line. */
  place(state: CircusState): void {
    if (this.#defining === undefined) return;
    const test = state.currentDescribeBlock.children.at(-1);
    if (test?.type !== 'test') return;
    const { group, one } = this.#defining;
    group.tests.set(test, one);
    if (one.place !== undefined && test.asyncError !== undefined) {
      test.asyncError.stack = stackAt(test.asyncError.message ?? '', one);
    }
  }

  /** Starts the selected cases of every group. */
  async start(state: CircusState): Promise<void> {
    const selected = new Set(selectedTests(state));
    await Promise.all(this.#groups.map((group) => group.start(selected)));
  }

  /** Waits until results are saved; gives what could not be told by any test. */
  async finish(): Promise<Error[]> {
    return (await Promise.all(this.#groups.map((group) => group.finish()))).flat();
  }
}

/** One `describeEvalSet`. */
class Group {
  readonly tests = new Map<CircusTest, DescribedCase>();
  readonly #stop = new AbortController();
  #selected = 0;
  readonly #judged = new Set<DescribedCase>();
  #started: Promise<Started> | undefined;

  constructor(private readonly session: FileWorld, private readonly target: unknown, private readonly evalSets: EvalSetSource, private readonly options: DescribeOptions) {}

  async start(selected: ReadonlySet<CircusTest>): Promise<void> {
    const cases = [...this.tests].filter(([test]) => selected.has(test)).map(([, one]) => one);
    if (cases.length === 0 || this.options.serial === true) return;
    this.#selected = cases.length;
    this.#started = this.#begin(cases, this.#stop.signal);
    // A plan that is refused fails each test with the reason; nobody may be waiting yet.
    await this.#started.catch(() => undefined);
  }

  /** Body of the test of one case. A second attempt of the test is a second attempt of the case. */
  judge(one: DescribedCase): Promise<void> {
    const { session } = this;
    return session.watch({ what: `the case ${JSON.stringify(one.evalId)}` }, async (signal) => {
      const result = await this.#resultOf(one, signal);
      if (result.outcome === 'passed') return;
      const error = new Error(session.core().evaluationMessage(result, { detailed: this.options.detailed ?? false }));
      throw one.place === undefined ? error : atPlace(error, stackAt(error.message, one));
    }, false);
  }

  async #resultOf(one: DescribedCase, signal: AbortSignal): Promise<EvaluationResult> {
    if (this.#started === undefined || this.#judged.has(one)) return (await this.#begin([one], signal)).running.result;
    this.#judged.add(one);
    const { plan, running } = await this.#started;
    return alone(plan, await running.caseResult(one.evalSetId, one.evalId));
  }

  async #begin(cases: readonly DescribedCase[], signal: AbortSignal): Promise<Started> {
    const { session } = this;
    const wanted = new Set(cases.map(keyOf));
    const host = { ...session.host(this.#blockName()), testPerCase: true as const };
    const request = {
      target: this.target,
      evalSets: this.evalSets,
      options: withoutSerial(session, this.options, signal),
      selected: (evalSetId: string, evalId: string) => wanted.has(keyOf({ evalSetId, evalId })),
    };
    const plan = await session.core().planEvaluation(request, host);
    return { plan, running: session.core().startEvaluation(plan, host) };
  }

  /** Full name of the `describe` block, if there is one for all cases: `-t` with it selects them. */
  #blockName(): string | undefined {
    const names = new Set([...this.tests.keys()].map((test) => fullName(test).slice(0, -test.name.length).trim()));
    return names.size === 1 ? [...names][0] : undefined;
  }

  async finish(): Promise<Error[]> {
    if (this.#started === undefined) return [];
    try {
      const { running } = await this.#started;
      // Cases whose tests never ran (a `bail`, a failed hook) are not waited for.
      if (this.#judged.size < this.#selected) this.#stop.abort(new Error('the test file ended before this case did'));
      await running.result;
      return [];
    } catch (error) {
      return this.#judged.size > 0 ? [] : [error as Error];
    }
  }
}

function keyOf({ evalSetId, evalId }: { readonly evalSetId: string; readonly evalId: string }): string {
  return JSON.stringify([evalSetId, evalId]);
}

function withoutSerial(session: FileWorld, { serial: _serial, ...options }: DescribeOptions, signal?: AbortSignal): EvaluateOptions {
  return effectiveOptions(session, options, signal);
}

/** A case as a result of its own, for the failure text: its set may still be running. */
function alone(plan: EvalPlan, one: CaseResult): EvaluationResult {
  const { outcome, evalSetId } = one;
  const set = plan.sets.find(({ loaded }) => loaded.value.evalSetId === evalSetId);
  const { numRuns, passPolicy, profile } = plan;
  const shared = { schemaVersion: 1, outcome } as const;
  return {
    ...shared,
    sets: [
      {
        ...shared,
        evalSetId,
        ...(set !== undefined && set.loaded.file !== '' && { evalSetFile: set.loaded.file }),
        appName: set?.appName ?? '',
        cases: [one],
        numRuns,
        passPolicy,
        compatibility: profile.name,
        config: { reason: set?.configChoice.reason ?? 'default', ...(set?.configChoice.file !== undefined && { file: set.configChoice.file }) },
        warnings: [],
        startedAt: 0,
        durationMs: 0,
      },
    ],
  };
}

/** A stack whose only frame is the case in its file: Jest shows that place, and its code frame. */
function stackAt(message: string, { evalId, place }: DescribedCase): string {
  return `Error: ${message}\n    at ${evalId.replace(/[\s()]/g, '_')} (${place?.file}:${place?.line}:${place?.column})`;
}
