import { configFromObject } from '../../src/config/reader';
import { checkMatchers } from '../../src/metrics/check-matchers';
import { customMetric } from '../../src/metrics/custom';
import { operatorNames } from '../../src/metrics/arg-matchers';
import { makeMetrics, metricNames } from '../../src/metrics/registry';
import { rouge1 } from '../../src/metrics/rouge';
import { defaultProfile } from '../../src/support/profile';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { turn } from '../metrics/support';
import { codeBlocks } from './markdown';

const page = 'docs/metrics.md';
const text = readFileSync(join(__dirname, '../..', page), 'utf8');
const blocks = codeBlocks(page).filter((block) => block.language === 'json');

test.each(blocks.filter((block) => block.name !== undefined).map((block) => [block.name, block.text] as const))('%s is a config that is accepted', (_name, json) => {
  const config = configFromObject(JSON.parse(json)).value;
  const custom = new Map([...config.customMetrics.keys()].map((name) => [name, customMetric(name, () => 1)]));
  expect(makeMetrics(config.criteria, defaultProfile, custom).problems).toEqual([]);
});

test('the matchers shown are matchers', () => {
  const args = JSON.parse(blocks.find((block) => block.name === undefined)?.text ?? '') as Record<string, string>;
  const value = { evalSetId: 's', creationTimestamp: 0, evalCases: [{ evalId: 'c', creationTimestamp: 0, conversation: [turn('', [{ name: 'f', args }])] }] };
  expect(checkMatchers({ value, placeOf: () => undefined })).toEqual([]);
});

test('every operator and every metric is on the page', () => {
  expect(operatorNames.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
  expect(metricNames().filter((name) => !text.includes(name))).toEqual([]);
});

test('the figure about negation is right', () => {
  expect(rouge1('the lamp is not on', 'the lamp is on').fmeasure.toFixed(2)).toBe('0.89');
});
