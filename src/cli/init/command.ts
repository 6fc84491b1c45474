import { lstatSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { toErrorInfo } from '../../support/errors';
import type { CliArguments, CliIo, CommandModule, ExitCode } from '../types';
import type { NewFile } from './files';
import type { Project } from './project';

/** `jest-adk init`: a first eval in a project, which changes nothing that is there. */
export const initCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage(
        '$0 init [flags]\n\nMakes a working eval in the project of the working directory: a Jest configuration with the preset, an example agent, eval set, config and test, the npm script "eval" and a GitHub workflow.\nWhat exists is left as it is; a second call changes nothing.',
      )
      .option('dry-run', { type: 'boolean', default: false, describe: 'Say what would be made, and make nothing' })
      .option('workflow', { type: 'boolean', default: true, describe: 'The GitHub workflow (--no-workflow: none)' })
      .example('$0 init', 'Then: npm run eval')
      .example('$0 init --dry-run', 'Only look')
      .epilogue('Exit code: 0 done, 2 something was in the way.'),
  run: (args, io) => Promise.resolve(init(args, io)),
};

/** What is to be done, and what is already there. */
interface Plan {
  readonly project: Project;
  readonly make: readonly NewFile[];
  readonly kept: readonly NewFile[];
  /** Text of the script. */
  readonly script: string;
  /** `there`: package.json has one of that name. `by hand`: it cannot be added without changing more. */
  readonly manifest: { readonly text: string } | 'there' | 'by hand';
}

function init(args: CliArguments, { cwd, stdout }: CliIo): ExitCode {
  const plan = planFor(cwd, args.workflow === true);
  const say = (line: string): void => void stdout.write(`${line}\n`);
  if (args['dry-run'] !== true) carryOut(plan);
  const done = args['dry-run'] === true ? 'would make' : 'made';
  for (const { path, about } of plan.make) say(`${done}  ${shown(path)}  (${about})`);
  if (typeof plan.manifest === 'object') say(`${done}  the script "eval" in package.json`);
  for (const { path } of plan.kept) say(`kept  ${shown(path)}`);
  for (const line of byHand(plan)) say(line);
  return 0;
}

function planFor(dir: string, withWorkflow: boolean): Plan {
  const { lookAt } = require('./project') as typeof import('./project');
  const { filesFor, evalScript } = require('./files') as typeof import('./files');
  const project = lookAt(dir);
  const files = filesFor(project).filter(({ path }) => withWorkflow || !path.endsWith('eval.yml'));
  const exists = ({ path }: NewFile): boolean => isThere(resolve(dir, path));
  const script = evalScript(project);
  return { project, make: files.filter((file) => !exists(file)), kept: files.filter(exists), script, manifest: manifestWith(project, script) };
}

function manifestWith({ manifest, manifestText }: Project, script: string): Plan['manifest'] {
  if (manifest.scripts?.eval !== undefined) return 'there';
  const { withScript } = require('./manifest') as typeof import('./manifest');
  const text = withScript(manifestText, 'eval', script);
  return text === undefined ? 'by hand' : { text };
}

/** Whether a name is taken, be it by a link to nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // a file stands where a folder should be: writing says so
  }
}

function carryOut({ project, make, manifest }: Plan): void {
  const { publishFile } = require('../../support/files') as typeof import('../../support/files');
  const { JestAdkError } = require('../../support/errors') as typeof import('../../support/errors');
  const made: string[] = [];
  const write = (path: string, text: string, overwrite: boolean): void => {
    try {
      const file = resolve(project.dir, path);
      // A package.json that is a link stays one.
      publishFile(overwrite ? realpathSync(file) : file, text, { overwrite });
      made.push(shown(path));
    } catch (thrown) {
      const before = made.length === 0 ? 'Nothing was written.' : `Written before it: ${made.join(', ')}.`;
      throw new JestAdkError('not_written', [{ code: 'not_written', message: `${shown(path)} could not be written: ${toErrorInfo(thrown).message}. ${before}`, hint: 'Mend it and run it again: what is there is kept.' }]);
    }
  };
  for (const { path, text } of make) write(path, text, false);
  if (typeof manifest === 'object') write('package.json', manifest.text, true);
}

function byHand({ project, manifest, make, script }: Plan): readonly string[] {
  const { jestConfig, missing, packageManager, esm, typescript } = project;
  const add = packageManager === 'npm' ? 'npm install --save-dev' : `${packageManager} add --dev`;
  const steps = [
    ...(missing.length > 0 ? [`${add} ${missing.join(' ')}`] : []),
    ...(jestConfig !== undefined && !jestConfig.usesUs ? [`add preset: 'jest-adk' to ${jestConfig.file}, or make it with createPreset({ ... }) of jest-adk`] : []),
    ...(manifest === 'by hand' ? [`add the script "eval" to package.json: ${JSON.stringify(script)}`] : []),
    ...(manifest === 'there' && make.length > 0 ? ['there is a script "eval" already: run the evals by "npx jest evals"'] : []),
  ];
  const next = steps.length === 0 && manifest === 'there' && make.length === 0 ? ['Everything is there.'] : [];
  const run = esm && !typescript ? `${packageManager} run eval (npx jest alone needs NODE_OPTIONS=--experimental-vm-modules for ES modules)` : `${packageManager} run eval`;
  return [...(steps.length > 0 ? ['To do:', ...steps.map((step) => `  ${step}`)] : []), ...next, `Then: ${run}`];
}

function shown(path: string): string {
  return path.split(/[\\/]/).join('/');
}
