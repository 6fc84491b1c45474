/** The process around a command: what it writes goes out or is missed, and it does not end before the command has. */
import { writeSync } from 'node:fs';
import type { CliIo, CliStream, ExitCode } from './types';

/** Runs a command in this process and ends it with the command's exit code. */
export function runProcess(run: (io: CliIo) => Promise<ExitCode>): void {
  const { stdout, stderr } = process;
  const cwd = workingDirectory();
  if (cwd === undefined) {
    stderr.write('The working directory is not there any more: change to one that is.\n');
    process.exitCode = 2;
    return;
  }
  let lost: NodeJS.ErrnoException | undefined;
  // Who reads may go away (`| head`): that is no error of the command, which goes on to its verdict.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost ??= error;
  });
  stderr.on('error', () => undefined);
  let over = false;
  const onExit = (code: number): void => {
    if (over || code === 130 || code === 143) return;
    process.exitCode = 2;
    const message = 'The process was ended before the command was through: something it had loaded called process.exit, or left nothing to wait for.\n';
    try {
      writeSync(2, message);
    } catch {
      // Nobody can be told.
    }
  };
  process.on('exit', onExit);
  const exit = process.exit.bind(process);
  const end = (code: ExitCode): void => {
    over = true;
    // An agent or a server that ignores its time limit must not keep the command alive.
    stdout.write('', () => setImmediate(() => { // the stream tells its error after it has called back
      if (lost !== undefined) writeError(`The output could not be written: ${lost.message}\n`);
      process.exitCode = lost === undefined ? code : 2;
      stderr.write('', () => exit(process.exitCode));
    }));
  };
  const writeError = stderr.write.bind(stderr);
  void run({ cwd, env: process.env, stdout: own(stdout), stderr: own(stderr) }).then(end);
}

/** A stream as the command writes to it, whatever an agent in this process does to the stream's own `write`. */
function own(stream: NodeJS.WriteStream): CliStream {
  const write = stream.write.bind(stream);
  return {
    write: (text) => write(text),
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns || undefined; // 0 where a terminal does not know
    },
  };
}

/** Undefined when somebody has taken it away. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
