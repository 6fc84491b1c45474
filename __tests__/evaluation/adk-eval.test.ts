import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { adkEval } from '../../src/evaluation/adk-eval';
import { functionTarget } from '../../src/target/function-target';
import { hostOf, temporaryFolder } from './planned';

const evalCase = (eval_id: string, text: string, answer = text) => ({ eval_id, conversation: [{ user_content: { parts: [{ text }] }, final_response: { parts: [{ text: answer }] } }] });
const setOf = (eval_set_id: string, ...eval_cases: object[]) => ({ eval_set_id, eval_cases });

function command(files: Readonly<Record<string, object | string>>, sets: readonly string[], configFilePath?: string) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const target = functionTarget(({ text }) => (text === 'quiet' ? undefined : text));
  const request = { target, appName: 'shop', agentsDir: folder, sets, ...(configFilePath === undefined ? {} : { configFilePath }) };
  return adkEval(request, hostOf({ rootDir: folder })).then((outcome) => ({ ...outcome, saved: existsSync(join(folder, 'shop', '.adk', 'eval_history')) }));
}

test('all pass: exit 0, counted and saved', async () => {
  const outcome = await command({ 'a.evalset.json': setOf('s', evalCase('a', 'hi'), evalCase('b', 'ho')) }, ['a.evalset.json']);
  expect(outcome).toMatchObject({ exitCode: 0, saved: true });
  expect([...(outcome.summary ?? [])]).toEqual([['s', { passed: 2, failed: 0 }]]);
});

test.each<[string, Readonly<Record<string, object | string>>, readonly string[], string | undefined]>([
  ['a silent agent', { 'a.json': setOf('s', evalCase('a', 'quiet')) }, ['a.json'], 'turn_count'],
  ['one set id in two files', { 'a.json': setOf('s', evalCase('a', 'hi')), 'b.json': setOf('s', evalCase('a', 'hi')) }, ['a.json', 'b.json'], 'duplicate_set_id'],
  ['one case id twice in a file', { 'a.json': setOf('s', evalCase('a', 'hi'), evalCase('a', 'hi')) }, ['a.json'], 'duplicate_case_id'],
  ['an unknown set id', {}, ['nope'], 'set_not_found'],
  ['a folder in place of a file', { 'd/a.json': '' }, ['d'], 'file_unreadable'],
])('%s ends it uncaught, and nothing is saved', async (_name, files, sets, code) => {
  expect(await command(files, sets)).toMatchObject({ exitCode: 1, saved: false, error: { kind: 'uncaught', cause: { code } } });
});

test('a later file that is missing is a matter of usage', async () => {
  expect(await command({ 'a.json': setOf('s', evalCase('a', 'hi')) }, ['a.json', 'b.json'])).toMatchObject({ exitCode: 1, error: { kind: 'usage' } });
});

test('by id, cases of one id run twice and are compared with the first', async () => {
  const outcome = await command({ 'shop/named.evalset.json': setOf('other', evalCase('a', 'hi'), evalCase('a', 'ho')) }, ['named']);
  expect([...(outcome.summary ?? [])]).toEqual([['named', { passed: 1, failed: 1 }]]);
});

test('nothing selected: an empty summary and exit 1', async () => {
  expect(await command({ 'a.json': setOf('s', evalCase('a', 'hi')) }, ['a.json:nope'])).toMatchObject({ exitCode: 1, summary: new Map() });
});
