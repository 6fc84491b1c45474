import { JestAdkError, type Problem } from '../support/errors';

/** One config may belong to many sets, and its problems are found with each. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** Collects what is wrong, so that all of it can be told at once. */
export class Problems {
  private readonly found: Problem[] = [];

  /** Adds problems found elsewhere. */
  add(...problems: readonly Problem[]): void {
    this.found.push(...problems);
  }

  /** Result of one step; when it refuses, its problems are kept and undefined is returned. Anything but a `JestAdkError` is passed on. */
  collect<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (thrown) {
      return this.keep(thrown);
    }
  }

  /** Like `collect`, for a step that has to be awaited. */
  async collectAsync<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (thrown) {
      return this.keep(thrown);
    }
  }

  /**
   * Ends the collecting.
   *
   * @param withPositions  finds line and column of a file's problems, which come together
   * @throws {JestAdkError} with all problems and the code of the first, when there are any
   */
  throwIfAny(withPositions: (problems: readonly Problem[], file: string) => readonly Problem[] = (problems) => problems): void {
    const first = this.found[0];
    if (first === undefined) return;
    const byFile = new Map<string | undefined, Problem[]>();
    for (const problem of unique(this.found)) byFile.set(problem.file, [...(byFile.get(problem.file) ?? []), problem]);
    throw new JestAdkError(first.code, [...byFile].flatMap(([file, problems]) => (file === undefined ? problems : withPositions(problems, file))));
  }

  private keep(thrown: unknown): undefined {
    if (!(thrown instanceof JestAdkError)) throw thrown;
    this.found.push(...thrown.problems);
    return undefined;
  }
}
