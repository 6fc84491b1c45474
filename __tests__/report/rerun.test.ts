import { execFileSync } from 'node:child_process';
import { likelyShell, rerunCommand } from '../../src/report/rerun';

const plain = { evalId: 'dim_bedroom', testFile: '/p/evals/home.test.ts', testName: 'home dims' };

describe('the command that runs one case again', () => {
  test.each([
    ['posix', plain, "JEST_ADK_ONLY=dim_bedroom npx jest evals/home.test.ts -t '^home dims$'"],
    ['powershell', plain, "$env:JEST_ADK_ONLY='dim_bedroom'; npx jest evals/home.test.ts -t '^home dims$'; $env:JEST_ADK_ONLY=$null"],
    ['cmd', plain, 'cmd /c "set "JEST_ADK_ONLY=dim_bedroom" && npx jest evals/home.test.ts -t "^home dims$""'],
    ['posix', { evalId: "it's 5 $HOME", testFile: '/p/a b.test.ts' }, String.raw`JEST_ADK_ONLY='it'\''s 5 $HOME' npx jest 'a b.test.ts'`],
    ['posix', { evalId: 'a', testFile: '/p/[id].test.ts', testName: 'adds (2) + 2' }, String.raw`JEST_ADK_ONLY=a npx jest --runTestsByPath '[id].test.ts' -t '^adds \(2\) \+ 2$'`],
    ['posix', { evalId: '日本', testFile: '/elsewhere/x.test.js' }, "JEST_ADK_ONLY='日本' npx jest /elsewhere/x.test.js"],
    ['posix', { evalId: 'a', testFile: '/p/x.test.js', configFile: '/p/cfg/jest.config.js' }, 'JEST_ADK_ONLY=a npx jest --config cfg/jest.config.js x.test.js'],
    ['posix', { evalId: 'a', testFile: '/p/x.test.js', testNameEnd: 'home a.b' }, String.raw`JEST_ADK_ONLY=a npx jest x.test.js -t 'home a\.b$'`],
    ['posix', { evalId: 'a' }, 'JEST_ADK_ONLY=a npx jest'],
  ] as const)('%s %j', (shell, rerun, command) => expect(rerunCommand(rerun, '/p', shell)).toBe(command));

  test('a shell hands over exactly the id and the name', () => {
    const awkward = `a'b "c" $d \`e\` \\f !g`;
    const command = rerunCommand({ evalId: awkward, testFile: '/p/x.test.js', testName: awkward }, '/p', 'posix').replace('npx jest', `'${process.execPath}' -e 'console.log(JSON.stringify([process.env.JEST_ADK_ONLY, process.argv.slice(1)]))' --`);
    const [only, words] = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as [string, string[]];
    expect(only).toBe(awkward);
    expect(new RegExp(words[2] as string).test(awkward)).toBe(true);
  });

  test.each([
    ['linux', {}, 'posix'],
    ['win32', { PROMPT: '$P$G' }, 'cmd'],
    ['win32', {}, 'powershell'],
  ] as const)('%s %j', (platform, env, shell) => expect(likelyShell(platform, env)).toBe(shell));
});
