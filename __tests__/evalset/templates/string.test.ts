import { renderString } from '../../../src/evalset/templates/string';

const variables = new Map(Object.entries({ NAME: 'Bo', room_1: 'bed', _x: 'u', A: '$B' }));
const render = (text: string) => renderString({ text, file: '/prompts/a.txt', variables });

// Right column: Python's `string.Template(text).substitute(values)`; undefined where it raises.
test.each<[template: string, text: string | undefined]>([
  ['Hi $NAME!', 'Hi Bo!'], ['${NAME}s', 'Bos'], ['$$NAME', '$NAME'], ['$$$NAME', '$Bo'], ['$room_1.', 'bed.'], ['$_x', 'u'], ['$A', '$B'], ['no vars\n', 'no vars\n'],
  ['$NAMEÉ', 'BoÉ'], ['${NAME', undefined], ['$ NAME', undefined], ['100$', undefined], ['$1', undefined], ['${NAME-x}', undefined],
  ['$missing ${gone} $missing', undefined], ['$Name', undefined], ['${}', undefined], ['$é', undefined],
])('%j gives %j', (template, text) => {
  const { text: rendered, problems } = render(template);
  expect(problems.length === 0 ? rendered : undefined).toBe(text);
});

test('every missing name and every stray dollar sign is reported, once', () => {
  expect(render('$NAMES $NAMES\n costs 5$').problems).toEqual([
    { code: 'missing_variable', message: 'The template /prompts/a.txt uses the variable NAMES, which has no value.', hint: 'Did you mean "NAME"?' },
    { code: 'bad_template', message: 'A "$" at /prompts/a.txt:2:9 starts no name.', hint: 'Write "$$" for a dollar sign.' },
  ]);
});
