import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, repoRoot } from '../support/package-under-test';

/** What run.mjs prints of one case. */
interface Outcome {
  readonly endReason: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly ids: Record<string, string>;
  readonly appName?: string;
  readonly finalState: Record<string, unknown>;
  readonly childState?: Record<string, string>;
  readonly artifacts: readonly string[];
  readonly warnings: readonly string[];
  readonly turns: readonly {
    readonly outcome: string;
    readonly finalResponse?: { readonly parts: readonly { readonly text?: string; readonly functionCall?: { readonly name: string } }[] };
    readonly responses: readonly string[];
    readonly toolCalls: readonly { readonly name: string; readonly author: string; readonly nestedIn?: string; readonly args: unknown; readonly response?: unknown; readonly group: number }[];
    readonly pendingTools: readonly string[];
    readonly usageByModel: readonly { readonly model: string; readonly calls: number; readonly usage: Record<string, number> }[];
    readonly instructions?: Record<string, string>;
    readonly tools?: readonly (readonly string[])[];
  }[];
  readonly during?: readonly string[];
  readonly after?: unknown;
}

/** The real SDK does not load inside the sandbox of a test without help, and plain Node is what is to be seen here anyway. */
function runSuite(build: 'cjs' | 'esm'): Record<string, Outcome> {
  const script = join(repoRoot, '__tests__/fixtures/agent-suite/run.mjs');
  return JSON.parse(execFileSync(process.execPath, [script, build], { encoding: 'utf8', timeout: 60_000, maxBuffer: 1 << 26 })) as Record<string, Outcome>;
}

let suite: Record<string, Outcome>;
const the = (name: string): Outcome => {
  const outcome = suite[name];
  if (outcome === undefined) throw new Error(`the suite has no case "${name}"`);
  return outcome;
};
const answers = (name: string): unknown[] => the(name).turns.map((turn) => turn.finalResponse?.parts.at(-1)?.text);

beforeAll(() => {
  ensureBuilt();
  suite = runSuite('cjs');
}, 240_000);

test('both builds of the SDK give the same', () => {
  expect(runSuite('esm')).toEqual(suite);
}, 60_000);

test('turns of one session know each other; trials have a session of their own', () => {
  expect(answers('two turns of one session')).toEqual(['contents: 1', 'contents: 3']);
  expect(the('a text').ids).toEqual({ appName: 'EvaluationGenerator', userId: 'test_user_id', sessionId: 'adk-eval-session-(uuid)' });
});

describe('tools', () => {
  test.each<[string, object[]]>([
    ['a tool', [{ name: 'add', args: { a: 1, b: 2 }, author: 'adder', response: { name: 'add', response: { result: 3 } } }]],
    ['a tool that throws', [{ name: 'fail', response: { name: 'fail', response: { error: "Error in tool 'fail': boom" } } }]],
    ['parallel calls', [{ name: 'add', group: 0, response: { response: { result: 2 } } }, { name: 'add', group: 0, response: { response: { result: 4 } } }]],
    ['a transfer', [{ name: 'transfer_to_agent', author: 'desk' }]],
  ])('%s', (name, calls) => {
    expect(the(name).turns[0]?.toolCalls).toMatchObject(calls);
    expect(the(name).endReason).toBe('completed');
  });

  test('arguments that do not fit do not run the tool', () => {
    expect(JSON.stringify(the('bad arguments').turns[0]?.toolCalls[0]?.response)).toContain("Error in tool 'add'");
  });

  test('a tool that does not exist is a warning when the agent answers all the same', () => {
    expect(the('a tool that does not exist')).toMatchObject({ endReason: 'completed', warnings: [expect.stringContaining('Function nothing is not found')] });
  });

  test('A10 calls inside an AgentTool are seen with their author, at every depth', () => {
    const calls = (name: string): unknown[] => the(name).turns[0]?.toolCalls.map((call) => [call.name, call.author, call.nestedIn]) ?? [];
    expect(calls('calls inside an AgentTool')).toEqual([['math', 'root', undefined], ['add', 'math', 'math']]);
    expect(calls('an AgentTool in an AgentTool')).toEqual([['middle', 'outer', undefined], ['inner', 'middle', 'middle'], ['add', 'inner', 'inner']]);
    expect(the('an AgentTool in an AgentTool').turns[0]?.usageByModel.map((entry) => [entry.model, entry.calls])).toEqual([['model-of-outer', 2], ['model-of-middle', 2], ['model-of-inner', 2]]);
  });

  test('A12 state that stays inside an AgentTool is known as such', () => {
    expect(the('calls inside an AgentTool').childState).toEqual({ 'temp:ds': 'math' });
  });
});

describe('D56 state', () => {
  test('D56 the state of the case is seen by the instruction, shared prefixes included', () => {
    expect(answers('state in the instruction')).toEqual(['Hi Bo, Rex and carpe diem']);
    expect(the('state in the instruction').finalState).toEqual({ name: 'Bo', 'user:pet': 'Rex', 'app:motto': 'carpe diem' });
    expect(the('state in the instruction').warnings).toEqual([expect.stringContaining('temp:')]);
  });
  test('what agents and tools write is the final state; artifacts are listed', () => {
    expect(the('outputKey').finalState).toEqual({ note: 'noted' });
    expect(the('a tool that writes state').finalState).toEqual({ kept: 'v', 'user:kept': 'v' });
    expect(the('an artifact').artifacts).toEqual(['picture.txt']);
  });
});

