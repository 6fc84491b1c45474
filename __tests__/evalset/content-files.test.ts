import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentFileProblems, contentFilesOf, resolveContentFiles } from '../../src/evalset/content-files';
import type { EvalSet, FileData, Loaded } from '../../src/evalset/types';

let root: string;
const bytes = Buffer.from([0xfb, 0xff, 0x00, 0x10]);
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-files-')));
  mkdirSync(join(root, 'project/evals/media'), { recursive: true });
  for (const file of ['project/evals/media/lamp.PNG', 'project/evals/note', 'outside.png']) writeFileSync(join(root, file), bytes);
  symlinkSync(join(root, 'outside.png'), join(root, 'project/evals/link.png'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const options = () => ({ baseDir: join(root, 'project/evals'), projectRoot: join(root, 'project') });

test.each<[FileData, string]>([
  [{ fileUri: 'media/lamp.PNG' }, 'image/png'],
  [{ fileUri: './media/lamp.PNG', mimeType: 'image/x-own' }, 'image/x-own'],
  [{ fileUri: 'note' }, 'application/octet-stream'],
])('%j becomes inline data of type %s', (fileData, mimeType) => {
  const content = { role: 'user', parts: [{ text: 'look' }, { fileData: { ...fileData, displayName: 'd' } }] };
  expect(resolveContentFiles(content, options())).toEqual({ role: 'user', parts: [{ text: 'look' }, { inlineData: { data: bytes.toString('base64'), mimeType, displayName: 'd' } }] });
});

test('URIs with a scheme, absolute paths and contents without files stay as they are', () => {
  const uris = ['gs://bucket/a.png', 'https://x/a.png', 'file:///a.png', '/abs/a.png', 'C:\\a.png', 'data:image/png;base64,AA'];
  const content = { parts: [{ text: 'x' }, {}, { fileData: {} }, ...uris.map((fileUri) => ({ fileData: { fileUri } }))] };
  expect(resolveContentFiles(content, options())).toBe(content);
  expect(resolveContentFiles({}, options())).toEqual({});
});

test('missing files and files outside the project are found before anything is sent, with their place', () => {
  const uris = ['media/lamp.PNG', 'none.png', '../../outside.png', 'link.png', 'media'];
  const turn = { invocationId: '', creationTimestamp: 0, userContent: { parts: uris.map((fileUri) => ({ fileData: { fileUri } })) } };
  const value: EvalSet = { evalSetId: 'a', creationTimestamp: 0, evalCases: [{ evalId: 'one', creationTimestamp: 0, conversation: [turn] }] };
  const file = join(root, 'project/evals/a.test.json');
  const loaded: Loaded<EvalSet> = { value, file, warnings: [], dependencies: [], placeOf: () => undefined };
  const path = (part: number) => ['eval_cases', 0, 'conversation', 0, 'user_content', 'parts', part, 'file_data'];
  expect(contentFileProblems(loaded, options())).toEqual([
    expect.objectContaining({ code: 'content_file', file, path: path(1), message: `There is no file ${join(root, 'project/evals/none.png')}.` }),
    expect.objectContaining({ code: 'content_file_outside', path: path(2) }),
    expect.objectContaining({ code: 'content_file_outside', path: path(3) }),
    expect.objectContaining({ code: 'content_file', path: path(4) }),
  ]);
  expect(contentFilesOf(value, options().baseDir)).toContain(join(root, 'project/evals/media/lamp.PNG'));
  expect(() => resolveContentFiles(turn.userContent, options())).toThrow(expect.objectContaining({ code: 'content_file' }));
});
