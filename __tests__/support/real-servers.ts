import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repoRoot } from './package-under-test';
import { pythonWithAdk } from './python';

/** A real `adk api_server` with the agents of `__tests__/fixtures/remote-agents`. */
export interface RealServer {
  readonly url: string;
  stop(): Promise<void>;
}

const agents = join(repoRoot, '__tests__', 'fixtures', 'remote-agents');

/** Python's server, its models behind `modelUrl`. */
export async function startPythonServer(modelUrl: string): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-python-server-'));
  cpSync(join(agents, 'python'), folder, { recursive: true });
  const env = { ...process.env, GOOGLE_GEMINI_BASE_URL: modelUrl, GOOGLE_API_KEY: 'none', PYTHONWARNINGS: 'ignore', PYTHONDONTWRITEBYTECODE: '1' };
  return started(pythonWithAdk() ?? 'python3', ['-m', 'google.adk.cli', 'api_server', folder, '--session_service_uri', 'memory://'], env, folder);
}

/** The version that is known to install; its database drivers need one version among themselves, which npm does not find by itself. */
const drivers = ['core', 'knex', 'reflection', 'mariadb', 'mssql', 'mysql', 'postgresql', 'sqlite'];
const devtools = { '@google/adk': '^2.0.0', '@google/adk-devtools': '2.0.0', '@google/genai': '^2.32.0', zod: '^4.6.7' };

/** Installs the TypeScript server: a folder with it in `node_modules`. `JEST_ADK_DEVTOOLS` names one that is there already. */
export function installDevtools(): { readonly folder: string; remove(): void } {
  const given = process.env['JEST_ADK_DEVTOOLS'];
  if (given !== undefined && given !== '') return { folder: given, remove: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-devtools-'));
  const overrides = Object.fromEntries(drivers.map((name) => [`@mikro-orm/${name}`, '6.6.16']));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'remote-agent', private: true, dependencies: devtools, overrides }));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: 500_000 });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The TypeScript server of an installation. */
export async function startTypeScriptServer(installation: string, modelUrl: string): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), 'jest-adk-typescript-server-'));
  cpSync(join(agents, 'js'), join(folder, 'agents'), { recursive: true });
  symlinkSync(join(installation, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const env = { ...process.env, GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: 'none' };
  const cli = join(installation, 'node_modules/@google/adk-devtools/dist/esm/cli_entrypoint.js');
  return started(process.execPath, [cli, 'api_server', join(folder, 'agents'), '--host', '127.0.0.1', '--session_service_uri', 'memory://'], env, folder);
}

/** Both servers only know ports that they are told. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function started(command: string, args: readonly string[], env: NodeJS.ProcessEnv, folder: string): Promise<RealServer> {
  const port = await freePort();
  const child = spawn(command, [...args, '--port', String(port)], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = await untilListening(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      output.resume();
      child.kill('SIGKILL');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Both say so when they listen, Python on stderr. */
function untilListening(child: ChildProcess): Promise<{ resume(): void }> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        said += piece;
        if (/ADK API Server started|Uvicorn running on/.test(said)) resolve({ resume: () => stream.resume() });
      });
    }
    child.once('close', (code) => reject(new Error(`the server ended with ${code}:\n${said}`)));
    child.once('error', reject);
  });
}
