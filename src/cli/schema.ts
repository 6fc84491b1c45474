import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeOutput } from './files';
import type { CommandModule } from './types';

const schemas = ['eval-set', 'eval-config', 'result', 'run'] as const;

/** `jest-adk schema`: an eval set to be filled in, or the JSON Schema of a file format. */
export const schemaCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage('$0 schema [flags]\n\nPrints an eval set with REPLACE_ME where something has to be written.')
      .option('format', { alias: 'f', choices: ['toml', 'json'], default: 'toml', describe: 'Format of the template' })
      .option('json-schema', { choices: schemas, describe: 'Print the JSON Schema of this format instead' })
      .option('output', { alias: 'o', type: 'string', requiresArg: true, describe: 'File to write; its folder is made' })
      .option('force', { type: 'boolean', default: false, describe: 'Overwrite the file' })
      .example('$0 schema -o evals/home.test.toml', 'Start an eval set')
      .example('$0 schema --json-schema eval-set -o eval-set.schema.json', 'For your editor'),
  run(args, { cwd, stdout }) {
    const name = args['json-schema'] as (typeof schemas)[number] | undefined;
    const text = name === undefined ? template(args.format as 'toml' | 'json') : readFileSync(join(__dirname, '..', '..', 'schemas', `${name}.schema.json`), 'utf8');
    const output = args.output as string | undefined;
    if (output === undefined) stdout.write(text);
    else writeOutput(resolve(cwd, output), text, args.force === true);
    return Promise.resolve(0);
  },
};

function template(format: 'toml' | 'json'): string {
  return (require('../evalset/set-template') as typeof import('../evalset/set-template')).evalSetTemplate(format);
}
