// The command line: what `--help` and a mistake cost beside bare Node, and what a run against a server with 50 ms turns costs beside a bare
// client that makes the same calls. With pytest-adk beside it when JEST_ADK_PEER names its command. Needs python3 for the figures of a process.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { cleanEnv, inScratch, median, promise, root, timed } from './lib.mjs';
import { writeWorkload } from './reference/eval_set.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const peer = process.env.JEST_ADK_PEER;
const folder = join(root, 'bench', 'cli');
const launcher = join(root, 'bin', 'jest-adk.js');

/** Runs a command under usage.py. @returns its figures; throws when it ended otherwise than expected */
function figures(command, cwd, code = 0) {
  const { stdout, stderr } = timed('python3', [join(folder, 'usage.py'), ...command], { cwd, env: cleanEnv() });
  const found = JSON.parse(stdout.trimEnd().split('\n').at(-1));
  if (found.code !== code) throw new Error(`${command.join(' ')} ended with ${found.code}\n${stdout}\n${stderr}`);
  return found;
}

/** Medians of each figure over the rounds, the sides in turn. */
function inTurn(sides, measure) {
  const runs = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) for (const [name, side] of Object.entries(sides)) runs[name].push(measure(side));
  return Object.fromEntries(Object.entries(runs).map(([name, list]) => [name, Object.fromEntries(Object.keys(list[0]).map((key) => [key, median(list.map((one) => one[key]))]))]));
}

function startServer() {
  const child = spawn(process.execPath, [join(folder, 'server.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  return new Promise((resolve) => child.stdout.once('data', (text) => resolve({ port: Number(text), stop: () => child.stdin.end() })));
}

function readPhase(port) {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/__phase' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });
}

function quickCommands(scratch) {
  const missing = join(scratch, 'broken.test.json');
  writeFileSync(missing, '{ "eval_set_id": "broken", "eval_cases": [ { "eval_id": "a", "conversatoin": [] } ] }\n');
  const eval_ = ['eval', 'http://127.0.0.1:9', missing, '--app-name', 'bench_agent'];
  const sides = {
    'bare Node': { command: [process.execPath, '-e', '0'] },
    '--help': { command: [process.execPath, launcher, '--help'] },
    'an error in a file': { command: [process.execPath, launcher, ...eval_], code: 2 },
    ...(peer === undefined ? {} : { 'pytest-adk --help': { command: [peer, 'eval', '--help'] } }),
  };
  const found = inTurn(sides, ({ command, code }) => figures(command, scratch, code));
  for (const [name, { wallMs, peakMiB }] of Object.entries(found)) console.log(`${name.padEnd(20)} ${wallMs.toFixed(0)} ms, ${peakMiB.toFixed(0)} MiB`);
  promise('--help, more than bare Node', found['--help'].wallMs - found['bare Node'].wallMs, 90, ' ms');
  promise('an error in a file, more than bare Node', found['an error in a file'].wallMs - found['bare Node'].wallMs, 250, ' ms');
  if (peer !== undefined) promise("--help over pytest-adk's", found['--help'].wallMs / found['pytest-adk --help'].wallMs, 1 / 8);
}

async function phases(scratch, port, cases, parallelism) {
  const file = writeWorkload(join(scratch, `evals-${cases}`), cases);
  writeFileSync(join(scratch, `evals-${cases}`, 'test_config.json'), JSON.stringify({ criteria: { response_match_score: 0.7 } }));
  const url = `http://127.0.0.1:${port}`;
  const sides = {
    bare: [process.execPath, join(folder, 'bare.mjs'), port, cases, 2, parallelism].map(String),
    command: [process.execPath, launcher, 'eval', url, file, '--parallelism', String(parallelism), '--quiet', '--results-dir', join(scratch, 'results')],
  };
  const runs = { bare: [], command: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, command] of Object.entries(sides)) {
      const used = figures(command, scratch);
      const { startMs, endMs, turns, sessions, deleted } = await readPhase(port);
      if (turns !== cases * 2 || sessions !== cases * 2 || deleted !== cases * 2) throw new Error(`${name} made ${sessions} sessions, ${turns} turns, ${deleted} deletes; ${cases * 2} of each were due`);
      runs[name].push({ phaseMs: endMs - startMs, startUpMs: startMs - used.startedMs });
    }
  }
  const middle = (name, key) => median(runs[name].map((run) => run[key]));
  const limit = parallelism === 64 ? 1.35 : 1.1;
  promise(`${cases} cases × 2 at ${parallelism} at once over a bare client (${middle('bare', 'phaseMs').toFixed(0)} ms)`, middle('command', 'phaseMs') / middle('bare', 'phaseMs'), limit);
  return middle('command', 'startUpMs');
}

function besidePeer(scratch, port) {
  const file = join(scratch, 'evals-500', 'parts.test.json');
  const flags = ['--app-name', 'bench_agent', '--parallelism', '16', '--results-dir', join(scratch, 'peer-results')];
  const sides = {
    'jest-adk': [process.execPath, launcher, 'eval', `http://127.0.0.1:${port}`, file, ...flags],
    'pytest-adk': [peer, 'eval', `http://127.0.0.1:${port}`, file, ...flags],
  };
  const found = inTurn(sides, (command) => figures(command, scratch));
  for (const [name, { wallMs, cpuMs, peakMiB }] of Object.entries(found)) console.log(`${name.padEnd(12)} 500 cases × 2 at 16: ${(wallMs / 1000).toFixed(1)} s, ${(cpuMs / 1000).toFixed(1)} s CPU, ${peakMiB.toFixed(0)} MiB`);
  promise("CPU time over pytest-adk's", found['jest-adk'].cpuMs / found['pytest-adk'].cpuMs, 1 / 3);
  promise("peak memory over pytest-adk's", found['jest-adk'].peakMiB / found['pytest-adk'].peakMiB, 0.5);
}

await inScratch(async (scratch) => {
  mkdirSync(join(scratch, 'results'));
  quickCommands(scratch);
  const { port, stop } = await startServer();
  try {
    const startUps = [];
    for (const cases of [100, 500]) for (const parallelism of [4, 16, 64]) startUps.push(await phases(scratch, port, cases, parallelism));
    promise('start-up, until the first session is asked for', Math.max(...startUps) / 1000, 0.5, ' s');
    if (peer === undefined) console.log('pytest-adk is not measured: JEST_ADK_PEER does not name its command');
    else besidePeer(scratch, port);
  } finally {
    stop();
  }
});
