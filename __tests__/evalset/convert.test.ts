import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { convertEvalSet, formatOf, type FileFormat } from '../../src/evalset/convert';
import { evalSetFromObject, readEvalSetText } from '../../src/evalset/reader';
import { parseToml } from '../../src/support/toml';
import { stringifyToml } from '../../src/support/toml-writer';

const formats: readonly FileFormat[] = ['json', 'toml', 'yaml'];
const shared = join(__dirname, '..', '..', '..', 'shared', 'corpus');
const corpus = existsSync(shared) ? readdirSync(shared).filter((name) => /\.(test|evalset)\.(json|toml)$/.test(name)) : [];

function read(text: string, format: FileFormat): unknown {
  const { value } = format === 'yaml' ? evalSetFromObject((require('yaml') as typeof import('yaml')).parse(text)) : readEvalSetText(text, `/x/a.test.${format}`);
  return JSON.parse(JSON.stringify(value));
}

const set = {
  eval_set_id: 's', description: 'first\nsecond "quoted" \\ é 😀',
  eval_cases: [{
    my_own_key: { keep_me: 1 },
    eval_id: 'c1',
    conversation: [{
      user_content: { role: 'user', parts: [{ text: 'hi' }, { inline_data: { mime_type: 'image/png', data: 'aGk=' } }] },
      intermediate_data: { tool_uses: [{ name: 'f', args: { someKey: [1, 'a', { b_c: 2.5 }], other_key: {}, none: [] } }], intermediate_responses: [['agent', [{ text: 'wait' }]]] },
      final_response: { parts: [{ text: 'done' }] },
    }],
    session_input: { app_name: 'a', user_id: 'u', state: { user_name: 'x', camelCase: true } },
  }],
};

describe('a set in any format and spelling says the same', () => {
  const cases = formats.flatMap((first) => formats.flatMap((second) => (['snake', 'camel'] as const).map((keyCase) => ({ first, second, keyCase }))));

  test.each(cases)('json to $first to $second, $keyCase', ({ first, second, keyCase }) => {
    const text = JSON.stringify(set);
    const there = convertEvalSet(text, '/x/a.test.json', { to: first, keyCase });
    const back = convertEvalSet(there.text, `/x/a.test.${first}`, { to: second, keyCase: 'snake' });
    expect(read(back.text, second)).toEqual(read(text, 'json'));
    if (second === 'json') expect(JSON.parse(back.text)).toEqual(set);
  });

  test('known keys are respelled, the user’s own never; the order of the file stays', () => {
    const { text, losses } = convertEvalSet(JSON.stringify(set), '/x/a.test.json', { to: 'json', keyCase: 'camel' });
    expect(Object.keys((JSON.parse(text) as { evalCases: object[] }).evalCases[0] ?? {})).toEqual(['my_own_key', 'evalId', 'conversation', 'sessionInput']);
    expect(text).toContain('"user_name"');
    expect(text).toContain('"other_key"');
    expect(text).toContain('"keep_me"');
    expect(losses).toEqual([expect.stringContaining('snake_case only')]);
  });

  test('what is written once is not written anew', () => {
    for (const format of formats) {
      const once = convertEvalSet(JSON.stringify(set), '/x/a.test.json', { to: format, keyCase: 'snake' }).text;
      const again = convertEvalSet(once, `/x/a.test.${format}`, { to: format, keyCase: 'snake' });
      expect({ format, unchanged: again.unchanged, same: again.text === once, losses: again.losses }).toEqual({ format, unchanged: true, same: true, losses: [] });
    }
  });

  (corpus.length === 0 ? test.skip : test).each(corpus.length === 0 ? ['(no shared corpus)'] : corpus)('public file %s', (name) => {
    const text = readFileSync(join(shared, name), 'utf8');
    const from = formatOf(name) ?? 'json';
    const current = convertEvalSet(text, `/x/${name}`, { to: 'json', keyCase: 'snake' }).text;
    const wanted = JSON.stringify(read(current, 'json'));
    for (const to of formats) {
      const there = convertEvalSet(text, `/x/${name}`, { to, keyCase: 'snake' }).text;
      const back = convertEvalSet(there, `/x/a.test.${to}`, { to: 'json', keyCase: 'snake' }).text;
      expect({ to, from, set: JSON.parse(withoutTimes(JSON.stringify(read(back, 'json')))) as unknown }).toEqual({ to, from, set: JSON.parse(withoutTimes(wanted)) as unknown });
    }
  });
});

