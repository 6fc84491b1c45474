import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv, commandFolder, removeCommandFolders, type CommandFolder } from '../support/command';

jest.setTimeout(30_000);
afterAll(removeCommandFolders);

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const has = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

/** A folder with the script of a shell; no `jest-adk` can be found from it, as none is needed. */
async function scriptFor(shell: Shell): Promise<CommandFolder> {
  const folder = commandFolder({ 'agent.cjs': '' });
  const { code, stdout, stderr } = await folder.run(['completion', shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  writeFileSync(join(folder.dir, 'script'), stdout);
  return folder;
}

function output(shell: Shell, args: readonly string[], cwd: string): readonly string[] {
  return execFileSync(shell, args, { cwd, env: cleanEnv(), encoding: 'utf8' }).split('\n').filter((line) => line !== '');
}

/** What a real shell offers at the end of a line. Of zsh the functions that draw are stood in for: they print what they are given. */
async function offered(shell: Shell, words: readonly string[]): Promise<readonly string[]> {
  const { dir } = await scriptFor(shell);
  if (shell === 'bash') return output(shell, ['--norc', '-c', `source ./script; COMP_WORDS=(jest-adk ${quoted(words)}); COMP_CWORD=${words.length}; _jest_adk; printf '%s\\n' "\${COMPREPLY[@]}"`], dir);
  if (shell === 'fish') return output(shell, ['--no-config', '-c', `source ./script; complete -C "jest-adk ${words.join(' ')}"`], dir).map((line) => line.split('\t')[0] ?? '');
  const draws = `compdef() {}; _describe() { print -rl -- \${(P)2}; }; _arguments() { print -rl -- "$@"; }`;
  return output(shell, ['-f', '-c', `${draws}; source ./script; words=(jest-adk ${quoted(words)}); CURRENT=${words.length + 1}; _jest_adk`], dir);
}

const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['commands', ['ev'], ['eval', 'eval-all', 'eval-set']],
  ['flags of a command', ['eval', '--num'], ['--num-runs']],
  ['flags that take something away', ['init', '--no'], ['--no-workflow']],
  ['values of a flag', ['schema', '--format', 'to'], ['toml']],
  ['values of a setting', ['eval', './agent.cjs', '--output-format', 'nd'], ['ndjson']],
  ['the words of a command', ['completion', 'f'], ['fish']],
];

describe('bash', () => {
  const inBash = has('bash') ? test : test.skip;
  inBash.each(cases)('%s', async (_name, words, expected) => {
    expect(await offered('bash', words)).toEqual(expected);
  });

  inBash('a value behind an equals sign, which bash cuts off', async () => {
    expect(await offered('bash', ['schema', '--format', '=', 'to'])).toEqual(['toml']);
    expect(await offered('bash', ['schema', '--format', '='])).toEqual(['toml', 'json']);
  });

  inBash('nothing where a path is expected: bash then offers files', async () => {
    expect(await offered('bash', ['eval', './age'])).toEqual([]);
    expect(await offered('bash', ['eval', './agent.cjs', 'ev'])).toEqual([]);
    expect(await offered('bash', ['schema', '-o', 'f'])).toEqual([]);
  });
});

describe('fish', () => {
  const inFish = has('fish') ? test : test.skip;
  inFish.each(cases)('%s', async (_name, words, expected) => {
    expect(await offered('fish', words)).toEqual(expected);
  });

  inFish('files where a path is expected, and nowhere else', async () => {
    expect(await offered('fish', ['eval', './ag'])).toEqual(['./agent.cjs']);
    expect(await offered('fish', ['schema', 'ag'])).toEqual([]);
  });
});

describe('zsh', () => {
  const inZsh = has('zsh') ? test : test.skip;
  inZsh('commands', async () => {
    expect(await offered('zsh', ['ev'])).toContain('eval-all:Score an agent with every eval set of a folder');
  });

  inZsh('flags of a command, their values, and paths', async () => {
    const specs = await offered('zsh', ['eval', '--num']);
    expect(specs).toContain('*--num-runs=[Trials of each case (default\\: 2)]:value:_files');
    expect(specs.find((spec) => spec.startsWith('*--output-format='))).toMatch(/:value:\(pretty json ndjson\)$/);
    expect(specs.at(-1)).toBe('*:path:_files');
    expect((await offered('zsh', ['completion', ''])).at(-1)).toBe('1:word:(bash zsh fish)');
  });
});

test.each([
  ['/usr/bin/zsh', /^#compdef jest-adk\n/],
  ['/bin/bash', /\bcomplete -F _jest_adk jest-adk\b/],
  ['/opt/homebrew/bin/fish', /^complete -c jest-adk /m],
])('without a name, the script for $SHELL: %s', async (shell, script) => {
  const { code, stdout } = await commandFolder().run(['completion'], { SHELL: shell });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(script) as string });
});

test.each([
  ['a shell that is not known', ['completion', 'tcsh'], {}, '"tcsh"'],
  ['a $SHELL that is not known', ['completion'], { SHELL: '/bin/dash' }, 'The shell is not known: $SHELL is "/bin/dash". Name it: jest-adk completion bash | zsh | fish'],
  ['no $SHELL', ['completion'], { SHELL: '' }, '$SHELL is not set'],
  ['a second word', ['completion', 'bash', 'more'], {}, 'Nothing is expected at "more"'],
  ['a flag that it does not have', ['completion', '--bogus'], {}, 'There is no flag --bogus.'],
])('%s is refused, and nothing is printed that a shell would run', async (_name, args, env, message) => {
  const { code, stdout, stderr } = await commandFolder().run(args, env);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string });
});
