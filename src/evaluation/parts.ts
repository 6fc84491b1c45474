import { configFromObject, readConfigFile } from '../config/reader';
import type { EvalConfig, MetricInfo } from '../config/types';
import { renderPromptMarkers } from '../evalset/prompt-markers';
import { evalSetFromObject, readEvalSetFile } from '../evalset/reader';
import type { EvalSet, Loaded, Place } from '../evalset/types';
import { resolveModel } from '../judge/source';
import { vertexService } from '../judge/vertex';
import { customMetric } from '../metrics/custom';
import { criterionChecker } from '../metrics/registry';
import type { Metric } from '../metrics/types';
import type { CaseResult } from '../results/model';
import { locatorFor, readDocument, withPositionsIn } from '../support/document';
import { JestAdkError, refusal, type Problem } from '../support/errors';
import type { Profile } from '../support/profile';
import type { AdkProvider } from '../target/adk-copy';
import { resolveTarget } from '../target/resolve-target';
import type { Target } from '../target/types';
import type { CheckedOptions } from './options';
import type { Problems } from './problems';
import type { EvaluateOptions, EvaluateRequest, Host } from './types';

/** How a file is read. */
export interface ReadSetOptions {
  readonly profile: Profile;
  /** The path as it was given: google-adk names legacy sets by it. */
  readonly given: string;
  /** Absolute path of the session file that belongs to legacy sets. */
  readonly initialSessionFile?: string;
  /** Under google-adk: which of its two readers of old files; their shape decides when left out. */
  readonly legacyReader?: 'eval_sets_manager' | 'agent_evaluator';
}

/** The lower rooms as planning uses them; stand-ins in tests. */
export interface PlanParts {
  resolveTarget(value: unknown, host: Host, options: EvaluateOptions): Promise<Target>;
  readEvalSet(file: string, options: ReadSetOptions): Loaded<EvalSet>;
  evalSetFromObject(value: object, profile: Profile): Loaded<EvalSet>;
  renderPrompts(loaded: Loaded<EvalSet>, options: { readonly engine: 'string' | 'jinja' | 'eta'; readonly projectRoot: string }): Loaded<EvalSet>;
  readConfig(file: string, profile: Profile): Loaded<EvalConfig>;
  configFromObject(value: unknown, profile: Profile): Loaded<EvalConfig>;
  positionOf(place: Place): CaseResult['place'];
  withPositions(problems: readonly Problem[], file: string): readonly Problem[];
  customMetric(name: string, fn: (...args: never[]) => unknown, info: MetricInfo): Metric;
  readonly resolveModel: typeof resolveModel;
  readonly vertexService: typeof vertexService;
}

/** What the steps of planning share. */
export interface Planning {
  readonly request: EvaluateRequest;
  readonly options: EvaluateOptions;
  readonly checked: CheckedOptions;
  readonly host: Host;
  readonly parts: PlanParts;
  readonly problems: Problems;
}

/** The rooms as they are. */
export function defaultParts(): PlanParts {
  const locators = new Map<string, ReturnType<typeof locatorOf>>();
  return {
    resolveTarget: async (value, host, { agentName, extraPlugins, services, runConfig }) => {
      const target = await resolveTarget(value, { ...host, adk: host.adk as AdkProvider | undefined, options: { agentName, extraPlugins, services, runConfig } });
      if (agentName !== undefined && target.kind !== 'agent') throw refusal('bad_option', `The option "agentName" picks an agent out of a tree; a target of the kind "${target.kind}" has none.`);
      if (target.kind === 'adk-server') refuseLocalOptions({ extraPlugins, services, runConfig });
      return target;
    },
    readEvalSet: (file, { given, ...options }) => readEvalSetFile(file, { ...options, givenPath: given }),
    evalSetFromObject: (value, profile) => evalSetFromObject(value, { profile }),
    renderPrompts: (loaded, options) => (loaded.file === '' ? loaded : renderPromptMarkers(loaded, options)),
    readConfig: (file, profile) => readConfigFile(file, { profile, checkCriterion: criterionChecker(profile) }),
    configFromObject: (value, profile) => configFromObject(value, { profile, checkCriterion: criterionChecker(profile) }),
    positionOf: ({ file, path }) => {
      const locate = locators.get(file) ?? locatorOf(file);
      locators.set(file, locate);
      const position = locate?.(path);
      return position === undefined ? undefined : { file, ...position };
    },
    withPositions: withPositionsIn,
    customMetric,
    resolveModel,
    vertexService,
  };
}

/** What belongs to a runner of ours: the server has its own. */
function refuseLocalOptions(options: { readonly [K in 'extraPlugins' | 'services' | 'runConfig']: EvaluateOptions[K] | undefined }): void {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`"${name}"`]));
  if (given.length > 0) throw refusal('bad_option', `The option ${given.join(', ')} belongs to an agent that runs here; that of a server runs there, with what the server gives it.`);
}

/** Finds places in a file that is read once; undefined when it is gone or no longer parses. */
function locatorOf(file: string): ReturnType<typeof locatorFor> | undefined {
  try {
    return locatorFor(readDocument(file).text, file);
  } catch (thrown) {
    if (thrown instanceof JestAdkError) return undefined;
    throw thrown;
  }
}
