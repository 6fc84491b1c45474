/** The parts of jest-circus' events and state that are used here; the same in 29.7 and 30. */

/** A test or a hook: something with a function and a time limit. */
export interface CircusCallable {
  fn?: ((...args: never[]) => unknown) | undefined;
  timeout?: number | undefined;
}

/** A test. Its `errors` may be added to until it is done. */
export interface CircusTest extends CircusCallable {
  readonly type: 'test';
  name: string;
  readonly parent: CircusDescribe;
  mode?: string | null | undefined;
  readonly concurrent?: boolean;
  readonly failing?: boolean;
  /** Errors as thrown, or with the place of the test. */
  errors: unknown[];
  asyncError?: { message?: string; stack?: string };
  readonly invocations?: number;
  /** `done` once it has run; `skip` is shown as skipped. */
  status?: string | null;
}

/** A hook. */
export interface CircusHook extends CircusCallable {
  readonly type: 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach';
}

/** A `describe` block; the outermost has no parent. */
export interface CircusDescribe {
  readonly type: 'describeBlock';
  readonly name: string;
  readonly parent?: CircusDescribe;
  readonly mode?: string | null | undefined;
  readonly children: (CircusDescribe | CircusTest)[];
}

/** What jest-circus knows of a test file. */
export interface CircusState {
  testTimeout: number;
  readonly rootDescribeBlock: CircusDescribe;
  readonly currentDescribeBlock: CircusDescribe;
  readonly hasFocusedTests: boolean;
  readonly testNamePattern?: RegExp | null;
  readonly unhandledErrors: unknown[];
}

/** What happens, with what it happens to. */
export interface CircusEvent {
  readonly name: string;
  readonly test?: CircusTest;
  readonly hook?: CircusHook;
  readonly error?: unknown;
}

/** Full name as Jest shows it and as `-t` matches it. */
export function fullName(test: CircusTest): string {
  const names = [test.name];
  for (let block: CircusDescribe | undefined = test.parent; block?.parent !== undefined; block = block.parent) names.unshift(block.name);
  return names.join(' ');
}

/** Tests that will run, in order: not skipped, in focus, matched by `-t`. */
export function selectedTests(state: CircusState): CircusTest[] {
  const selected: CircusTest[] = [];
  const walk = (block: CircusDescribe, skipped: boolean): void => {
    for (const child of block.children) {
      if (child.type === 'describeBlock') walk(child, skipped || child.mode === 'skip');
      else if (!skipped && willRun(child, state)) selected.push(child);
    }
  };
  walk(state.rootDescribeBlock, state.rootDescribeBlock.mode === 'skip');
  return selected;
}

function willRun(test: CircusTest, state: CircusState): boolean {
  if (test.mode === 'skip' || test.mode === 'todo') return false;
  if (state.hasFocusedTests && (test.mode === undefined || test.mode === null)) return false;
  return !state.testNamePattern || state.testNamePattern.test(fullName(test));
}
