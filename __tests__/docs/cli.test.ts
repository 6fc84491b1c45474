import { commandFolder, removeCommandFolders } from '../support/command';
import { startFakeServer, type FakeServer } from '../support/fake-server';
import { codeBlocks } from './markdown';

jest.setTimeout(60_000);

const blocks = ['docs/cli.md', 'docs/sessions.md'].flatMap(codeBlocks);
const files = Object.fromEntries(blocks.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text] as const])));
const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n').filter((line) => line !== ''));
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer();
  await server.script({ apps: ['home'], default: { text: 'The bedroom is dim.' } });
});
afterAll(async () => {
  await server.stop();
  removeCommandFolders();
});

test('the pages show commands', () => {
  expect(commands.length).toBeGreaterThan(10);
});

test.each(commands)('%s', async (line) => {
  const [npx, name, ...args] = line.replace('https://agent.example.com', server.url).split(' ');
  expect([npx, name]).toEqual(['npx', 'jest-adk']);
  const { code, stderr } = await commandFolder({ 'package.json': {}, ...files }).run(args);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
});
