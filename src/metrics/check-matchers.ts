import { isInvocationEvents, type EvalSet, type Invocation, type JsonObject, type JsonValue, type Loaded } from '../evalset/types';
import { placedTurns } from '../evalset/turns';
import type { Problem } from '../support/errors';
import { matcherProblem } from './arg-matchers';

type Path = readonly (string | number)[];

/**
 * Everything that is wrong with the argument matchers of an eval set: operators with a bad operand, patterns that do not compile, and, as
 * warnings, objects that look like a matcher and are none. For the default profile; under google-adk such objects are data.
 */
export function checkMatchers(loaded: Pick<Loaded<EvalSet>, 'value' | 'placeOf'>): Problem[] {
  const problems: Problem[] = [];
  loaded.value.evalCases.forEach((evalCase, c) => {
    placedTurns(evalCase).forEach(({ turn, path: at }) => {
      for (const { args, path } of expectedArgs(turn)) {
        for (const problem of problemsOf(args, ['eval_cases', c, ...at, ...path])) problems.push(located(problem, loaded));
      }
    });
  });
  return problems;
}

function expectedArgs(turn: Invocation): { args: JsonObject; path: Path }[] {
  const data = turn.intermediateData;
  if (data === undefined) return [];
  if (!isInvocationEvents(data)) {
    return data.toolUses.flatMap(({ args }, index) => (args === undefined ? [] : [{ args, path: ['intermediate_data', 'tool_uses', index, 'args'] }]));
  }
  return data.invocationEvents.flatMap((event, e) =>
    (event.content?.parts ?? []).flatMap((part, p) => {
      const args = part.functionCall?.args;
      return args === undefined ? [] : [{ args, path: ['intermediate_data', 'invocation_events', e, 'content', 'parts', p, 'function_call', 'args'] }];
    }),
  );
}

interface Found extends Problem {
  readonly path: Path;
  /** Objects from the args down to the one with the problem, and the steps between them. */
  readonly trail: readonly { readonly node: object; readonly depth: number }[];
}

function* problemsOf(value: JsonValue, path: Path, trail: Found['trail'] = []): Generator<Found, void> {
  if (typeof value !== 'object' || value === null) return;
  const here = [...trail, { node: value, depth: path.length }];
  const found = matcherProblem(value);
  if (found !== undefined) {
    const { message, hint, severity } = found;
    yield { code: 'bad_matcher', message, severity, path, trail: here, ...(hint === undefined ? {} : { hint }) };
  }
  const entries: Iterable<[string | number, JsonValue]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, item] of entries) yield* problemsOf(item, [...path, step], here);
}

/** The file's own pointer where the value came from a file: that of the nearest object with a known place, and the steps below it. */
function located({ trail, ...problem }: Found, loaded: Pick<Loaded<EvalSet>, 'placeOf'>): Problem {
  for (const { node, depth } of [...trail].reverse()) {
    const place = loaded.placeOf(node);
    if (place !== undefined) return { ...problem, file: place.file, path: [...place.path, ...problem.path.slice(depth)] };
  }
  return problem;
}
