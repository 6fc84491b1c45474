import type { EvaluationEvent, EvaluationListener } from '../results/model';
import { toErrorInfo } from '../support/errors';

type Body = EvaluationEvent extends infer E ? (E extends EvaluationEvent ? Omit<E, 'evaluation' | 'at'> : never) : never;

/** Where an evaluation tells what happens. */
export interface EventStream {
  emit(event: Body): void;
  /** What listeners threw, once per message: a listener never breaks a run. */
  readonly problems: ReadonlySet<string>;
}

let evaluations = 0;

/** Opens the stream of one evaluation; its id is unique among all processes of a machine. */
export function openStream(listeners: readonly EvaluationListener[], now: () => number = Date.now): EventStream {
  evaluations += 1;
  const evaluation = `${process.pid}-${now().toString(36)}-${evaluations}`;
  const problems = new Set<string>();
  return {
    problems,
    emit(body) {
      const event = { ...body, evaluation, at: now() } as EvaluationEvent;
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (thrown) {
          problems.add(`A listener failed at "${event.type}": ${toErrorInfo(thrown).message}`);
        }
      }
    },
  };
}
