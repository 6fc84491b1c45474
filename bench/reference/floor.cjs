// The agent's SDK alone: import, and one turn in each of so many sessions, four at once. usage: floor.cjs TURNS
const { InMemorySessionService, Runner } = require('@google/adk');
const { rootAgent } = require('./agent.cjs');

const appName = 'floor';
const userId = 'user';

async function turn(index) {
  const sessionService = new InMemorySessionService();
  const runner = new Runner({ appName, agent: rootAgent, sessionService });
  const { id } = await sessionService.createSession({ appName, userId });
  let events = 0;
  for await (const _event of runner.runAsync({ userId, sessionId: id, newMessage: { role: 'user', parts: [{ text: `How many parts are in box ${index}?` }] } })) events += 1;
  if (events === 0) throw new Error('the agent said nothing');
}

async function main(turns) {
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < turns) await turn(next++);
  };
  await Promise.all([0, 1, 2, 3].map(worker));
  console.log(`evaluated in ${(performance.now() - started).toFixed(1)} ms`);
}

main(Number(process.argv[2]));
