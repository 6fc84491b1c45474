import type { EvalConfig, MetricInfo } from '../config/types';
import { renderPromptMarkers } from '../evalset/prompt-markers';
import type { EvalSet, Loaded, Place } from '../evalset/types';
import type { Metric } from '../metrics/types';
import type { CaseResult } from '../results/model';
import type { Profile } from '../support/profile';
import { configFromObject, readConfigFile } from '../config/reader';
import { evalSetFromObject, readEvalSetFile } from '../evalset/reader';
import { customMetric } from '../metrics/custom';
import { positionOf } from '../support/document';
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
}

/** The lower rooms as planning uses them; stand-ins in tests. */
export interface PlanParts {
  resolveTarget(value: unknown, host: Host, options: EvaluateOptions): Promise<Target>;
  readEvalSet(file: string, options: ReadSetOptions): Loaded<EvalSet>;
  evalSetFromObject(value: object, profile: Profile): Loaded<EvalSet>;
  renderPrompts(loaded: Loaded<EvalSet>, options: { readonly engine: 'string' | 'jinja' | 'eta'; readonly projectRoot: string }): Loaded<EvalSet>;
  readConfig(file: string, profile: Profile): EvalConfig;
  configFromObject(value: unknown, profile: Profile): EvalConfig;
  positionOf(place: Place): CaseResult['place'];
  /** Rewrites a legacy file in the current format. */
  migrate(from: string, to: string, initialSessionFile: string | undefined): void;
  customMetric(name: string, fn: (...args: never[]) => unknown, info: MetricInfo): Metric;
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
  return {
    resolveTarget: (value, host, { extraPlugins, services }) => resolveTarget(value, { ...host, adk: host.adk as AdkProvider | undefined, options: { extraPlugins, services } }),
    readEvalSet: (file, { profile, given, initialSessionFile }) => readEvalSetFile(file, { profile, givenPath: given, ...(initialSessionFile !== undefined && { initialSessionFile }) }),
    evalSetFromObject: (value, profile) => evalSetFromObject(value, { profile }),
    renderPrompts: renderPromptMarkers,
    readConfig: (file, profile) => readConfigFile(file, { profile }).value,
    configFromObject: (value, profile) => configFromObject(value, { profile }).value,
    positionOf: (place) => {
      const position = positionOf(place);
      return position === undefined ? undefined : { file: place.file, ...position };
    },
    customMetric,
    migrate: () => pending('migration'),
  };
}

function pending(what: string): never {
  throw new Error(`${what} is still to come`);
}
