import { narrowedTo } from '../../src/target/sub-agent';

const leaf = { name: 'lamps' };
const root = { name: 'house', subAgents: [{ name: 'garden' }, { name: 'rooms', subAgents: [leaf] }] };
const brand = (kind: string): Record<symbol, boolean> => ({ [Symbol.for(`google.adk.${kind}`)]: true });

test('finds an agent anywhere in the tree, the root too', async () => {
  const next = (): object => root;
  expect(await narrowedTo({ next }, 'lamps').next()).toBe(leaf);
  expect(await narrowedTo({ next, first: root }, 'house').next()).toBe(root);
  expect(narrowedTo({ next, first: root }, 'lamps').first).toBe(leaf);
});

test('an unknown name is refused with the nearest, at once when the root is known', () => {
  expect(() => narrowedTo({ next: () => root, first: root }, 'lamp')).toThrow('There is no agent "lamp" in the tree of "house". Did you mean "lamps"?');
});

test.each([
  ['app', { rootAgent: root, plugins: ['p'] }, 'rootAgent'],
  ['runner', { agent: root, plugins: ['p'] }, 'agent'],
])('an %s keeps what it has, and is the same for every trial', async (kind, own, key) => {
  const whole = { ...brand(kind), ...own };
  const source = narrowedTo({ next: () => whole }, 'lamps');
  const narrowed = (await source.next()) as Record<string, unknown>;
  expect(narrowed).toMatchObject({ plugins: ['p'] });
  expect(narrowed[key]).toBe(leaf);
  expect(await source.next()).toBe(narrowed);
  expect((whole as Record<string, unknown>)[key]).toBe(root);
});
