import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { commandFolder, removeCommandFolders } from '../support/command';
import { createProject, removeProjects, type JestMajor, type Project } from '../support/run-jest';

jest.setTimeout(120_000);
afterAll(() => {
  removeCommandFolders();
  removeProjects();
});

const sdk = ['@google/adk', '@google/genai', 'zod'];
const typescript = ['ts-jest', 'typescript'];
const strict = { compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true, outDir: 'dist', rootDir: 'src' }, include: ['src'] };

/** Path and text of every file that is not installed. */
function textsOf(dir: string, folder = dir): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (['node_modules', '.adk', 'coverage'].includes(entry.name)) return [];
      return entry.isDirectory() ? Object.entries(textsOf(dir, path)) : [[relative(dir, path), readFileSync(path, 'utf8')]];
    }),
  );
}

function init(project: Project, ...args: readonly string[]): ReturnType<Project['node']> {
  return project.node([join(project.dir, 'node_modules/jest-adk/bin/jest-adk.js'), 'init', ...args]);
}

interface Kind {
  readonly jest: JestMajor;
  readonly packages: readonly string[];
  readonly packageJson?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, unknown>>;
}

const kinds: readonly (readonly [string, Kind])[] = [
  ['JavaScript', { jest: '30', packages: [] }],
  ['JavaScript, Jest 29, the SDK', { jest: '29', packages: sdk }],
  ['ES modules, the SDK', { jest: '30', packages: sdk, packageJson: { type: 'module' } }],
  ['ES modules, Jest 29', { jest: '29', packages: [], packageJson: { type: 'module' } }],
  ['TypeScript, the SDK', { jest: '30', packages: [...sdk, ...typescript], files: { 'tsconfig.json': strict } }],
  ['TypeScript, Jest 29', { jest: '29', packages: typescript, files: { 'tsconfig.json': strict } }],
  ['TypeScript in an ES module package, the SDK', { jest: '30', packages: [...sdk, ...typescript], packageJson: { type: 'module' }, files: { 'tsconfig.json': strict } }],
];

test.each(kinds)('%s: the eval that is made passes, and a second call changes nothing', async (_name, kind) => {
  const project = createProject(kind);
  const first = await init(project);
  expect({ status: first.status, stderr: first.stderr }).toEqual({ status: 0, stderr: '' });
  expect(first.stdout).not.toContain('To do:');
  const texts = textsOf(project.dir);
  const script = (JSON.parse(texts['package.json'] ?? '') as { scripts: { eval: string } }).scripts.eval;

  const words = script.replace(/^jest /, 'node_modules/jest/bin/jest.js ').replace(/^node /, '').split(' ');
  const run = await project.node(words);
  expect({ status: run.status, output: run.status === 0 ? '' : run.output }).toEqual({ status: 0, output: '' });
  expect(run.output).toContain('lamp_on');
  expect(run.output).toContain('1 of 1 case');

  const second = await init(project);
  expect(second.stdout).toContain('Everything is there.');
  expect(textsOf(project.dir)).toEqual(texts);
});

test('nothing that exists is changed, and what is left to do is said', async () => {
  const mine = {
    'package.json': '{\n\t"name": "mine",\n\t"scripts": {\n\t\t"eval": "make eval"\n\t},\n\t"jest": { "preset": "ts-jest" }\n}',
    'evals/example.test.json': '{}',
    'evals/example-agent.js': '// mine',
    '.github/workflows/eval.yml': 'name: mine\n',
    'yarn.lock': '',
  };
  const { dir, run } = commandFolder(mine);
  const { code, stdout } = await run(['init']);
  expect(code).toBe(0);
  const texts = textsOf(dir);
  for (const [path, text] of Object.entries(mine)) expect(texts[path]).toBe(text);
  expect(Object.keys(texts).filter((path) => !(path in mine))).toEqual(['evals/example.config.json', 'evals/example.eval.test.js']);
  expect(stdout).toContain("kept  evals/example-agent.js\n");
  expect(stdout).toContain("To do:\n  yarn add --dev jest@30 jest-adk\n  add preset: 'jest-adk' to package.json, or make it with createPreset({ ... }) of jest-adk\n  there is a script \"eval\" already");
});

