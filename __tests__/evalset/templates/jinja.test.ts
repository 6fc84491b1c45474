import fc from 'fast-check';
import { renderJinja } from '../../../src/evalset/templates/jinja';

const variables = new Map(Object.entries({ NAME: 'Bo', ROOM: 'bedroom', EMPTY: '', LIST: 'a,b,c' }));
const render = (text: string) => renderJinja({ text, file: '/prompts/a.txt', variables });

// Right column: Jinja2 3.1.6 with StrictUndefined and otherwise its defaults; undefined where it raises.
const rows: readonly [template: string, text: string | undefined][] = [
  ["Hi {{ NAME }}!", "Hi Bo!"],
  ["Hi {{NAME}}\n", "Hi Bo"],
  ["Hi {{NAME}}\n\n", "Hi Bo\n"],
  ["{% raw %}{{ NAME }} {% if %}{% endraw %}", "{{ NAME }} {% if %}"],
  ["a {%- raw -%}  x {{ y }}  {%- endraw -%}  b", "ax {{ y }}b"],
  ["{# note {{ x }} #}x", "x"],
  ["a\n{#- c -#}\nb", "ab"],
  ["{% if EMPTY %}no{% else %}yes{% endif %}", "yes"],
  ["{% if NAME is defined %}d{% endif %}{% if X is not defined %}n{% endif %}", "dn"],
  ["{{ X | default('dd') }}", "dd"],
  ["{{ NAME|upper }} {{ ROOM | title }}", "BO Bedroom"],
  ["{% for x in LIST.split(',') %}{{ loop.index }}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}", "1a, 2b, 3c"],
  ["{% set y = NAME ~ '!' %}{{ y }}", "Bo!"],
  ["{%+ if NAME +%} a {%+ endif +%} b", " a  b"],
  ["{{ '{{' }} {{ \"}}\" }}", "{{ }}"],
  ["{{ NAME == 'Bo' }}", "True"],
  ["{{ None }}", "None"],
  ["{{ 1.0 }} {{ 3/2 }}", "1.0 1.5"],
  ["{% macro hi(x) %}[{{ x }}]{% endmacro %}{{ hi(NAME) }}", "[Bo]"],
  ["{% filter upper %}abc{% endfilter %}", "ABC"],
  ["{{ 'a' if NAME else 'b' }}", "a"],
  ["  {% if NAME %}\n  x\n  {% endif %}\n", "  \n  x\n  "],
  ["<b>{{ '<i>' }}</b>", "<b><i></b>"],
  ["{{ NAME[0] }}{{ NAME | length }}", "B2"],
  ["{{ LIST.split(',') | join('-') }}", "a-b-c"],
  ["{% for i in range(3) %}{{ i }}{% endfor %}", "012"],
  ["$NAME ${NAME}", "$NAME ${NAME}"],
  ["{{ X }}", undefined],
  ["{{ NAME.foo }}", undefined],
  ["{{ X.y | default('q') }}", undefined],
  ["{{ NAME.foo | default('q') }}", "q"],
  ["{% for i in X %}{% endfor %}", undefined],
  ["{{ 'a' if EMPTY }}", ""],
  ["{% if X %}{% endif %}", undefined],
  ["{{ NAME", undefined],
  ["{% if NAME %}", undefined],
  ["{% endif %}", undefined],
  ["{% bogus %}", undefined],
  ["{{ }}", undefined],
  ["{{ NAME | nosuch }}", undefined],
  ["{# open", undefined],
  ["{{ 1 + }}", undefined],
  ["{% raw %} x", undefined],
  ["{{ X is none }}", "False"],
  ["{% if EMPTY or NAME %}z{% endif %}", "z"],
  ["{{ NAME | replace('B', 'R') }}", "Ro"],
  ["{{ NAME.upper() }}", "BO"],
];

test.each(rows)('%j gives %j', (template, text) => {
  const { text: rendered, problems } = render(template);
  expect(problems.length === 0 ? rendered : undefined).toBe(text);
});

test.each<[template: string, messages: readonly RegExp[]]>([
  ['{{ MAME }} {{ NAME.first }}', [/uses the variable MAME, .*/, /uses the variable NAME\.first,/]],
  ['a\n{{ NAME', [/a\.txt:2: "\{\{" is never closed/]],
  ['{% if NAME %}\n{% for x in LIST %}\n{% endif %}', [/a\.txt:3: \{% endif %\} closes nothing/, /:1: \{% if %\} is never closed by \{% endif %\}/, /:2: \{% for %\} is never closed/]],
  ['a\n{% include "b" %}\n{% generation %}', [/:2: The tag "include" is not known here/, /:3: The tag "generation"/]],
  ['{{ ok + 1 }}\n{{ 1 + }}\n{% if = %}{% endif %}', [/:2: \{\{ 1 \+ \}\} is no valid expression/, /:3: /]],
  ['{{ NAME | nosuch }}', [/cannot be rendered: .*nosuch/]],
  ['{% for i in range(1000000000) %}{% endfor %}', [/range\(\) would have 1000000000 items/]],
])('%j is refused with a place and a reason', (template, messages) => {
  const { problems } = render(template);
  expect(problems).toHaveLength(messages.length);
  messages.forEach((message, index) => expect(problems[index]?.message).toMatch(message));
});

test('a template cannot reach the host', () => {
  for (const template of ['{{ NAME.constructor }}', "{{ ''.constructor.constructor('return process')() }}", '{{ process }}', '{{ globalThis }}', "{{ range.constructor('return 1')() }}"]) {
    expect(render(template).problems).not.toEqual([]);
  }
});

test('whatever the template, problems are reported and nothing is thrown', () => {
  const pieces = ['{{', '}}', '{%', '%}', '{#', '#}', '-', '+', ' ', '\n', 'raw', 'endraw', 'if', 'endif', 'else', 'for x in LIST', 'endfor', 'set x', '=', 'endset', 'NAME', '"', "'", '|', '.', '(', ')', '[', ']', 'default', ',', '1', 'a'];
  fc.assert(fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map((parts) => parts.join('')), (template) => {
    expect(typeof render(template).text).toBe('string');
  }), { numRuns: 500 });
});
