import { commandFolder, removeCommandFolders } from '../support/command';

afterAll(removeCommandFolders);

describe('the command line', () => {
  const folder = commandFolder();

  test.each([
    { args: [], code: 2, stdout: /^jest-adk <command>[^]*eval[^]*schema/, stderr: /^$/ },
    { args: ['--help'], code: 0, stdout: /^jest-adk <command>[^]*eval[^]*schema/, stderr: /^$/ },
    { args: ['--version'], code: 0, stdout: /^\d+\.\d+\.\d+/, stderr: /^$/ },
    { args: ['schma'], code: 2, stdout: /^$/, stderr: /^There is no command "schma"\. Did you mean "schema"\?\nSee: jest-adk --help\n$/ },
    { args: ['--bad'], code: 2, stdout: /^$/, stderr: /A command is missing before "--bad"/ },
    { args: ['schema', '--help'], code: 0, stdout: /--json-schema/, stderr: /^$/ },
    { args: ['schema', '--json-schema', 'result', '--json-shema', 'x'], code: 2, stdout: /^$/, stderr: /There is no flag --json-shema\. Did you mean "--json-schema"\?\nSee: jest-adk schema --help/ },
    { args: ['schema', '--json-schema', 'result', 'more'], code: 2, stdout: /^$/, stderr: /Nothing is expected at "more"/ },
    { args: ['schema', '--json-schema', 'nothing'], code: 2, stdout: /^$/, stderr: /"nothing"[^]*"eval-set"/ },
  ])('answers $args with $code', async ({ args, code, stdout, stderr }) => {
    const seen = await folder.run(args);
    expect(seen.stderr).toMatch(stderr);
    expect(seen.stdout).toMatch(stdout);
    expect(seen.code).toBe(code);
  });

  test.each(['eval', 'eval-all', 'validate', 'schema', 'convert', 'capture', 'doctor', 'init', 'completion'])('%s explains itself, with an example', async (command) => {
    const { stdout, code } = await folder.run([command, '--help']);
    expect(stdout).toMatch(new RegExp(`Examples:[^]*jest-adk ${command} `));
    expect(code).toBe(0);
  });
});
