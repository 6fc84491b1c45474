/** Stand-ins for the lower rooms, so that planning and running are tested by themselves. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultConfig } from '../../src/config/find';
import type { EvalConfig } from '../../src/config/types';
import type { EvalCase, EvalSet, Loaded } from '../../src/evalset/types';
import type { PlanParts } from '../../src/evaluation/parts';
import type { Host } from '../../src/evaluation/types';
import { resolveModel } from '../../src/judge/source';
import { vertexService } from '../../src/judge/vertex';
import type { Metric } from '../../src/metrics/types';
import type { EvaluationEvent } from '../../src/results/model';
import type { Target } from '../../src/target/types';

export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-test-')));
}

export const target: Target = {
  kind: 'function',
  capabilities: { appDetails: false, state: true, plugins: false, cancel: true },
  openSession: () => Promise.reject(new Error('no agent must be contacted')),
  close: () => Promise.resolve(),
};

export function hostOf(extra: Partial<Host> & { events?: EvaluationEvent[] } = {}): Host {
  const { events, ...host } = extra;
  const folder = host.rootDir ?? temporaryFolder();
  return {
    rootDir: folder,
    callerDir: folder,
    loader: { load: () => Promise.reject(new Error('nothing to load')), loadPackage: () => Promise.reject(new Error('nothing to load')) },
    listeners: events === undefined ? [] : [(event) => void events.push(event)],
    ...host,
  };
}

export function setOf(cases: readonly EvalCase[], evalSetId = 'home'): EvalSet {
  return { evalSetId, evalCases: cases, creationTimestamp: 0 };
}

export function loadedOf<T>(value: T, file = ''): Loaded<T> {
  return { value, file, warnings: [], dependencies: [], placeOf: () => undefined };
}

export function configOf(criteria: Readonly<Record<string, number | null>>, extra: Partial<EvalConfig> = {}): EvalConfig {
  return { ...defaultConfig, criteria: new Map(Object.entries(criteria).map(([name, threshold]) => [name, { threshold }])), ...extra };
}

/** Parts that take eval sets and configs in memory: files by path, objects as they are. */
export function partsOf(files: Readonly<Record<string, EvalSet | EvalConfig>> = {}, extra: Partial<PlanParts> = {}): PlanParts {
  return {
    resolveTarget: () => Promise.resolve(target),
    readEvalSet: (file) => loadedOf(files[file] as EvalSet, file),
    evalSetFromObject: (value) => loadedOf(value as EvalSet),
    renderPrompts: (loaded) => loaded,
    readConfig: (file) => loadedOf(files[file] as EvalConfig, file),
    configFromObject: (value) => loadedOf(value as EvalConfig),
    withPositions: (problems) => problems,
    positionOf: ({ file }) => ({ file, line: 1, column: 1 }),
    customMetric: (name, fn, info): Metric => ({
      name,
      info,
      needs: [],
      readCriterion: (criterion) => ({ criterion, problems: [] }),
      evaluate: (input) => (fn as unknown as Metric['evaluate'])(input, undefined as never),
    }),
    resolveModel,
    vertexService,
    ...extra,
  };
}
