import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { repoRoot } from '../support/package-under-test';

/** A fenced block. `name` is the second word after the fence, when it looks like a file: ```` ```ts home.test.ts ````. */
export interface CodeBlock {
  readonly page: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly name?: string;
  /** Further words of the fence. `fragment`: part of a file, only its syntax is checked. */
  readonly flags: readonly string[];
  readonly text: string;
}

/** Pages that users and contributors read, relative to the checkout. */
export function pages(): string[] {
  const examples = readdirSync(join(repoRoot, 'examples')).map((name) => join('examples', name, 'README.md'));
  const docs = readdirSync(join(repoRoot, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md')).map((name) => join('docs', name));
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs, ...examples].filter((page) => existsSync(join(repoRoot, page)));
}

/** Every fenced block of a page; fences inside lists lose their indent. */
export function codeBlocks(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; indent: number; line: number; words: string[]; lines: string[] } | undefined;
  readFileSync(join(repoRoot, page), 'utf8').split('\n').forEach((line, index) => {
    const fence = /^( *)(`{3,}|~{3,}) *(.*)$/.exec(line);
    if (open === undefined) {
      if (fence !== null) open = { fence: fence[2] ?? '', indent: (fence[1] ?? '').length, line: index + 1, words: (fence[3] ?? '').split(/ +/), lines: [] };
    } else if (fence !== null && (fence[2] ?? '').startsWith(open.fence) && fence[3] === '') {
      const [language = '', ...words] = open.words;
      const name = words.find((word) => word.includes('.'));
      blocks.push({ page, line: open.line, language, flags: words.filter((word) => word !== name), text: `${open.lines.join('\n')}\n`, ...(name === undefined ? {} : { name }) });
      open = undefined;
    } else {
      open.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)));
    }
  });
  if (open !== undefined) throw new Error(`${page}:${open.line}: the fence is never closed`);
  return blocks;
}

/** Targets of relative links of a page that do not exist. */
export function brokenLinks(page: string): string[] {
  const prose = readFileSync(join(repoRoot, page), 'utf8').replace(/^( *)(`{3,})[\s\S]*?^\1\2$/gm, '').replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '').filter((target) => !/^(https?:|mailto:|#)/.test(target));
  return targets.filter((target) => {
    const path = resolve(repoRoot, dirname(page), target.split('#')[0] ?? '');
    return relative(repoRoot, path).startsWith('..') || !existsSync(path);
  });
}