describe('errors', () => {
  test.each([
    ['a placeholder without state', 'inference_error', 'turn 1: Context variable not found: `name`.'],
    ['a model that throws', 'UNKNOWN_ERROR', 'turn 1: quota is used up'],
    ['a model that throws JSON', '429', 'turn 1: slow down'],
    ['a model that throws what is no error', 'ODD', 'turn 1: odd thing'],
    ['a model that reports an error', 'SAFETY', 'turn 1: blocked'],
    ['maxLlmCalls', 'UNKNOWN_ERROR', 'turn 1: Max number of llm calls limit of 3 exceeded'],
  ])('%s', (name, code, message) => {
    expect(the(name)).toMatchObject({ endReason: 'error', error: { code, message } });
  });
  test('F80 the turns before an error are kept, those after it are not run', () => {
    expect(the('an error ends the case').turns.map((turn) => turn.outcome)).toEqual(['answered', 'error', 'not_run']);
  });
  test('a model that says nothing leaves the turn unanswered', () => {
    expect(the('a model that says nothing')).toMatchObject({ endReason: 'completed', turns: [{ outcome: 'unanswered' }] });
  });
});

test('D49 a model that hangs and ignores the signal is given up on, and the process exits', () => {
  expect(the('a model that hangs and ignores the signal')).toMatchObject({
    endReason: 'turn_limit',
    error: { code: 'turn_limit', message: 'timed out in turn 1: no end within 150 ms, the turn limit (turnTimeoutMs; --timeout on the command line).' },
    turns: [{ outcome: 'error' }, { outcome: 'not_run' }],
  });
});

test('a workflow, with its nodes as authors; a loop', () => {
  expect(the('a workflow')).toMatchObject({ appName: 'flow', endReason: 'completed', turns: [{ responses: ['first', 'second'] }] });
  expect(the('a loop that is left')).toMatchObject({ endReason: 'completed', turns: [{ toolCalls: [{ name: 'exit_loop', author: 'looper' }] }] });
});

describe('answers', () => {
  test('B25 the last of several answers counts, or the last of a chosen author', () => {
    expect(the('several answers in a turn').turns[0]?.responses).toEqual(['A', 'B']);
    expect([...answers('several answers in a turn'), ...answers('finalResponseFrom')]).toEqual(['final', 'draft']);
  });
  test('B28 a streamed answer is there once', () => {
    expect(the('a streamed answer').turns[0]).toMatchObject({ responses: ['speaker'], finalResponse: { parts: [{ text: 'Hello' }] }, usageByModel: [{ calls: 1 }] });
  });
  test('files in the message reach the model unchanged', () => {
    expect(JSON.parse(String(answers('a file in the message')[0]))).toEqual([
      { text: 'see' },
      { inlineData: { mimeType: 'image/png', data: 'AAEC' } },
      { fileData: { fileUri: 'gs://b/o', mimeType: 'audio/wav' } },
    ]);
  });
});

describe('D62 tools that wait', () => {
  test('D62 a long-running tool is pending, and a scripted response resumes it', () => {
    const { turns, endReason } = the('a long-running tool, answered in the next turn');
    expect([endReason, turns.map((turn) => turn.pendingTools)]).toEqual(['completed', [['job'], []]]);
    expect(answers('a long-running tool, answered in the next turn')[1]).toBe('job says {"done":true}');
    expect(the('a long-running tool that returns pending').turns[0]).toMatchObject({ pendingTools: ['job'], toolCalls: [{ name: 'job', pending: true }] });
  });
  test('D62 a request for confirmation is no tool call, and can be confirmed', () => {
    const { turns } = the('a tool that needs confirmation');
    expect(turns[0]).toMatchObject({ pendingTools: ['adk_request_confirmation'], toolCalls: [{ name: 'wipe' }] });
    expect(answers('a tool that needs confirmation')[1]).toBe('done: {"wiped":true}');
  });
});

test('the agent’s instruction and tools are seen', () => {
  expect(the('a tool').turns[0]).toMatchObject({ instructions: { adder: expect.stringContaining('You are adder.') }, tools: [['add']] });
});

describe('D52 what is shipped is what is scored', () => {
  test('D52 plugins of the App run, and extra ones after them', () => {
    expect(the('an App and its plugins')).toMatchObject({ appName: 'shop', ids: { appName: 'shop' }, after: { own: 1, extra: 1 } });
    expect(answers('a plugin that answers for the model')).toEqual(['from the plugin']);
  });
  test('D54 a Runner brings its services; services can be given', () => {
    expect(the('a Runner and its services')).toMatchObject({ ids: { appName: 'given', userId: 'bo', sessionId: 'pinned' }, after: { plugin: 1, events: 4 } });
    expect(answers('a memory service')).toEqual(['done: {"found":0}']);
  });
  test('D53 factories, at once and slow', () => {
    expect([...answers('a factory'), ...answers('a slow factory of an App')]).toEqual(['from a factory', 'from a slow factory']);
    expect(the('a slow factory of an App')).toMatchObject({ appName: 'late', endReason: 'completed' });
  });
});

test('D50 toolsets stay open while cases run, and are closed once, those inside an AgentTool too', () => {
  expect(the('toolsets are closed once, after the last case')).toMatchObject({ during: ['{"outside":0,"inside":0}'], after: { outside: 1, inside: 1, restored: true } });
});
