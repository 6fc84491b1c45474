import type { CaseResult } from '../results/model';
import { checkOptions } from './options';
import { defaultParts, type PlanParts } from './parts';
import { selectWanted } from './plan';
import { Problems } from './problems';
import { loadSets } from './sources';
import type { EvaluateRequest, Host } from './types';

/** A case that could be run, and where it stands. */
export interface ListedCase {
  readonly evalId: string;
  readonly place?: NonNullable<CaseResult['place']>;
}

/** The cases of one eval set, in the file's order. */
export interface ListedSet {
  readonly evalSetId: string;
  readonly cases: readonly ListedCase[];
}

/**
 * Reads the eval sets of a request and lists their cases, without a target and at once: tests are defined synchronously.
 *
 * @throws {JestAdkError} with every problem of the files, the selection and the options
 */
export function listCases(request: Omit<EvaluateRequest, 'target'>, host: Host, parts: PlanParts = defaultParts()): readonly ListedSet[] {
  const problems = new Problems();
  const options = request.options ?? {};
  const { checked, problems: wrong } = checkOptions(options);
  problems.add(...wrong);
  const planning = { request: { ...request, target: undefined }, options, checked, host, parts, problems };
  const sources = loadSets(planning);
  const wanted = selectWanted(planning, sources);
  for (const { loaded } of sources) {
    if (loaded.value.evalCases.length > 0) continue;
    problems.add({ code: 'empty_set', message: `The eval set "${loaded.value.evalSetId}" has 0 eval cases.`, hint: 'There is nothing to pass or fail.', ...(loaded.file !== '' && { file: loaded.file }) });
  }
  problems.throwIfAny();
  return sources.map((source) => ({
    evalSetId: source.loaded.value.evalSetId,
    cases: (wanted.get(source) ?? []).map((evalCase) => {
      const place = source.loaded.placeOf(evalCase);
      const position = place === undefined ? undefined : parts.positionOf(place);
      return { evalId: evalCase.evalId, ...(position !== undefined && { place: position }) };
    }),
  }));
}
