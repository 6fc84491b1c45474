// Writes docs/compatibility.md from src/support/profile.ts: `node scripts/compatibility.mjs`; with --check it only tells whether the page is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs', 'compatibility.md');
const source = readFileSync(join(root, 'src', 'support', 'profile.ts'), 'utf8');

/** Choices of the profile in order: name, doc comment, and the list they belong to (the line comment above them). */
function choices(file) {
  const declaration = file.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'Profile');
  let list;
  return declaration.members.flatMap((member) => {
    const above = source.slice(member.getFullStart(), member.getStart());
    list = /^ *\/\/ (\w+)$/m.exec(above)?.[1] ?? list;
    const doc = ts.getJSDocCommentsAndTags(member)[0]?.comment;
    return list === undefined || doc === undefined ? [] : [{ name: member.name.text, doc: String(doc).replace(/\s+/g, ' '), list }];
  });
}

/** Values of one profile object. */
function values(file, name) {
  const declarations = file.statements.filter(ts.isVariableStatement).flatMap((statement) => [...statement.declarationList.declarations]);
  const object = declarations.find((one) => one.name.text === name).initializer;
  return Object.fromEntries(object.properties.map((property) => [property.name.text, property.initializer.getText(file)]));
}

function row({ name, doc }, ours, theirs) {
  const [adk, own] = doc.split(/ Otherwise /);
  if (own === undefined) return `| ${adk} ${theirs[name]} | ${ours[name]} | \`${name}\` |`;
  return `| ${adk} | ${own[0].toUpperCase()}${own.slice(1)} | \`${name}\` |`;
}

function table(title, rows) {
  return `## ${title}\n\n| google-adk, and \`compatibility: 'google-adk'\` | jest-adk otherwise | choice |\n|---|---|---|\n${rows.join('\n')}\n`;
}

const file = ts.createSourceFile('profile.ts', source, ts.ScriptTarget.ES2022, true);
const [ours, theirs] = [values(file, 'defaultProfile'), values(file, 'googleAdkProfile')];
const rows = (list) => choices(file).filter(({ name, list: own }) => own === list && ours[name] !== theirs[name]).map((choice) => row(choice, ours, theirs));
const text = `${readFileSync(join(root, 'scripts', 'compatibility', 'head.md'), 'utf8')}
${table('Figures', rows('figures'))}
${table('Refusals', rows('refusals'))}
${readFileSync(join(root, 'scripts', 'compatibility', 'tail.md'), 'utf8')}`;

if (process.argv.includes('--check')) {
  const current = readFileSync(page, 'utf8') === text;
  console.log(current ? 'docs/compatibility.md is up to date' : 'docs/compatibility.md is out of date: run node scripts/compatibility.mjs');
  process.exitCode = current ? 0 : 1;
} else writeFileSync(page, text);