/** Old formats have no time: it is that of converting, and so is an invocation id. */
function withoutTimes(text: string): string {
  return text.replace(/"creationTimestamp":[\d.e+]+/g, '"creationTimestamp":0').replace(/"(invocationId|evalSetId)":"[^"]*"/g, '"$1":""');
}

describe('loss is told', () => {
  test('nulls in TOML', () => {
    const { text, losses } = convertEvalSet(JSON.stringify({ ...set, name: null, eval_cases: [{ eval_id: 'c', conversation: [{ user_content: { parts: [{ text: 'x' }] }, intermediate_data: { tool_uses: [{ name: 'f', args: { a: null } }] } }] }] }), '/x/a.test.json', { to: 'toml', keyCase: 'snake' });
    expect(losses).toEqual(['eval_cases[0].conversation[0].intermediate_data.tool_uses[0].args.a: null, which TOML does not have', 'name: null, which TOML does not have']);
    expect(text).not.toContain('null');
  });

  test('comments that do not come along', () => {
    expect(convertEvalSet('# one\neval_set_id = "s" # two\neval_cases = []\n', '/x/a.test.toml', { to: 'json', keyCase: 'snake' }).losses).toEqual(['2 comments of the TOML file']);
    expect(convertEvalSet('# one\neval_set_id: "a # b"\neval_cases: []\n', '/x/a.test.yaml', { to: 'json', keyCase: 'snake' }).losses).toEqual(['1 comment of the YAML file']);
  });

  test('TOML that becomes YAML keeps them, each at what it is about', () => {
    const toml = `# about the file

# the id
evalSetId = "s" # behind the id
description = """
a # no comment
"""

# the first case
# in two lines
[[eval_cases]] # header
eval_id = "c"
  # inside
conversation = [
  # first turn
  { user_content = { parts = [{ text = "hi" }] } }, # behind it
  # end of the list
]
[eval_cases.session_input] # header of a table
app_name = "a"
user_id = "u"
[[eval_cases]]
eval_id = "d"
conversation = [] # none
# last
`;
    const { text, losses } = convertEvalSet(toml, '/x/a.test.toml', { to: 'yaml', keyCase: 'snake' });
    expect(losses).toEqual([]);
    expect(text).toBe(`# about the file

# the id
eval_set_id: s # behind the id
description: |
  a # no comment
eval_cases:
  # the first case
  # in two lines
  # header
  - eval_id: c
    # inside
    conversation:
      # first turn
      # behind it
      - user_content:
          parts:
            - text: hi
      # end of the list
    # header of a table
    session_input:
      app_name: a
      user_id: u
  - eval_id: d
    # none
    conversation: []

# last
`);
    expect(convertEvalSet(text, '/x/a.test.yaml', { to: 'json', keyCase: 'snake' }).text).toBe(convertEvalSet(toml, '/x/a.test.toml', { to: 'json', keyCase: 'snake' }).text);
  });

  test('no comment is lost, and no value changes, wherever comments stand', () => {
    const plain = stringifyToml(set).text.split('\n');
    const value = parseToml(plain.join('\n'));
    fc.assert(fc.property(fc.array(fc.tuple(fc.nat(plain.length - 1), fc.boolean()), { maxLength: 8 }), (places) => {
      const commented = plain.map((line, index) => places.filter(([at]) => at === index).reduce((text, [, alone], count) => (alone ? `# c${count}\n${text}` : text.includes('#') ? text : `${text} # c${count}`), line)).join('\n');
      let read: unknown;
      try {
        read = parseToml(commented);
      } catch {
        return; // inside a text of several lines
      }
      if (JSON.stringify(read) !== JSON.stringify(value)) return;
      const { text, losses } = convertEvalSet(commented, '/x/a.test.toml', { to: 'yaml', keyCase: 'snake' });
      expect(losses).toEqual([]);
      expect(JSON.parse(convertEvalSet(text, '/x/a.test.yaml', { to: 'json', keyCase: 'snake' }).text)).toEqual(value);
    }), { numRuns: 200 });
  });

  test('YAML that stays YAML keeps them', () => {
    const { text, losses } = convertEvalSet('# about\nevalSetId: s # the id\nevalCases:\n  # the first\n  - evalId: c\n    conversation: []\n', '/x/a.test.yaml', { to: 'yaml', keyCase: 'snake' });
    expect(text).toBe('# about\neval_set_id: s # the id\neval_cases:\n  # the first\n  - eval_id: c\n    conversation: []\n');
    expect(losses).toEqual([]);
  });
});

