import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readEvalSetText } from '../../src/evalset/reader';
import { evalSetTemplate } from '../../src/evalset/set-template';
import { commandFolder, removeCommandFolders } from '../support/command';

afterAll(removeCommandFolders);

describe('the template of an eval set', () => {
  test.each(['toml', 'json'] as const)('loads back without a warning: %s', (format) => {
    const text = evalSetTemplate(format);
    const { value, warnings } = readEvalSetText(text, `/x/a.test.${format}`);
    expect(warnings).toEqual([]);
    expect(value.evalCases).toHaveLength(1);
    expect(text).toContain('REPLACE_ME');
    expect(text).not.toMatch(/null|creation_timestamp|[a-z][A-Z]\w* *[=:]/);
  });

  test('another format is refused with the legal ones', () => {
    expect(() => evalSetTemplate('yml' as never)).toThrow('There is no template in the format "yml"; formats are toml, json.');
  });

  test('is printed as TOML unless asked for otherwise, by both commands', async () => {
    const folder = commandFolder();
    const toml = await folder.run(['schema']);
    expect(toml).toEqual({ code: 0, stdout: evalSetTemplate('toml'), stderr: '' });
    expect((await folder.run(['schema', '--format', 'json'])).stdout).toBe(evalSetTemplate('json'));
    expect(await folder.runBin('jest-adk-eval-schema', ['-f', 'json'])).toEqual({ code: 0, stdout: evalSetTemplate('json'), stderr: '' });
  });

  test('goes into a file whose folder is made, and over none without --force', async () => {
    const folder = commandFolder();
    const file = join(folder.dir, 'deep', 'er', 'a.test.toml');
    expect((await folder.run(['schema', '-o', 'deep/er/a.test.toml'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(evalSetTemplate('toml'));
    const again = await folder.run(['schema', '-o', 'deep/er/a.test.toml', '-f', 'json']);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toMatch(/a\.test\.toml exists already.*--force/);
    expect(readFileSync(file, 'utf8')).toBe(evalSetTemplate('toml'));
    expect((await folder.run(['schema', '-o', 'deep/er/a.test.toml', '-f', 'json', '--force'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(evalSetTemplate('json'));
  });

  test('a file that cannot be written is told', async () => {
    const folder = commandFolder({ file: 'x' });
    const { code, stderr } = await folder.run(['schema', '-o', 'file/a.test.toml']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('file/a.test.toml') as string });
    expect(existsSync(join(folder.dir, 'file')) && statSync(join(folder.dir, 'file')).isFile()).toBe(true);
  });
});

test.each(['eval-set', 'eval-config', 'result', 'run'])('the JSON Schema of %s is printed', async (name) => {
  const { stdout, code } = await commandFolder().run(['schema', '--json-schema', name]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveProperty('$schema');
});
