import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, removeCommandFolders, type CommandFolder } from '../support/command';
import { startFakeGemini, type FakeGemini } from '../support/gemini-server';
import { linkSdk } from '../support/sdk-project';
import { agreementOf } from '../../src/support/agreement';

jest.setTimeout(60_000);

let gemini: FakeGemini;
beforeAll(async () => {
  gemini = await startFakeGemini();
});
afterAll(async () => {
  await gemini.stop();
  removeCommandFolders();
});

const env = (): Record<string, string> => ({ GOOGLE_GEMINI_BASE_URL: gemini.url, GEMINI_API_KEY: 'none-at-all' });

function folderWith(files: Readonly<Record<string, unknown>>): CommandFolder {
  const folder = commandFolder({ 'package.json': {}, ...files });
  linkSdk(folder.dir);
  return folder;
}

describe('judge-check', () => {
  const answer = (valid: boolean): object => ({ json: { reasoning: valid ? 'the same' : 'another price', is_the_agent_response_valid: valid ? 'valid' : 'invalid' } });
  const example = (id: string, price: number, label: string): object => ({ id, user: 'The price?', response: `It is ${price} euros.`, reference: '5 euros', label });
  const labelled = { metric: 'final_response_match_v2', criterion: { judge_model_options: { num_samples: 1 } }, examples: [example('a', 5, 'valid'), example('b', 6, 'invalid'), example('c', 7, 'valid'), example('d', 5, 'valid')] };
  const script = { replies: [{ match: { anyContains: 'It is 5' }, ...answer(true) }], default: answer(false) };

  test('tells accuracy, kappa, a confusion table and the differences', async () => {
    await gemini.script(script);
    const { code, stdout } = await folderWith({ 'labelled.json': labelled }).run(['judge-check', 'labelled.json'], env());
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'final_response_match_v2 by gemini-2.5-flash: 4 verdicts',
        "accuracy 0.750, Cohen's kappa 0.500",
        'samples disagreed on 0 verdicts (0.0 %)',
        'people \\ judge      no   yes',
        'no                   1     0',
        'yes                  1     2',
        'differs: c: people yes, judge no — judge: another price',
        '',
      ].join('\n'),
    );
  });

  test('--min-accuracy makes it a check, and a judge that does not answer is a 2', async () => {
    await gemini.script(script);
    const folder = folderWith({ 'labelled.json': labelled });
    expect((await folder.run(['judge-check', 'labelled.json', '--min-accuracy', '0.8'], env())).code).toBe(1);
    await gemini.script({ default: { block: 'SAFETY' } });
    expect(await folder.run(['judge-check', 'labelled.json'], env())).toMatchObject({ code: 2, stderr: expect.stringContaining('no verdict on a: ') as string });
  });

  test('rubrics have a label each, and split samples are counted', async () => {
    await gemini.script({ replies: [{ match: { regex: '.' }, sequence: [{ json: { verdicts: [{ id: 'r', verdict: 'yes', rationale: 'x' }] } }, { json: { verdicts: [{ id: 'r', verdict: 'no', rationale: 'x' }] } }, { json: { verdicts: [{ id: 'r', verdict: 'yes', rationale: 'x' }] } }] }] });
    const file = { metric: 'rubric_based_final_response_quality_v1', criterion: { rubrics: [{ rubric_id: 'r', rubric_content: { text_property: 'Polite.' } }], judge_model_options: { num_samples: 3 } }, examples: [{ user: 'Hi', response: 'Hello', labels: { r: 'yes' } }] };
    const { stdout, code } = await folderWith({ 'l.json': file }).run(['judge-check', 'l.json', '--json'], env());
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ agreement: { accuracy: 1 }, flips: 1, flipRate: 1 });
  });

  test.each([
    ['no file', [], /FILE is required/],
    ['no examples', ['empty.json'], /There are no examples/],
    ['labels that are none', ['odd.json'], /The label must be one of valid, invalid/],
    ['a metric without a judge', ['plain.json'], /response_match_score asks no judge/],
  ])('refuses %s', async (_name, args, message) => {
    const files = { 'empty.json': { metric: 'safety_v1', examples: [] }, 'odd.json': { metric: 'safety_v1', examples: [{ user: 'a', response: 'b', label: 'fine' }] }, 'plain.json': { metric: 'response_match_score', examples: [example('a', 5, 'valid')] } };
    expect(await commandFolder(files).run(['judge-check', ...args])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
  });
});

test('Cohen’s kappa of a textbook table (Cohen 1960: 88, 14, 18 and 30 of 150)', () => {
  const pairs = [...Array<[string, string]>(88).fill(['a', 'a']), ...Array<[string, string]>(14).fill(['a', 'b']), ...Array<[string, string]>(18).fill(['b', 'a']), ...Array<[string, string]>(30).fill(['b', 'b'])].map(([expected, actual]) => ({ expected, actual }));
  const chance = (102 / 150) * (106 / 150) + (48 / 150) * (44 / 150);
  expect(agreementOf(pairs)?.kappa).toBeCloseTo((118 / 150 - chance) / (1 - chance), 12);
  expect(agreementOf([{ expected: 'a', actual: 'a' }])).toMatchObject({ accuracy: 1, kappa: null });
  expect(agreementOf([])).toBeUndefined();
});

