import { printable } from '../support/text-width';
import { shortPath } from './paths';

/** Shells that a command may be pasted into. */
export type Shell = 'posix' | 'powershell' | 'cmd';

/** What to run again. */
export interface Rerun {
  readonly evalId: string;
  /** Absolute path. */
  readonly testFile?: string;
  /** Full name, as Jest's `-t` sees it. */
  readonly testName?: string;
  /** How the full name ends, where only that is known. */
  readonly testNameEnd?: string;
  /** Absolute path of the Jest config when it was named on the command line. */
  readonly configFile?: string;
}

/** The shell a user of this platform most likely has: `cmd.exe` sets PROMPT, PowerShell does not. */
export function likelyShell(platform: NodeJS.Platform = process.platform, env: NodeJS.ProcessEnv = process.env): Shell {
  if (platform !== 'win32') return 'posix';
  return env['PROMPT'] === undefined ? 'powershell' : 'cmd';
}

/** A command that evaluates one case again and nothing else, quoted for the shell. Paths are relative to `cwd` where they lie below it. */
export function rerunCommand(rerun: Rerun, cwd: string, shell: Shell = likelyShell()): string {
  const quote = (text: string): string => quoteFor(text, shell);
  const words = ['npx jest'];
  if (rerun.configFile !== undefined) words.push('--config', quote(shortPath(rerun.configFile, cwd)));
  if (rerun.testFile !== undefined) words.push(...testFileWords(shortPath(rerun.testFile, cwd)).map(quote));
  if (rerun.testName !== undefined && rerun.testName !== '') words.push('-t', quote(`^${escapePattern(rerun.testName)}$`));
  else if (rerun.testNameEnd !== undefined) words.push('-t', quote(`${escapePattern(rerun.testNameEnd)}$`));
  const command = words.join(' ');
  if (shell === 'powershell') return `$env:JEST_ADK_ONLY=${quoteFor(rerun.evalId, shell, true)}; ${command}; $env:JEST_ADK_ONLY=$null`;
  if (shell === 'cmd') return `cmd /c "set "JEST_ADK_ONLY=${printable(rerun.evalId).replace(/[%"]/g, '')}" && ${command}"`;
  return `JEST_ADK_ONLY=${quote(rerun.evalId)} ${command}`;
}

/** Jest takes a path for a pattern; one that holds signs of patterns is given as a path. */
function testFileWords(path: string): string[] {
  return /^[\w./@ -]*$/.test(path) ? [path] : ['--runTestsByPath', path];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

const hasControls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** `$'…'` of bash and zsh, with control characters as escapes: a printed command must not steer the terminal it is printed on. */
function ansiCQuoted(text: string): string {
  const hex = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return `$'${text.replace(/['\\]/g, '\\$&').replace(new RegExp(hasControls, 'g'), hex)}'`;
}

function quoteFor(text: string, shell: Shell, always = false): string {
  if (!always && /^[\w./:@=,+-]+$/.test(text)) return text;
  if (shell === 'posix' && hasControls.test(text)) return ansiCQuoted(text);
  if (shell === 'posix') return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  if (shell === 'powershell') return `'${printable(text).replaceAll("'", "''")}'`;
  return `"${printable(text).replaceAll('"', '\\"')}"`;
}
