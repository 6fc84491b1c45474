import { commandFolder, removeCommandFolders } from '../support/command';

afterAll(removeCommandFolders);

const turn = (more: object = {}): object => ({ user_content: { parts: [{ text: 'hi' }] }, final_response: { parts: [{ text: 'yo' }] }, ...more });
const set = (id: string, cases: readonly object[] = [{ eval_id: 'c1', conversation: [turn()] }]): object => ({ eval_set_id: id, eval_cases: cases });
const config = { criteria: { response_match_score: 0.8 } };

describe('validate', () => {
  test('says that all is well', async () => {
    const folder = commandFolder({ 'evals/a.test.json': set('a'), 'evals/test_config.json': config });
    expect(await folder.run(['validate', 'evals'])).toEqual({ code: 0, stdout: '', stderr: '1 checked: 0 problems, 0 warnings\n' });
  });

  test('finds every problem of every file at once, with places', async () => {
    const folder = commandFolder({
      'evals/a.test.json': '{\n  "eval_set_id": "a",\n  "eval_cases": [\n    { "eval_id": "c", "conversation": [ { "user_content": {}, "final_respons": 1 } ] }\n  ]\n}',
      'evals/b.test.json': set('b', [{ eval_id: 'x', conversation: [turn()] }, { eval_id: 'x', conversation: [turn()] }]),
      'evals/c.test.json': set('c', [{ eval_id: 'p', conversation: [turn({ user_content: { parts: [{ text: '<prompt:gone.txt>' }] } })] }]),
      'evals/test_config.json': { criteria: { response_match_scor: 0.8, tone: 1 }, custom_metrics: { tone: { code_config: { name: 'nowhere.tone' } } } },
    });
    const { code, stdout } = await folder.run(['validate', 'evals']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/a\.test\.json:4:\d+ .*final_respons[^]*Did you mean "final_response"/);
    expect(stdout).toMatch(/b\.test\.json:\d+:\d+[^]*"x" occurs more than once/);
    expect(stdout).toContain('gone.txt');
    expect(stdout).toMatch(/test_config\.json:\d+:\d+[^]*response_match_scor[^]*Did you mean "response_match_score"/);
    expect(stdout).toMatch(/nowhere\.tone/);
  });

  test.each([
    ['unused rubrics', { ...set('a', [{ eval_id: 'c1', conversation: [turn()], rubrics: [{ rubric_id: 'r', rubric_content: { text_property: 'x' } }] }]) }, config, /warning: .*a\.test\.json:\d+:\d+[^]*Rubrics that are not used \(r, in case "c1"\): no metric of the config reads rubrics/],
    ['a threshold out of range', set('a'), { criteria: { response_match_score: 8 } }, /warning: .*test_config\.json[^]*threshold 8/],
    ['a missing reference', set('a', [{ eval_id: 'c1', conversation: [{ user_content: { parts: [{ text: 'hi' }] } }] }]), config, /warning: .*a\.test\.json:\d+[^]*"c1" has no final_response/],
  ])('warns of %s; with --strict that counts', async (_what, evalSet, evalConfig, text) => {
    const folder = commandFolder({ 'a.test.json': evalSet, 'test_config.json': evalConfig });
    const loose = await folder.run(['validate', 'a.test.json']);
    expect(loose).toMatchObject({ code: 0, stdout: expect.stringMatching(text) as string });
    expect((await folder.run(['validate', 'a.test.json', '--strict'])).code).toBe(1);
  });

  test('a config by itself', async () => {
    const folder = commandFolder({ 'test_config.json': { criteria: { response_match_score: { treshold: 1 } } }, 'empty_config.json': { criteria: {} } });
    const { code, stdout } = await folder.run(['validate', 'test_config.json', 'empty_config.json']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/test_config\.json:\d+:\d+/);
    expect(stdout).toMatch(/empty_config\.json[^]*no criterion/);
  });

  test('one id in two files, and one metric with two meanings, are told', async () => {
    const folder = commandFolder({
      'a/a.test.json': set('same'), 'b/b.test.json': set('same'),
      'a/test_config.json': { criteria: { m: 1 }, custom_metrics: { m: { code_config: { name: './m.cjs#one' } } } },
      'b/test_config.json': { criteria: { m: 1 }, custom_metrics: { m: { code_config: { name: './m.cjs#two' } } } },
      'a/m.cjs': 'exports.one = () => 1', 'b/m.cjs': 'exports.two = () => 1',
    });
    const { code, stdout } = await folder.run(['validate', 'a', 'b']);
    expect(code).toBe(1);
    expect(stdout).toContain('"same"');
    expect(stdout).toMatch(/metric "m" is .*#one.* and .*#two/);
  });

  test('findings as JSON, and as annotations that keep their place and their line breaks escaped', async () => {
    const folder = commandFolder({ 'a.test.json': set('a'), 'test_config.json': { criteria: { 'x,y:%': 1 } } });
    const asJson = await folder.run(['validate', 'a.test.json', '--format', 'json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ problems: [{ code: 'unknown_metric', line: 3 }], warnings: [] });
    const github = await folder.run(['validate', 'a.test.json', '--format', 'github']);
    expect(github.stdout).toMatch(/^::error file=test_config\.json,line=3,col=\d+::Unknown metric "x,y:%25"\..*\n$/);
  });

  test.each([
    [[], /PATH is required/],
    [['nope.test.json'], /nope\.test\.json/],
    [['--formt', 'json', 'x'], /--formt.*--format/],
  ])('%j cannot be checked', async (args, text) => {
    const { code, stderr, stdout } = await commandFolder().run(['validate', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(text);
  });
});