describe('sets of trpc-agent-go', () => {
  const trpc = {
    evalSetId: 'math', evalCases: [{
      evalId: 'add', contextMessages: [{ role: 'system', content: 'Be exact.' }],
      conversation: [{
        invocationId: 'add-1', userContent: { role: 'user', content: '2 + 3?' }, finalResponse: { role: 'assistant', content: '5' },
        tools: [{ id: 't1', name: 'calculator', arguments: { a: 2, b: 3 }, result: { sum: 5 } }, { id: 't2', name: 'log', arguments: '{"level":"info"}', result: 'ok' }],
      }, {
        userContent: { role: 'user', content: 'again' }, finalResponse: { role: 'assistant', content: '6' },
        intermediateData: { toolCalls: [{ id: 'x', type: 'function', function: { name: 'calculator', arguments: '{"a":3}' } }], toolResponses: [{ role: 'tool', tool_id: 'x', tool_name: 'calculator', content: '{"sum":6}' }], intermediateResponses: [{ role: 'assistant', content: 'let me see' }] },
      }],
      sessionInput: { appName: 'math-app', userId: 'u', state: { a_b: 1 } },
    }],
  };

  test('become sets of ADK, with what has no place told', () => {
    const { text, losses } = convertEvalSet(JSON.stringify(trpc), '/x/math.evalset.json', { to: 'json', keyCase: 'snake' });
    expect(JSON.parse(text)).toMatchObject({
      eval_set_id: 'math',
      eval_cases: [{
        eval_id: 'add',
        session_input: { app_name: 'math-app', user_id: 'u', state: { a_b: 1 } },
        conversation: [
          {
            invocation_id: 'add-1', user_content: { role: 'user', parts: [{ text: '2 + 3?' }] }, final_response: { role: 'model', parts: [{ text: '5' }] },
            intermediate_data: {
              tool_uses: [{ id: 't1', name: 'calculator', args: { a: 2, b: 3 } }, { id: 't2', name: 'log', args: { level: 'info' } }],
              tool_responses: [{ id: 't1', name: 'calculator', response: { sum: 5 } }, { id: 't2', name: 'log', response: { result: 'ok' } }],
            },
          },
          { intermediate_data: { tool_uses: [{ id: 'x', name: 'calculator', args: { a: 3 } }], tool_responses: [{ id: 'x', name: 'calculator', response: { sum: 6 } }] } },
        ],
      }],
    });
    expect(losses).toEqual([
      'evalCases[0].contextMessages: the format has no place for it',
      'evalCases[0].conversation[1].intermediateData.intermediateResponses: the format has no place for it',
    ]);
  });
});

test('whatever TOML can say is read back as it was written', () => {
  const key = fc.string({ minLength: 1, maxLength: 6 });
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom('a\nb', '"""', 'é\u0001'));
  const { value } = fc.letrec((tie) => ({ value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(key, tie('value'), { maxKeys: 3 })) }));
  fc.assert(fc.property(fc.dictionary(key, value, { maxKeys: 4 }), (table) => {
    const wellFormed = JSON.parse(JSON.stringify(table).replace(/\\ud[89a-f][0-9a-f]{2}/g, '?')) as Record<string, unknown>;
    const { text, losses } = stringifyToml(wellFormed);
    expect(losses).toEqual([]);
    expect(parseToml(text)).toEqual(JSON.parse(JSON.stringify(wellFormed)));
  }), { numRuns: 300 });
});
