// Sends requests with the built client from a process of its own and prints what came of each, as JSON.
// usage: node http-child.cjs '{"url", "headers", "env", "calls": [{"method", "segments", "body"}]}'
const { parseBaseUrl } = require('../../dist/src/target/http/base-url');
const { HttpClient } = require('../../dist/src/target/http/client');

async function main({ url, headers = [], env = {}, calls }) {
  const client = new HttpClient({ base: parseBaseUrl(url), headers, env, timeoutMs: 20_000 });
  const outcomes = [];
  for (const call of calls) {
    outcomes.push(
      await client.request(call).then(
        ({ text }) => ({ text }),
        ({ code, message }) => ({ code, message }),
      ),
    );
  }
  client.close();
  process.stdout.write(JSON.stringify(outcomes));
}

void main(JSON.parse(process.argv[2]));
