/** Who answers for the tools of a case, found and checked before any agent is contacted. */
import type { ConfigChoice } from '../config/types';
import type { EvalCase, EvalSet, Loaded } from '../evalset/types';
import type { TrialInfo } from '../inference/trial-options';
import { withKeptKeys } from '../schema/origin';
import { environmentFromJson, mocksFromJson, type ReadEnvironment } from '../simulation/environment/config';
import { EnvironmentEngine } from '../simulation/environment/engine';
import type { EnvironmentConfig } from '../simulation/environment/types';
import { JestAdkError, type Problem } from '../support/errors';
import type { Target } from '../target/types';
import type { Models } from './judges';
import type { Planning } from './parts';
import { seedOf } from './seeds';
import type { PlannedCase } from './types';

/** A set's config and cases, as far as simulated tools are concerned. */
interface SetOfCases {
  readonly loaded: Loaded<EvalSet>;
  readonly configChoice: ConfigChoice;
  readonly cases: readonly PlannedCase[];
}

/** Where a case's simulation comes from: its own mocks, the option, the config. */
interface Source {
  readonly read: ReadEnvironment;
  readonly place: Pick<Problem, 'file' | 'path'>;
}

/** The cases of a set, those whose tools are simulated with an engine. google-adk knows no simulation in files, and reads over it. */
export async function withEnvironments(planning: Planning, models: Models, target: Target | undefined, { loaded, configChoice, cases }: SetOfCases): Promise<readonly PlannedCase[]> {
  if (planning.checked.profile.name === 'google-adk' && planning.options.environment === undefined) return cases;
  const shared = sharedSource(planning, configChoice);
  if (shared !== undefined) report(planning, shared);
  return Promise.all(cases.map(async (planned): Promise<PlannedCase> => {
    const own = ownSource(planned.evalCase, loaded);
    if (own !== undefined) report(planning, own);
    const source = own ?? shared;
    if (planned.error !== undefined || source === undefined || source.read.problems.length > 0) return planned;
    if (target !== undefined && !target.capabilities.plugins) return { ...planned, error: { code: 'needs_local_agent', message: `The tools of this case are simulated, which needs an agent of @google/adk that runs here; a target of the kind "${target.kind}" would run its real tools.` } };
    return withEngine(planned, source.read.config, planning, models);
  }));
}

async function withEngine(planned: PlannedCase, config: EnvironmentConfig, { options }: Planning, models: Models): Promise<PlannedCase> {
  const asks = config.tools.some(({ strategy, onMiss }) => strategy === 'tool_spec' || onMiss === 'mock');
  try {
    const client = asks ? await models.client(options.environmentModel ?? config.simulationModel, 'environment', 'The simulation of tools') : undefined;
    const seed = options.simulationSeed;
    return { ...planned, environment: (trial: TrialInfo) => new EnvironmentEngine({ config, client, ...(seed === undefined ? {} : { seed: seedOf(seed, trial) }) }) };
  } catch (thrown) {
    if (!(thrown instanceof JestAdkError)) throw thrown;
    return { ...planned, error: { code: 'needs_environment_model', message: thrown.message } };
  }
}

function ownSource(evalCase: EvalCase, loaded: Loaded<EvalSet>): Source | undefined {
  const kept = withKeptKeys(evalCase) as { readonly tool_mocks?: unknown; readonly toolMocks?: unknown };
  const name = kept.toolMocks === undefined ? 'tool_mocks' : 'toolMocks';
  const given = kept[name];
  if (given === undefined || given === null) return undefined;
  const at = loaded.placeOf(evalCase);
  return { read: mocksFromJson(given), place: at === undefined ? { path: [name] } : { file: at.file, path: [...at.path, name] } };
}

function sharedSource({ options }: Planning, { config, file }: ConfigChoice): Source | undefined {
  if (options.environment !== undefined) return { read: read(options.environment), place: { path: ['environment'] } };
  const given = config.environmentSimulationConfig;
  return given === undefined ? undefined : { read: read(given), place: { ...(file === undefined ? {} : { file }), path: ['environment_simulation_config'] } };
}

/** google-adk's form, or mocks by tool. */
function read(value: object): ReadEnvironment {
  const known = ['tool_simulation_configs', 'simulation_model_configuration', 'tracing'].some((key) => key in value);
  return known ? environmentFromJson(value) : mocksFromJson(value);
}

function report({ problems }: Planning, { read: { problems: found }, place }: Source): void {
  problems.add(...found.map((problem) => ({ ...problem, ...place, path: [...(place.path ?? []), ...(problem.path ?? [])] })));
}
