import { writtenTurns } from '../evalset/turns';
import type { EvalCase, Rubric } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import { JestAdkError } from '../support/errors';

/**
 * Actual turns with the rubrics of the case appended, then each expected turn's own.
 *
 * @throws {JestAdkError} `duplicate_rubric` naming every repeated id
 */
export function withRubrics(evalCase: EvalCase, actual: readonly ActualInvocation[]): readonly ActualInvocation[] {
  const expected = writtenTurns(evalCase);
  const ofTurns = expected?.some((turn) => turn.rubrics?.length) ?? false;
  if (!evalCase.rubrics?.length && !ofTurns) return actual;
  const repeated = new Set<string>();
  const turns = actual.map((turn, index) => {
    const rubrics: Rubric[] = [...(turn.rubrics ?? [])];
    const ids = new Set(rubrics.map((rubric) => rubric.rubricId));
    for (const rubric of [...(evalCase.rubrics ?? []), ...(expected?.[index]?.rubrics ?? [])]) {
      if (ids.has(rubric.rubricId)) repeated.add(`"${rubric.rubricId}" on turn ${index + 1}`);
      ids.add(rubric.rubricId);
      rubrics.push(rubric);
    }
    return rubrics.length === 0 ? turn : { ...turn, rubrics };
  });
  if (repeated.size > 0) {
    throw new JestAdkError(
      'duplicate_rubric',
      [...repeated].map((which) => ({
        code: 'duplicate_rubric',
        message: `Case "${evalCase.evalId}" gives the rubric id ${which} twice.`,
        hint: 'Rubric ids of a case and of its turns share one name space.',
      })),
    );
  }
  return turns;
}
