import { type Lane, Scheduler } from '../../src/support/scheduler';

/** Tasks that end when the test says so, and the order in which they started. */
function controlled(lane: Lane) {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const peak = { now: 0, most: 0 };
  const start = (name: string, options?: { signal?: AbortSignal; priority?: number }): Promise<string> =>
    lane.run(
      () =>
        new Promise<string>((resolve) => {
          started.push(name);
          peak.now += 1;
          peak.most = Math.max(peak.most, peak.now);
          finish.set(name, () => {
            peak.now -= 1;
            resolve(name);
          });
        }),
      options,
    );
  return { started, peak, start, finish: (name: string) => finish.get(name)?.() };
}

/** Lets everything run that waits for nothing but promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('never more at once than the limit, in the order of the calls', async () => {
  const lane = new Scheduler().lane('target', 2);
  const tasks = controlled(lane);
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => tasks.start(name));
  await settle();
  expect(tasks.started).toEqual(['a', 'b']);
  expect([lane.running, lane.waiting]).toEqual([2, 3]);
  tasks.finish('b');
  await settle();
  expect(tasks.started).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd', 'e']) {
    tasks.finish(name);
    await settle();
  }
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(tasks.peak.most).toBe(2);
});

test('a higher priority starts before what waits', async () => {
  const lane = new Scheduler().lane('target', 1);
  const tasks = controlled(lane);
  const all = [tasks.start('first'), tasks.start('waits'), tasks.start('urgent', { priority: 1 })];
  await settle();
  tasks.finish('first');
  await settle();
  expect(tasks.started).toEqual(['first', 'urgent']);
  tasks.finish('urgent');
  await settle();
  tasks.finish('waits');
  await Promise.all(all);
});

test('a task that fails gives its slot back and stops no other', async () => {
  const lane = new Scheduler().lane('target', 1);
  const failing = lane.run(() => Promise.reject(new Error('boom')));
  const throwing = lane.run(() => {
    throw new Error('at once');
  });
  const next = lane.run(() => Promise.resolve('fine'));
  await expect(failing).rejects.toThrow('boom');
  await expect(throwing).rejects.toThrow('at once');
  await expect(next).resolves.toBe('fine');
});

test('what is aborted while it waits is never started', async () => {
  const lane = new Scheduler().lane('target', 1);
  const tasks = controlled(lane);
  const controller = new AbortController();
  const first = tasks.start('first');
  const second = tasks.start('second', { signal: controller.signal });
  await settle();
  controller.abort(new Error('not any more'));
  tasks.finish('first');
  await first;
  await expect(second).rejects.toThrow('not any more');
  expect(tasks.started).toEqual(['first']);
});

test('lanes of one key share the larger limit, and each keeps its own', async () => {
  const scheduler = new Scheduler();
  const wide = scheduler.lane('target', 3);
  const narrow = scheduler.lane('target', 1);
  const other = scheduler.lane('judge:m', 1);
  expect(scheduler.limits()).toEqual({ target: 3, 'judge:m': 1 });
  const [wideTasks, narrowTasks, otherTasks] = [controlled(wide), controlled(narrow), controlled(other)];
  const all = [...['n1', 'n2'].map((name) => narrowTasks.start(name)), ...['w1', 'w2', 'w3'].map((name) => wideTasks.start(name)), otherTasks.start('j')];
  await settle();
  expect([narrowTasks.started, wideTasks.started, otherTasks.started]).toEqual([['n1'], ['w1', 'w2'], ['j']]);
  wideTasks.finish('w1');
  await settle();
  expect(wideTasks.started).toEqual(['w1', 'w2', 'w3']);
  for (const finish of ['w2', 'w3'].map((name) => () => wideTasks.finish(name))) finish();
  for (const name of ['n1', 'n2']) {
    narrowTasks.finish(name);
    await settle();
  }
  otherTasks.finish('j');
  await Promise.all(all);
  wide.close();
  expect(scheduler.limits()).toEqual({ target: 1, 'judge:m': 1 });
  narrow.close();
  other.close();
  expect(scheduler.limits()).toEqual({});
});

test.each([0, -1, 1.5, Number.NaN])('a limit of %p is refused', (limit) => {
  expect(() => new Scheduler().lane('target', limit)).toThrow(RangeError);
});
