// The least that any client must do: the same calls as the command, by node:http, nothing read or scored.
// usage: bare.mjs PORT CASES RUNS PARALLELISM
import { Agent, request as send } from 'node:http';

const [port, cases, runs, parallelism] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const request = send({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
      response.on('end', () => resolve(JSON.parse(answer)));
    });
    request.on('error', reject).end(text);
  });
}

const sessions = '/apps/bench_agent/users/eval_user/sessions';
const deletes = [];
let next = 0;

async function slot() {
  while (next < cases * runs) {
    const index = next >> 1;
    next += 1;
    const { id } = await call('POST', sessions, {});
    await call('POST', '/run', { appName: 'bench_agent', userId: 'eval_user', sessionId: id, newMessage: { role: 'user', parts: [{ text: `How many parts are in box ${index}?` }] } });
    deletes.push(call('DELETE', `${sessions}/${id}`));
  }
}

await call('GET', '/list-apps');
await Promise.all(Array.from({ length: parallelism }, slot));
await Promise.all(deletes);
agent.destroy();
