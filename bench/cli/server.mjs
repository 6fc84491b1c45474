// An `adk api_server` that answers every turn after 50 ms, and says when the first session was asked for and when the last turn was answered.
// Prints its port; `GET /__phase` gives { startMs, endMs, turns, sessions, deleted } since the last time it was asked, in milliseconds since the epoch.
import { createServer } from 'node:http';

const turnMs = Number(process.argv[2] ?? 50);
const fresh = () => ({ startMs: undefined, endMs: undefined, turns: 0, sessions: 0, deleted: 0 });
let phase = fresh();
let nextId = 0;

const server = createServer({ keepAlive: true }, (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
  request.on('end', () => answer(request, body, response));
});

function send(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function answer({ method, url }, body, response) {
  if (url === '/__phase') {
    send(response, phase);
    phase = fresh();
  } else if (url === '/list-apps') send(response, ['bench_agent']);
  else if (method === 'POST' && url === '/run') {
    setTimeout(() => {
      phase.turns += 1;
      phase.endMs = Date.now();
      const invocationId = `e-${phase.turns}`;
      send(response, [{ id: invocationId, invocationId, author: 'bench_agent', timestamp: Date.now() / 1000, content: { role: 'model', parts: [{ text: 'There are twelve parts in the box you asked about.' }] }, actions: {} }]);
    }, turnMs);
  } else if (method === 'POST') {
    phase.startMs ??= Date.now();
    phase.sessions += 1;
    nextId += 1;
    send(response, { id: `s-${nextId}`, appName: 'bench_agent', userId: 'eval_user', state: {}, events: [], lastUpdateTime: Date.now() / 1000 });
  } else {
    phase.deleted += 1;
    send(response, null);
  }
}

// A socket that is closed while a request is on its way would measure luck.
server.keepAliveTimeout = 300_000;

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