test('package.json keeps its indentation, its order and its end', async () => {
  const { dir, run } = commandFolder({ 'package.json': '{\r\n\t"name": "mine",\r\n\t"scripts": {\r\n\t\t"build": "tsc"\r\n\t},\r\n\t"version": "1.0.0"\r\n}' });
  await run(['init', '--no-workflow']);
  expect(readFileSync(join(dir, 'package.json'), 'utf8')).toBe('{\r\n\t"name": "mine",\r\n\t"scripts": {\r\n\t\t"build": "tsc",\r\n\t\t"eval": "jest evals"\r\n\t},\r\n\t"version": "1.0.0"\r\n}');
  expect(Object.keys(textsOf(dir)).filter((path) => path.startsWith('.github'))).toEqual([]);
});

test('package.json gets the script, and no other character of it changes', async () => {
  const text = '\uFEFF{\n    "name": "mine",\n    "description": "caf\\u00e9",\n    "keywords": ["a", "b"],\n    "precise": 1.0,\n    "scripts": { "build": "tsc" }\n}\n';
  const { dir, run } = commandFolder({ 'package.json': text });
  await run(['init']);
  const written = readFileSync(join(dir, 'package.json'), 'utf8');
  expect(written.replace(/"scripts": \{[^}]*\}/, '')).toBe(text.replace(/"scripts": \{[^}]*\}/, ''));
  expect(JSON.parse(written.slice(1))).toMatchObject({ scripts: { build: 'tsc', eval: 'jest evals' } });
});

test('package.json keeps its permissions, and stays a link', async () => {
  const { dir, run } = commandFolder({ 'real/package.json': '{}' });
  chmodSync(join(dir, 'real/package.json'), 0o600);
  symlinkSync(join('real', 'package.json'), join(dir, 'package.json'));
  expect((await run(['init'])).code).toBe(0);
  expect(lstatSync(join(dir, 'package.json')).isSymbolicLink()).toBe(true);
  expect(statSync(join(dir, 'package.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dir, 'real/package.json'), 'utf8')).toContain('"eval": "jest evals"');
});

test('a package.json with "scripts" twice is left alone, and the script is named', async () => {
  const text = '{ "scripts": { "a": "b" }, "scripts": { "c": "d" } }';
  const { dir, run } = commandFolder({ 'package.json': text });
  const { code, stdout } = await run(['init']);
  expect({ code, text: readFileSync(join(dir, 'package.json'), 'utf8') }).toEqual({ code: 0, text });
  expect(stdout).toContain('To do:\n');
  expect(stdout).toContain('  add the script "eval" to package.json: "jest evals"\n');
});

test('a link to nowhere is left alone', async () => {
  const { dir, run } = commandFolder({ 'package.json': '{}' });
  symlinkSync(join(dir, 'nowhere.js'), join(dir, 'jest.config.js'));
  const { code, stdout } = await run(['init']);
  expect(code).toBe(0);
  expect(stdout).toContain("add preset: 'jest-adk' to jest.config.js");
  expect(readdirSync(dir)).not.toContain('nowhere.js');
});

test('--dry-run writes nothing', async () => {
  const { dir, run } = commandFolder({ 'package.json': '{}' });
  const { stdout } = await run(['init', '--dry-run']);
  expect(stdout).toContain('would make  evals/example.test.json');
  expect(textsOf(dir)).toEqual({ 'package.json': '{}' });
});

test('in a repository with several packages the workflow goes to its top, and runs in the package', async () => {
  const { dir, run } = commandFolder({ '.git/HEAD': '', 'pnpm-lock.yaml': '', 'packages/agent/package.json': '{}' });
  const { code } = await run(['init'], {}, join(dir, 'packages', 'agent'));
  expect(code).toBe(0);
  const workflow = textsOf(dir)['.github/workflows/eval.yml'] ?? '';
  expect(workflow).toContain('        working-directory: packages/agent\n');
  expect(workflow).toContain('- uses: pnpm/action-setup@v4');
  expect(workflow).toContain('- run: pnpm run eval');
});

test.each([
  ['no package.json', {}, 'There is no package.json in '],
  ['a package.json that is no JSON', { 'package.json': '{ "name": ' }, 'is no JSON: '],
  ['a package.json with a list', { 'package.json': '[]' }, 'holds no object'],
  ['scripts that are no object', { 'package.json': '{ "scripts": "x" }' }, 'is no object; got "x"'],
])('%s: refused, nothing is written', async (_name, files, message) => {
  const { dir, run } = commandFolder(files);
  const { code, stderr } = await run(['init']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string });
  expect(textsOf(dir)).toEqual(files);
});

test('a file where a folder should be is named, with what was written before', async () => {
  const { code, stderr } = await commandFolder({ 'package.json': '{}', evals: 'mine' }).run(['init']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/evals\/example-agent\.js could not be written: .*Written before it: jest\.config\.js\./) as string });
});
