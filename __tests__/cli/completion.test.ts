import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cleanEnv, commandFolder, removeCommandFolders } from '../support/command';
import { repoRoot } from '../support/package-under-test';

jest.setTimeout(30_000);
afterAll(removeCommandFolders);

const hasBash = spawnSync('bash', ['-c', 'true']).status === 0;

/** What a real bash offers at the end of a line, with the script of `jest-adk completion` loaded. */
function offered(...words: readonly string[]): readonly string[] {
  const { dir, write } = commandFolder();
  write({ 'bin/jest-adk': `#!/bin/sh\nexec "${process.execPath}" "${join(repoRoot, 'bin', 'jest-adk.js')}" "$@"\n` });
  chmodSync(join(dir, 'bin', 'jest-adk'), 0o755);
  const script = `source <(jest-adk completion); COMP_WORDS=(jest-adk ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _jest-adk_yargs_completions; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...cleanEnv(), SHELL: '/bin/bash', PATH: `${join(dir, 'bin')}${delimiter}${process.env.PATH ?? ''}` };
  return execFileSync('bash', ['-c', script], { cwd: dir, env, encoding: 'utf8' }).split('\n').filter((line) => line !== '');
}

(hasBash ? test : test.skip).each([
  ['commands', ['ev'], ['eval', 'eval-all']],
  ['flags of a command', ['eval', '--num'], ['--num-runs']],
  ['values of a flag', ['schema', '--format', 'to'], ['toml']],
  ['nothing where a path is expected: bash then offers files', ['eval', './agent'], []],
])('in bash: %s', (_name, words, expected) => {
  expect(offered(...words)).toEqual(expected);
});

test('a script for zsh where that is the shell', async () => {
  const { code, stdout } = await commandFolder().run(['completion'], { SHELL: '/bin/zsh' });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^#compdef jest-adk\n/) as string });
});
