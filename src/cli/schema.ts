import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandModule } from './types';

const formats = ['eval-set', 'eval-config', 'result', 'run'] as const;

/** `jest-adk schema`: what editors and other tools need to know about our files. */
export const schemaCommand: CommandModule = {
  define: (yargs) => yargs.option('json-schema', { choices: formats, demandOption: true, describe: 'Which format to describe' }),
  run(args, { stdout }) {
    stdout.write(readFileSync(join(__dirname, '..', '..', 'schemas', `${args['json-schema'] as (typeof formats)[number]}.schema.json`), 'utf8'));
    return Promise.resolve(0);
  },
};
