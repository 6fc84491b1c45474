import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type CustomMetricContext, resolveCustomMetric, resolveCustomMetrics } from '../../src/config/custom-metric-loader';

let root: string;
const files = [
  'conf/metrics/tone.ts', 'conf/metrics/dual.ts', 'conf/throws.js', 'my_project/eval_metrics.mjs', 'lib/my_project/eval_metrics.js',
  'lib/my_project/eval_metrics.ts', 'local/helpers.ts',
];
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-metric-')));
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '');
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const tone = () => 1;
const scorer = { tone, toneScore: tone, notCallable: 5 };

/** Stands for Node or the sandbox: every file exports the same, one throws, one package exists and one is broken. */
const loader: CustomMetricContext['loader'] = {
  load: async (file) => {
    if (file.endsWith('throws.js')) throw new TypeError('boom at import');
    return file.endsWith('.mjs') ? { default: scorer } : scorer;
  },
  loadPackage: async (specifier) => {
    if (specifier === 'pkg/sub') return scorer;
    if (specifier === 'broken') throw Object.assign(new Error("Cannot find module 'its-dependency'"), { code: 'MODULE_NOT_FOUND' });
    throw Object.assign(new Error(`Cannot find module '${specifier}'`), { code: 'MODULE_NOT_FOUND' });
  },
};
const context = (): CustomMetricContext => ({ configFile: join(root, 'conf/test_config.json'), modulePaths: ['lib'], cwd: root, loader });
const rel = (file: string | undefined) => (file === undefined ? undefined : relative(root, file).replaceAll('\\', '/'));

test.each([
  ['./metrics/tone.ts#tone', 'conf/metrics/tone.ts'],
  ['./metrics/tone#tone', 'conf/metrics/tone.ts'],
  ['./metrics/dual.js#tone', 'conf/metrics/dual.ts'],
  ['../my_project/eval_metrics.mjs#tone', 'my_project/eval_metrics.mjs'],
  ['pkg/sub#tone', undefined],
  ['local/helpers.ts#tone', 'local/helpers.ts'],
  ['local/helpers#tone', 'local/helpers.ts'],
  ['my_project.eval_metrics.tone', 'lib/my_project/eval_metrics.ts'],
])('%s is the function in %s', async (name, file) => {
  const resolved = await resolveCustomMetric(name, context());
  expect(resolved.fn).toBe(tone);
  expect(rel(resolved.file)).toBe(file);
});

test('the working directory is looked at last, and always', async () => {
  const { modulePaths: _, ...bare } = context();
  expect(rel((await resolveCustomMetric('my_project.eval_metrics.tone', bare)).file)).toBe('my_project/eval_metrics.mjs');
});

test('a config in code has paths relative to the working directory', async () => {
  const { configFile: _, ...bare } = context();
  expect(rel((await resolveCustomMetric('./conf/metrics/tone.ts#tone', bare)).file)).toBe('conf/metrics/tone.ts');
});

test.each([
  ['tone', 'bad_metric_name', /"tone" names no function\. Write "\.\/file\.ts#name"/],
  ['./metrics/tone.ts', 'bad_metric_name', /names no function/],
  ['a..b', 'bad_metric_name', /names no function/],
  ['./metrics/tone.ts#', 'bad_metric_name', /names no function/],
  ['./metrics/none#tone', 'metric_module_not_found', /\(function "tone"\)\. Tried:\n.*none\n.*none\.ts\n.*none\.mts\n/],
  ['my_project.nothing.tone', 'metric_module_not_found', /Tried:\n.*lib.my_project.nothing\.ts\n(.*\n){4}.*my_project.nothing\.ts\n(.*\n){3}.*nothing\.cjs$/],
  ['no-such#tone', 'metric_module_not_found', /Tried:\n +package no-such\n.*lib.no-such\n/],
  ['broken#tone', 'metric_module_failed', /broken could not be loaded: Cannot find module 'its-dependency'/],
  ['./throws.js#tone', 'metric_module_failed', /throws\.js could not be loaded: TypeError: boom at import \(named by "\.\/throws\.js#tone"\)/],
  ['pkg/sub#tone_score', 'metric_not_exported', /pkg\/sub has no export "tone_score" .*\. Did you mean "toneScore"\?/],
  ['pkg/sub#zzz', 'metric_not_exported', /It exports tone, toneScore, notCallable\./],
  ['pkg/sub#notCallable', 'metric_not_a_function', /is of type number, not a function/],
])('%s is refused: %s', async (name, code, message) => {
  await expect(resolveCustomMetric(name, context())).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test('all bad metrics of a config are reported at once, with their place', async () => {
  const configs = new Map(['good', 'bad', 'worse'].map((name) => [name, { codeConfig: { name: name === 'good' ? 'pkg/sub#tone' : name } }]));
  await expect(resolveCustomMetrics(configs, context())).rejects.toMatchObject({
    code: 'custom_metrics',
    problems: [
      { file: join(root, 'conf/test_config.json'), path: ['custom_metrics', 'bad', 'code_config', 'name'], message: 'Custom metric "bad": "bad" names no function.' },
      { path: ['custom_metrics', 'worse', 'code_config', 'name'] },
    ],
  });
  configs.delete('bad');
  configs.delete('worse');
  expect([...(await resolveCustomMetrics(configs, context()))]).toEqual([['good', { fn: tone }]]);
});
