import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderEta } from '../../../src/evalset/templates/eta';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'jest-adk-eta-')));
  mkdirSync(join(root, 'prompts/parts'), { recursive: true });
  writeFileSync(join(root, 'prompts/parts/hello.txt'), 'Hello <%= it.NAME %>');
  writeFileSync(join(root, 'prompts/parts/forgets.txt'), '<%= it.GONE %>');
  writeFileSync(join(root, 'secret.txt'), 'secret');
  symlinkSync(join(root, 'secret.txt'), join(root, 'prompts/link.txt'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const render = (text: string) => renderEta({ text, file: join(root, 'prompts/a.txt'), variables: new Map([['NAME', 'B & <o>']]) });

test.each([
  ['Hi <%= it.NAME %>!', 'Hi B & <o>!'],
  ['<%~ it.NAME %>', 'B & <o>'],
  ["<% if ('GONE' in it) { %>yes<% } else { %>no<% } %>", 'no'],
  ["<%~ include('./parts/hello.txt') %>.", 'Hello B & <o>.'],
  ["<%~ include('./parts/hello.txt', { NAME: 'Al' }) %>.", 'Hello Al.'],
])('%j gives %j', (template, text) => {
  expect(render(template)).toMatchObject({ text, problems: [] });
});

test('included files are named', () => {
  expect(render("<%~ include('./parts/hello.txt') %>").files).toEqual([join(root, 'prompts/parts/hello.txt')]);
});

test.each([
  ['<%= it.MAME %> <%= it.GONE.x %>', [/uses the variable MAME/, /uses the variable GONE/, /An expression in .* gives undefined/]],
  ['<%= undefined %>', [/An expression in .*a\.txt gives undefined/]],
  ["<%~ include('./parts/forgets.txt') %>", [/uses the variable GONE/]],
  ["<%~ include('../secret.txt') %>", [/cannot be rendered/]],
  ["<%~ include('./link.txt') %>", [/cannot be rendered: .*outside the template's folder/]],
  ["<%~ include('./none.txt') %>", [/cannot be rendered: .*none\.txt/]],
  ['<%= it.NAME', [/cannot be rendered: .*unclosed tag at line 1/]],
  ['<%= it. %>', [/cannot be rendered: its code has a syntax error, .+\.$/]],
  ["<% throw new Error('mine') %>", [/cannot be rendered: mine\./]],
])('%j is refused with a reason of one line', (template, messages) => {
  const { problems } = render(template);
  expect(problems).toHaveLength(messages.length);
  messages.forEach((message, index) => {
    expect(problems[index]?.message).toMatch(message);
    expect(problems[index]?.message).not.toContain('\n');
  });
});
