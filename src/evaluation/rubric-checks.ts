/** What can be said of an eval set's rubrics before anything is run. */
import { writtenTurns } from '../evalset/turns';
import type { EvalCase, EvalSet, Loaded, Rubric } from '../evalset/types';
import type { MadeMetric } from '../metrics/registry';
import type { Problem } from '../support/errors';

type Places = Pick<Loaded<EvalSet>, 'placeOf'>;

/** Ids that stand twice among the rubrics of one turn, its case's among them: one problem for each, where the second one stands. */
export function duplicateRubrics(cases: readonly EvalCase[], { placeOf }: Places): readonly Problem[] {
  return cases.flatMap((evalCase) => {
    const { evalId, rubrics: ofCase = [] } = evalCase;
    const problems = new Map<string, Problem>();
    for (const turn of writtenTurns(evalCase) ?? [{ rubrics: [] }]) {
      const seen = new Set<string>();
      for (const rubric of [...ofCase, ...(turn.rubrics ?? [])]) {
        const { rubricId } = rubric;
        if (seen.has(rubricId) && !problems.has(rubricId)) {
          problems.set(rubricId, { code: 'duplicate_rubric', message: `Case "${evalId}" gives the rubric id ${JSON.stringify(rubricId)} twice.`, hint: 'Rubric ids of a case and of its turns share one name space.', ...placeOf(rubric) });
        }
        seen.add(rubricId);
      }
    }
    return [...problems.values()];
  });
}

/** Rubrics of cases and turns that no metric reads: one warning for each reason, at the first of them. */
export function unusedRubrics(metrics: readonly MadeMetric[], cases: readonly EvalCase[], { placeOf }: Places): readonly Problem[] {
  const read = [...new Set(metrics.flatMap(({ metric }) => metric.rubricType ?? []))];
  const unused = new Map<string, { readonly first: Rubric; readonly ids: Set<string>; readonly cases: Set<string> }>();
  for (const evalCase of cases) {
    for (const rubric of [...(evalCase.rubrics ?? []), ...(writtenTurns(evalCase) ?? []).flatMap((turn) => turn.rubrics ?? [])]) {
      if (rubric.type !== undefined && read.includes(rubric.type)) continue;
      const why = read.length === 0 ? 'no metric of the config reads rubrics' : rubric.type === undefined ? `they have no type: give them ${read.map((type) => JSON.stringify(type)).join(' or ')}` : `no metric of the config reads the type ${JSON.stringify(rubric.type)}`;
      const known = unused.get(why) ?? { first: rubric, ids: new Set<string>(), cases: new Set<string>() };
      unused.set(why, known);
      known.ids.add(rubric.rubricId);
      known.cases.add(evalCase.evalId);
    }
  }
  return [...unused].map(([why, { first, ids, cases: names }]) => ({
    ...placeOf(first), code: 'unused_rubric', severity: 'warning', message: `Rubrics that are not used (${listed(ids)}, in ${names.size === 1 ? `case "${[...names][0] ?? ''}"` : `${names.size} cases`}): ${why}.`,
  }));
}

function listed(ids: ReadonlySet<string>): string {
  const [shown, more] = [[...ids].slice(0, 5), ids.size - 5];
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
