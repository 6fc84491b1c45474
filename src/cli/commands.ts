/** The commands, a line each. A command's file is loaded when it is called. */
import type { CommandEntry, CommandModule } from './types';

/** In the order in which `--help` lists them. */
export const commands: readonly CommandEntry[] = [
  { command: 'eval', describe: 'Score an agent with eval sets', takesWords: true, load: () => (require('./eval/command') as { readonly evalCommand: CommandModule }).evalCommand },
  { command: 'schema', describe: 'Print the JSON Schema of a file format', load: () => (require('./schema') as { readonly schemaCommand: CommandModule }).schemaCommand },
];
