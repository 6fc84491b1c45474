/** Whether the preset is in force, as the project's own Jest sees it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installed } from './packages';
import type { Finding, Surroundings } from './types';

/** What is looked at in the output of `jest --showConfig`. */
interface ShownConfig {
  readonly configs: readonly ShownProject[];
  readonly globalConfig: { readonly reporters?: readonly (readonly [string, unknown])[] };
}

interface ShownProject {
  readonly displayName?: { readonly name: string };
  readonly rootDir: string;
  readonly testEnvironment: string;
  readonly testRunner: string;
  readonly setupFilesAfterEnv: readonly string[];
  readonly moduleNameMapper: readonly (readonly [string, unknown])[];
}

/** Milliseconds that Jest may take to show its configuration. */
const patience = 60_000;

/** Asks the project's Jest for its configuration, as a child process. */
export async function checkPreset({ cwd, env }: Surroundings): Promise<readonly Finding[]> {
  const jest = runnableJest(cwd);
  if (jest === undefined) return [];
  const { stdout, stderr, failed } = await showConfig(jest, cwd, env);
  if (failed) return [{ check: 'preset', status: 'problem', message: `Jest does not start here: ${firstLines(stderr)}`, advice: 'Mend the Jest configuration: npx jest --showConfig' }];
  const shown = configIn(stdout);
  if (shown === undefined) return [{ check: 'preset', status: 'problem', message: `Jest shows no configuration; it printed: ${firstLines(stdout) || 'nothing'}`, advice: 'See what npx jest --showConfig prints, and install Jest again if it is not a configuration.' }];
  return [...shown.configs.map((project) => checkProject(project, shown.configs.length > 1)), ...checkReporter(shown)];
}

/** Path of the project's Jest; undefined where there is none, or a damaged one, which is told with the packages. */
function runnableJest(cwd: string): string | undefined {
  try {
    const jest = installed('jest', cwd);
    return jest === undefined ? undefined : join(jest.folder, 'bin', 'jest.js');
  } catch {
    return undefined;
  }
}

/** The configuration in what Jest printed: a configuration in code may have printed lines of its own around it. */
function configIn(stdout: string): ShownConfig | undefined {
  const end = stdout.lastIndexOf('\n}') + 2;
  for (const { index } of stdout.matchAll(/^\{/gm)) {
    try {
      const value = JSON.parse(stdout.slice(index, end)) as Partial<ShownConfig>;
      if (Array.isArray(value.configs) && value.globalConfig !== undefined) return value as ShownConfig;
    } catch {
      // not its beginning
    }
  }
  return undefined;
}

function showConfig(jest: string, cwd: string, env: Surroundings['env']): Promise<{ readonly stdout: string; readonly stderr: string; readonly failed: boolean }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [jest, '--showConfig'], { cwd, env, maxBuffer: 1 << 26, timeout: patience }, (error, stdout, stderr) => {
      resolve({ stdout, stderr: stderr === '' ? (error?.message ?? '') : stderr, failed: error !== null });
    });
  });
}

function checkProject(project: ShownProject, isOneOfMany: boolean): Finding {
  const check = isOneOfMany ? `preset of ${project.displayName?.name ?? project.rootDir}` : 'preset';
  const { testEnvironment, testRunner, setupFilesAfterEnv } = project;
  const active = [
    ['testEnvironment', isOurs(testEnvironment)],
    ['testRunner', isOurs(testRunner)],
    ['setupFilesAfterEnv', setupFilesAfterEnv.some(isOurs)],
    ['moduleNameMapper', project.moduleNameMapper.some(([pattern]) => pattern === '^jest-adk$')],
  ] as const;
  const missing = active.filter(([, on]) => !on).map(([name]) => name);
  if (missing.length === active.length) {
    return isOneOfMany
      ? { check, status: 'note', message: 'is not used in this project', advice: "If agents are tested there, give it preset: 'jest-adk'." }
      : { check, status: 'problem', message: 'is not in force', advice: "Add preset: 'jest-adk' to the Jest configuration, or make the configuration with createPreset({ ... }) of jest-adk." };
  }
  if (missing.length > 0) return { check, status: 'problem', message: `is there, but the configuration replaces its ${missing.join(', ')}`, advice: 'Take your own values out, or merge both: module.exports = createPreset({ ... }) of jest-adk.' };
  const other = copyOf(testEnvironment);
  if (other !== undefined && other !== copyOf(__filename)) return { check, status: 'ok', message: `is in force (of ${other}; this command is another copy)` };
  return { check, status: 'ok', message: 'is in force' };
}

function checkReporter({ configs, globalConfig }: ShownConfig): readonly Finding[] {
  const used = configs.some(({ testEnvironment }) => isOurs(testEnvironment));
  if (!used || (globalConfig.reporters ?? []).some(([path]) => isOurs(path))) return [];
  return [{ check: 'reporter', status: 'warning', message: 'is missing: there will be no summary of the evaluations of a run', advice: "Add 'jest-adk/reporter' to \"reporters\" (Jest ignores those of a preset inside \"projects\"), or use createPreset({ projects })." }];
}

function isOurs(path: string): boolean {
  return copyOf(path) !== undefined;
}

/** The folder of the copy of jest-adk that a file belongs to. */
function copyOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: string }).name === 'jest-adk' ? folder : undefined;
    if (dirname(folder) === folder) return undefined;
  }
}

function firstLines(text: string): string {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '').slice(0, 3).join(' ');
}
