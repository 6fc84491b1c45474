import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvalSetFile } from '../../src/evalset/reader';
import { renderPromptMarkers } from '../../src/evalset/prompt-markers';
import type { EvalSet, Loaded, Part } from '../../src/evalset/types';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-markers-')));
  mkdirSync(join(root, 'project/evals/prompts'), { recursive: true });
  writeFileSync(join(root, 'project/evals/prompts/ask.txt'), '\uFEFFDim the $ROOM.\r\nThanks\r\n');
  writeFileSync(join(root, 'project/shared.txt'), 'shared');
  writeFileSync(join(root, 'project/evals/latin1.txt'), Buffer.from([0x66, 0xfc, 0x72]));
  writeFileSync(join(root, 'outside.txt'), 'outside');
  symlinkSync(join(root, 'outside.txt'), join(root, 'project/evals/link.txt'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const parts = (...texts: string[]): { parts: Part[] } => ({ parts: texts.map((text) => ({ text })) });

function load(user: readonly string[], final?: readonly string[], places?: Map<object, string>): Loaded<EvalSet> {
  const turn = { invocationId: 't', creationTimestamp: 0, userContent: parts(...user), ...(final && { finalResponse: parts(...final) }) };
  const file = join(root, 'project/evals/a.test.json');
  return {
    value: { evalSetId: 'a', creationTimestamp: 0, evalCases: [
      { evalId: 'scenario', creationTimestamp: 0, conversationScenario: { startingPrompt: '<prompt:none.txt>', conversationPlan: '' } },
      { evalId: 'one', creationTimestamp: 0, conversation: [turn] },
    ] },
    file, warnings: [], dependencies: [join(root, 'session.json')],
    placeOf: (node) => (places?.has(node) ? { file, path: [places.get(node) as string] } : undefined),
  };
}
const options = () => ({ projectRoot: join(root, 'project') });
const texts = ({ value }: Loaded<EvalSet>) => {
  const turn = value.evalCases[1]?.conversation?.[0];
  return [turn?.userContent, turn?.finalResponse].map((content) => content?.parts?.map((part) => part.text));
};

test('a whole text is replaced by its rendered file, in user content and final response; line breaks as LF', () => {
  const rendered = renderPromptMarkers(load(['<prompt:prompts/ask.txt ROOM="bed room">', 'as <prompt:x>'], [' <prompt:../shared.txt UNUSED=1>\n']), options());
  expect(texts(rendered)).toEqual([['Dim the bed room.\nThanks\n', 'as <prompt:x>'], ['shared']]);
  expect(rendered.dependencies).toEqual([join(root, 'session.json'), join(root, 'project/evals/prompts/ask.txt'), join(root, 'project/shared.txt')]);
});

test('jinja drops the last line break', () => {
  writeFileSync(join(root, 'project/evals/j.txt'), 'Dim {{ ROOM }}.\n');
  expect(texts(renderPromptMarkers(load(['<prompt:j.txt ROOM=x>']), { ...options(), engine: 'jinja' }))).toEqual([['Dim x.'], undefined]);
});

test('a set without markers is returned as it is', () => {
  const loaded = load(['hello', 'see <prompt:x>'], ['bye']);
  expect(renderPromptMarkers(loaded, options())).toBe(loaded);
});

test('objects that were replaced keep their places', () => {
  const places = new Map<object, string>();
  const loaded = load(['<prompt:../shared.txt>', 'plain'], undefined, places);
  const turn = loaded.value.evalCases[1]?.conversation?.[0];
  places.set(turn as object, 'turn').set(turn?.userContent.parts?.[0] as object, 'part');
  const rendered = renderPromptMarkers(loaded, options());
  const changed = rendered.value.evalCases[1]?.conversation?.[0];
  expect(changed).not.toBe(turn);
  expect([changed, changed?.userContent.parts?.[0]].map((node) => rendered.placeOf(node as object)?.path)).toEqual([['turn'], ['part']]);
  expect(changed?.userContent.parts?.[1]).toBe(turn?.userContent.parts?.[1]);
});

test('all problems of all markers come at once, each at its marker', () => {
  const run = () => renderPromptMarkers(load(
    ['<prompt:>', '<prompt:none.txt>', '<prompt:prompts/ask.txt ROM=x oops>', '<prompt:../../outside.txt>', '<prompt:link.txt>', '<prompt:latin1.txt>', '<prompt:prompts>', '<prompt:a.txt A="x>'],
    ['<prompt:prompts/ask.txt>'],
  ), options());
  const at = (kind: string, index: number) => ['eval_cases', 1, 'conversation', 0, kind, 'parts', index, 'text'];
  const file = join(root, 'project/evals/a.test.json');
  const problem = (code: string, index: number, message: string, kind = 'user_content') => ({ code, file, path: at(kind, index), message: expect.stringContaining(message) });
  expect(run).toThrow(expect.objectContaining({ code: 'prompt_markers', problems: [
    problem('marker_without_file', 0, 'No file is named. Marker: <prompt:>'),
    problem('prompt_file', 1, `There is no file ${join(root, 'project/evals/none.txt')}. Marker: <prompt:none.txt>`),
    problem('marker_pair', 2, '"oops" is no KEY=VALUE pair'),
    problem('missing_variable', 2, `${join(root, 'project/evals/prompts/ask.txt')} uses the variable ROOM`),
    problem('prompt_file_outside', 3, 'is outside the project'),
    problem('prompt_file_outside', 4, 'is outside the project'),
    problem('prompt_file', 5, 'not UTF-8 at byte 1 in'),
    problem('prompt_file', 6, 'cannot be read'),
    problem('marker_quote', 7, 'never closed'),
    problem('missing_variable', 0, 'ROOM', 'final_response'),
  ].map((expected) => expect.objectContaining(expected)) }));
});

test('an eval set outside the project may use files of its own folder', () => {
  const rendered = renderPromptMarkers(load(['<prompt:prompts/ask.txt ROOM=x>']), { projectRoot: join(root, 'elsewhere') });
  expect(texts(rendered)[0]).toEqual(['Dim the x.\nThanks\n']);
  expect(() => renderPromptMarkers(load(['<prompt:../shared.txt>']), { projectRoot: join(root, 'elsewhere') })).toThrow(/outside the project/);
});

test('an unknown engine is refused', () => {
  expect(() => renderPromptMarkers(load([]), { ...options(), engine: 'nunjucks' as 'jinja' })).toThrow(/promptTemplateEngine is "nunjucks"\. It is one of string, jinja, eta/);
});

test.each([
  ['a.test.json', '{\n  "evalSetId": "a", "eval_cases": [{"eval_id": "x", "conversation": [\n    {"user_content": {"parts": [{"text": "<prompt:none.txt>"}]}}\n  ]}]\n}', 3, 34],
  ['a.test.toml', 'eval_set_id = "a"\n[[eval_cases]]\neval_id = "x"\n[[eval_cases.conversation]]\nuser_content = { parts = [{ text = "<prompt:none.txt>" }] }\n', 5, 29],
])('a marker read from %s is told with line and column', (name, text, line, column) => {
  const file = join(root, 'project', name);
  writeFileSync(file, text);
  expect(() => renderPromptMarkers(readEvalSetFile(file), options())).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ file, line, column })] }));
});

test('a rendered set still says where its cases stand', () => {
  const file = join(root, 'project/b.test.json');
  writeFileSync(file, '{"eval_set_id": "b", "eval_cases": [{"eval_id": "x", "conversation": [{"user_content": {"parts": [{"text": "<prompt:shared.txt>"}]}}]}]}');
  const rendered = renderPromptMarkers(readEvalSetFile(file), options());
  expect(rendered.value.evalCases[0]?.conversation?.[0]?.userContent.parts?.[0]?.text).toBe('shared');
  expect(rendered.placeOf(rendered.value.evalCases[0] as object)).toEqual({ file, path: ['eval_cases', 0] });
});
