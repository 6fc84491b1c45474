import { execFile } from 'node:child_process';
import { join } from 'node:path';

const launcher = join(__dirname, '..', '..', 'bin', 'jest-adk.js');

function jestAdk(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, ...args], (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }));
  });
}

describe('the command line', () => {
  test.each([
    { args: [], code: 2, stdout: /^jest-adk <command>[^]*schema/, stderr: /^$/ },
    { args: ['--help'], code: 0, stdout: /^jest-adk <command>[^]*schema/, stderr: /^$/ },
    { args: ['--version'], code: 0, stdout: /^\d+\.\d+\.\d+/, stderr: /^$/ },
    { args: ['schma'], code: 2, stdout: /^$/, stderr: /^There is no command "schma"\. Did you mean "schema"\?\nSee: jest-adk --help\n$/ },
    { args: ['--bad'], code: 2, stdout: /^$/, stderr: /A command is missing before "--bad"/ },
    { args: ['schema', '--help'], code: 0, stdout: /--json-schema/, stderr: /^$/ },
    { args: ['schema', '--json-schema', 'result', '--json-shema', 'x'], code: 2, stdout: /^$/, stderr: /There is no flag --json-shema\. Did you mean "--json-schema"\?\nSee: jest-adk schema --help/ },
    { args: ['schema', '--json-schema', 'result', 'more'], code: 2, stdout: /^$/, stderr: /Nothing is expected at "more"/ },
    { args: ['schema', '--json-schema', 'nothing'], code: 2, stdout: /^$/, stderr: /"nothing"[^]*"eval-set"/ },
  ])('answers $args with $code', async ({ args, code, stdout, stderr }) => {
    const seen = await jestAdk(...args);
    expect(seen.stderr).toMatch(stderr);
    expect(seen.stdout).toMatch(stdout);
    expect(seen.code).toBe(code);
  });

  test('prints a schema on stdout', async () => {
    const { stdout } = await jestAdk('schema', '--json-schema', 'eval-set');
    expect(JSON.parse(stdout)).toHaveProperty('$schema');
  });
});