const scenarios = [{ starting_prompt: 'A table.', conversation_plan: 'For two.' }, { starting_prompt: 'Cancel it.', conversation_plan: 'The one at eight.' }];

describe('generate scenarios', () => {
  const agent = "const { FunctionTool, LlmAgent } = require('@google/adk');\nconst { z } = require('zod');\nexports.rootAgent = new LlmAgent({ name: 'waiter', model: 'gemini-2.5-flash', instruction: 'Book tables.', tools: [new FunctionTool({ name: 'book', description: 'Books a table.', parameters: z.object({}), execute: () => ({}) })] });\n";

  test('tells the model of instructions and tools, asks again for what is missing, and what it writes makes cases that validate', async () => {
    await gemini.script({ replies: [{ match: { anyContains: 'Book tables.' }, sequence: [{ json: { scenarios: [scenarios[0], { starting_prompt: '', conversation_plan: 'x' }] } }, { json: { scenarios } }] }], default: { text: 'no' } });
    const folder = folderWith({ 'agent.cjs': agent, 'evals/test_config.json': { criteria: { hallucinations_v1: 0.5 } } });
    const made = await folder.run(['generate', 'scenarios', './agent.cjs', '--count', '2', '-o', 'made/scenarios.json'], env());
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('2 scenarios by gemini-2.5-flash') as string });
    expect(JSON.parse(readFileSync(join(folder.dir, 'made/scenarios.json'), 'utf8'))).toEqual({ scenarios });
    expect((await folder.run(['eval-set', 'create', 'evals/dinner.evalset.json'])).code).toBe(0);
    expect(await folder.run(['eval-set', 'add-cases', 'evals/dinner.evalset.json', '--scenarios-file', 'made/scenarios.json'])).toMatchObject({ code: 0, stderr: expect.stringContaining('2 cases added') as string });
    expect(await folder.run(['validate', 'evals'])).toMatchObject({ code: 0 });
  });

  test.each([
    ['a model that gives none', { default: { json: { scenarios: [] } } }, ['./agent.cjs', '--count', '1'], /The model gave 0 usable scenarios of 1/],
    ['a function', { default: {} }, ['./fn.cjs'], /exports no agent of @google\/adk/],
    ['a count of 0', { default: {} }, ['./agent.cjs', '--count', '0'], /--count takes a whole number/],
    ['a file that is there', { default: {} }, ['./agent.cjs', '-o', 'package.json'], /package\.json exists already/],
  ])('refuses %s', async (_name, script, args, message) => {
    await gemini.script(script);
    expect(await folderWith({ 'agent.cjs': agent, 'fn.cjs': 'exports.agent = async () => "";' }).run(['generate', 'scenarios', ...args], env())).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
  });
});

describe('eval-set', () => {
  test('cases have google-adk’s ids, and those that are there are left out', async () => {
    const folder = commandFolder({ 's.json': { scenarios: [{ starting_prompt: 'Book a table.', conversation_plan: 'For two at eight.' }] }, 'i.json': { app_name: 'waiter', user_id: 'u', state: { name: 'Bo' } } });
    await folder.run(['eval-set', 'create', 'a.evalset.json', '--id', 'dinner']);
    await folder.run(['eval-set', 'add-cases', 'a.evalset.json', '--scenarios-file', 's.json', '--session-input-file', 'i.json']);
    const again = await folder.run(['eval-set', 'add-cases', 'a.evalset.json', '--scenarios-file', 's.json']);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('case c5b10624 is there already') as string });
    expect(JSON.parse(readFileSync(join(folder.dir, 'a.evalset.json'), 'utf8'))).toMatchObject({ eval_set_id: 'dinner', eval_cases: [{ eval_id: 'c5b10624', conversation_scenario: { starting_prompt: 'Book a table.' }, session_input: { app_name: 'waiter', state: { name: 'Bo' } } }] });
  });

  test.each([
    ['a set that is there', ['create', 'there.json'], /there\.json exists already/],
    ['an id that is no name', ['create', 'b.json', '--id', '../b'], /eval set id/],
    ['no set', ['add-cases', 'none.json', '--scenarios-file', 'there.json'], /There is no eval set/],
    ['no scenarios', ['add-cases', 'there.json'], /needs --scenarios-file/],
    ['another word', ['delete', 'there.json'], /It takes "create FILE" or "add-cases FILE"/],
  ])('refuses %s', async (_name, args, message) => {
    expect(await commandFolder({ 'there.json': { eval_set_id: 's', eval_cases: [] } }).run(['eval-set', ...args])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
  });
});
