/** The commands, a line each. A command's file is loaded when it is called. */
import type { CommandEntry, CommandModule } from './types';

/** In the order in which `--help` lists them. */
export const commands: readonly CommandEntry[] = [
  { command: 'eval', describe: 'Score an agent with eval sets', takesWords: true, load: () => (require('./eval/command') as { readonly evalCommand: CommandModule }).evalCommand },
  { command: 'eval-all', describe: 'Score an agent with every eval set of a folder', takesWords: true, load: () => (require('./eval-all') as { readonly evalAllCommand: CommandModule }).evalAllCommand },
  { command: 'validate', describe: 'Check eval sets and configs without an agent', takesWords: true, load: () => (require('./validate') as { readonly validateCommand: CommandModule }).validateCommand },
  { command: 'schema', describe: 'Print an eval set to be filled in, or the JSON Schema of a file format', load: () => (require('./schema') as { readonly schemaCommand: CommandModule }).schemaCommand },
  { command: 'convert', describe: 'Convert eval sets to another format or spelling', takesWords: true, load: () => (require('./convert') as { readonly convertCommand: CommandModule }).convertCommand },
  { command: 'capture', describe: 'Make an eval case of a session', takesWords: true, load: () => (require('./capture') as { readonly captureCommand: CommandModule }).captureCommand },
  { command: 'judge-check', describe: 'Compare a judge with labels of people', takesWords: true, load: () => (require('./judge-check') as { readonly judgeCheckCommand: CommandModule }).judgeCheckCommand },
  { command: 'generate', describe: 'Make up scenarios for an agent', takesWords: true, load: () => (require('./generate') as { readonly generateCommand: CommandModule }).generateCommand },
  { command: 'eval-set', describe: 'Make an eval set, and cases of scenarios', takesWords: true, load: () => (require('./eval-set') as { readonly evalSetCommand: CommandModule }).evalSetCommand },
  { command: 'doctor', describe: 'Look for what stands in the way here, and say what to do', takesWords: true, load: () => (require('./doctor/command') as { readonly doctorCommand: CommandModule }).doctorCommand },
  { command: 'init', describe: 'Make a first eval in this project', load: () => (require('./init/command') as { readonly initCommand: CommandModule }).initCommand },
  { command: 'completion [shell]', describe: 'Print a script that completes commands and flags in a shell', load: () => (require('./completion/command') as { readonly completionCommand: (all: readonly CommandEntry[]) => CommandModule }).completionCommand(commands) },
];
