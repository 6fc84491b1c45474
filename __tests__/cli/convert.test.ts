import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, removeCommandFolders } from '../support/command';

afterAll(removeCommandFolders);

const current = { eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation: [{ user_content: { parts: [{ text: 'hi' }] } }] }] };
const legacy = [{ query: 'hi', expected_tool_use: [{ tool_name: 'f', tool_input: { a: 1 } }], reference: 'yo' }];

describe('convert', () => {
  test('prints one file, in the format of the old one unless asked for another', async () => {
    const folder = commandFolder({ 'old.test.json': legacy });
    const json = await folder.run(['convert', 'old.test.json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ eval_set_id: 'old', eval_cases: [{ conversation: [{ user_content: { parts: [{ text: 'hi' }] }, intermediate_data: { tool_uses: [{ name: 'f', args: { a: 1 } }] } }] }] });
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect((await folder.run(['convert', 'old.test.json', '--to', 'toml'])).stdout).toMatch(/^eval_set_id = "old"\n/);
    expect((await folder.run(['convert', 'old.test.json', '-o', 'new/x.test.yaml'])).code).toBe(0);
    expect(readFileSync(join(folder.dir, 'new/x.test.yaml'), 'utf8')).toMatch(/^eval_set_id: old\n/);
  });

  test('--write puts new files beside the old ones, and touches none that is as it should be', async () => {
    const folder = commandFolder({ 'a.test.json': current, 'b.test.json': legacy });
    const refused = await folder.run(['convert', 'a.test.json', 'b.test.json', '--write']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/b\.test\.json exists already/) as string });
    const before = readFileSync(join(folder.dir, 'a.test.json'), 'utf8');
    expect(await folder.run(['convert', 'a.test.json', 'b.test.json', '--write', '--force'])).toMatchObject({ code: 0, stderr: 'b.test.json: written as b.test.json\n' });
    expect(readFileSync(join(folder.dir, 'a.test.json'), 'utf8')).toBe(before);
    expect(JSON.parse(readFileSync(join(folder.dir, 'b.test.json'), 'utf8'))).toHaveProperty('eval_set_id', 'b');
    await folder.run(['convert', 'a.test.json', '--write', '--to', 'toml']);
    expect(readdirSync(folder.dir).sort()).toEqual(['a.test.json', 'a.test.toml', 'b.test.json']);
  });

  test('--check says which files would change, and writes nothing', async () => {
    const folder = commandFolder({ 'a.test.json': current, 'b.test.json': legacy });
    expect(await folder.run(['convert', 'a.test.json', '--check'])).toEqual({ code: 0, stdout: '', stderr: '' });
    const text = readFileSync(join(folder.dir, 'b.test.json'), 'utf8');
    expect(await folder.run(['convert', 'a.test.json', 'b.test.json', '--check'])).toEqual({ code: 1, stdout: '', stderr: 'b.test.json: would be written anew\n' });
    expect((await folder.run(['convert', 'a.test.json', '--check', '--case', 'camel'])).code).toBe(1);
    expect(readFileSync(join(folder.dir, 'b.test.json'), 'utf8')).toBe(text);
  });

  test('writes nothing when one of the files is broken, and tells all problems', async () => {
    const folder = commandFolder({ 'a.test.json': legacy, 'b.test.json': '{"eval_set_id": 1}', 'c.test.yaml': 'a: [' });
    const before = readFileSync(join(folder.dir, 'a.test.json'), 'utf8');
    const { code, stderr, stdout } = await folder.run(['convert', 'a.test.json', 'b.test.json', 'c.test.yaml', 'gone.test.json', '--write', '--force']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/b\.test\.json:1[^]*c\.test\.yaml[^]*gone\.test\.json/);
    expect(readFileSync(join(folder.dir, 'a.test.json'), 'utf8')).toBe(before);
  });

  test('tells on stderr what did not come along', async () => {
    const folder = commandFolder({ 'a.test.json': { ...current, name: null } });
    expect((await folder.run(['convert', 'a.test.json', '--to', 'toml'])).stderr).toBe('a.test.json: not carried over: name: null, which TOML does not have\n');
  });

  test.each([
    [[], /FILE is required/],
    [['a.test.json', 'b.test.json'], /--write or --check/],
    [['a.test.json', '--to', 'xml'], /xml/],
    [['a.txt'], /a\.txt/],
  ])('%j is refused', async (args, text) => {
    const { code, stderr } = await commandFolder({ 'a.test.json': current, 'b.test.json': current, 'a.txt': '' }).run(['convert', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(text);
  });
});
