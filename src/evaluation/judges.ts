/** Finds who judges: a model, or Vertex AI's service, for every metric that needs one, before any agent is contacted. */
import { resolve } from 'node:path';
import type { ConfigChoice } from '../config/types';
import type { EvalCase } from '../evalset/types';
import { CallBudget } from '../judge/budget';
import { AnswerCache } from '../judge/cache';
import { ModelClient, type ModelServices } from '../judge/client';
import { identityOf } from '../judge/identity';
import { defaultModelConcurrency, limitOf } from '../judge/limit';
import type { SdkProvider } from '../judge/source';
import type { JudgeSource, Model } from '../judge/types';
import { UsageLedger } from '../judge/usage';
import { isVertexConfigured, type VertexService } from '../judge/vertex';
import type { MadeMetric } from '../metrics/registry';
import type { JudgeNeed } from '../metrics/types';
import { JestAdkError, refusal, toErrorInfo, type Problem } from '../support/errors';
import { createNodeAdkProvider } from '../target/adk-copy';
import type { AdkModule } from '../target/adk-shapes';
import { defaultParts, type PlanParts, type Planning } from './parts';
import type { EvaluateOptions, Host } from './types';

/** Folder of the kept answers, below the project's root. */
const cacheFolder = '.adk/judge_cache';

/** The models of one evaluation: each is made once, and all are counted in one ledger. */
export class Models {
  readonly ledger: UsageLedger;
  private readonly services: ModelServices;
  private readonly sdk: SdkProvider;
  private readonly made = new Map<JudgeSource, Promise<Model>>();
  private vertex: VertexService | undefined;

  constructor(
    private readonly options: EvaluateOptions,
    private readonly host: Host,
    private readonly parts: Pick<PlanParts, 'resolveModel' | 'vertexService'> = defaultParts(),
  ) {
    const { judgeCache, maxJudgeCalls, modelPrices } = options;
    this.ledger = new UsageLedger(modelPrices);
    const cache = judgeCache === undefined || judgeCache === false ? undefined : new AnswerCache(resolve(host.rootDir, judgeCache === true ? cacheFolder : judgeCache));
    this.services = { ledger: this.ledger, cache, budget: maxJudgeCalls === undefined ? undefined : new CallBudget(maxJudgeCalls) };
    this.sdk = sdkOf(host);
  }

  /** The client of one role. @throws {JestAdkError} as `resolveModel` */
  async client(source: JudgeSource, role: ConstructorParameters<typeof ModelClient>[1], why: string): Promise<ModelClient> {
    let model = this.made.get(source);
    if (model === undefined) this.made.set(source, (model = this.parts.resolveModel(source, this.sdk, why)));
    const found = await model;
    return new ModelClient(found, role, limitOf(identityOf(found), this.options.judgeConcurrency ?? defaultModelConcurrency), this.services);
  }

  /** Vertex AI's service. @throws {JestAdkError} `no_vertex` */
  service(): VertexService {
    if (this.vertex !== undefined) return this.vertex;
    const service = this.parts.vertexService({ env: process.env, folders: [this.host.rootDir, ...sdkFolders(this.host.rootDir)] });
    return (this.vertex = {
      evaluate: (body, signal) => {
        this.services.budget?.spend();
        this.ledger.add('judge', 'Vertex AI', undefined);
        return service.evaluate(body, signal);
      },
    });
  }
}

/** google-auth-library comes with the SDK, and may lie below it. */
function sdkFolders(rootDir: string): readonly string[] {
  try {
    return [resolve(require.resolve('@google/adk/package.json', { paths: [rootDir] }), '..')];
  } catch {
    return [];
  }
}

function sdkOf(host: Host): SdkProvider {
  let found: Promise<AdkModule> | undefined;
  const provider = host.adk ?? createNodeAdkProvider([host.callerDir, host.rootDir]);
  return () => (found ??= Promise.resolve(provider({})).then((adk) => adk as AdkModule));
}

/**
 * The metrics with their judges. What cannot be had is among the problems, or, under google-adk, an error of the metric alone.
 *
 * @param cases  the cases that the config is for: a metric may refuse to judge them
 */
export async function withJudges(planning: Planning, models: Models, { file }: ConfigChoice, metrics: readonly MadeMetric[], cases: readonly EvalCase[]): Promise<readonly MadeMetric[]> {
  return Promise.all(metrics.map(async (made) => {
    const { metric, prepared, error } = made;
    if (error !== undefined || !metric.needs.includes('judge') || prepared === undefined) return made;
    const path = ['criteria', metric.name];
    const where = file === undefined ? {} : { file };
    planning.problems.add(...(metric.checkCases?.(prepared, cases, planning.checked.profile) ?? []).map((problem) => ({ ...where, ...problem, path: [...path, ...(problem.path ?? [])] })));
    const need = metric.judgeOf?.(prepared);
    if (need === undefined) return made;
    try {
      return { ...made, ...(await judgeFor(planning, models, metric.name, need)) };
    } catch (thrown) {
      if (!(thrown instanceof JestAdkError)) throw thrown;
      if (planning.checked.profile.criteriaCheckedLate) return { ...made, error: toErrorInfo(thrown) };
      planning.problems.add(...thrown.problems.map((problem) => ({ ...where, ...problem, path })));
      return made;
    }
  }));
}

async function judgeFor({ options, checked }: Planning, models: Models, name: string, need: JudgeNeed): Promise<Pick<MadeMetric, 'judge' | 'vertex'>> {
  // google-adk knows no other engine for these metrics.
  const engine = need.knownToVertex !== true ? 'judge' : checked.profile.name === 'google-adk' ? 'vertex' : (need.engine ?? (options.judge === undefined && isVertexConfigured(process.env) ? 'vertex' : 'judge'));
  if (engine === 'vertex' && need.engine === 'judge') throw refusal('no_vertex', `${name} needs a template of Vertex AI that lies in a bucket of Google's.`, 'Leave the compatibility option out to have a judge rate it.');
  if (engine === 'vertex') return { vertex: models.service() };
  return { judge: await models.client(options.judge ?? need.judgeModel, 'judge', name) };
}

/** Requests to judges that a plan comes to, at most. */
export function plannedJudgeCalls(sets: readonly { readonly metrics: readonly MadeMetric[]; readonly cases: readonly { readonly evalCase: EvalCase; readonly error?: unknown }[] }[], numRuns: number): number {
  let calls = 0;
  for (const { metrics, cases } of sets) {
    for (const { metric, prepared, judge, vertex } of metrics) {
      if ((judge === undefined && vertex === undefined) || prepared === undefined) continue;
      const engine = vertex === undefined ? 'judge' : 'vertex';
      for (const { evalCase, error } of cases) if (error === undefined) calls += metric.plannedCalls?.(prepared, evalCase, engine) ?? 0;
    }
  }
  return calls * numRuns;
}

/** A plan that may need more requests than are allowed; with a cache nobody knows how many it needs. */
export function tooManyJudgeCalls(planned: number, { maxJudgeCalls, judgeCache }: EvaluateOptions): readonly Problem[] {
  if (maxJudgeCalls === undefined || planned <= maxJudgeCalls || (judgeCache ?? false) !== false) return [];
  return [{ code: 'judge_budget', message: `Judges may be asked ${planned} times, and "maxJudgeCalls" allows ${maxJudgeCalls}.`, hint: 'Ask fewer samples ("num_samples"), fewer cases or runs, or raise the limit.' }];
}
