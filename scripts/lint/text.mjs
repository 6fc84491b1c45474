// Checks on the text of committed files: length, left-over markers, things that belong to one machine, and a lockfile without hosts.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const maxLines = 300;
const sources = /^(index\.ts|(src|environment|matchers|scripts|bench|bin)\/.+\.(ts|mjs|js|cjs)|jest-preset\.js|(ts|js)\/jest-preset\.js)$/;
const product = /^(index\.ts|src|environment|matchers|bin|docs|README|CHANGELOG|CONTRIBUTING|examples)/;
const binary = /\.(png|ico|gz|tgz|zip|wav|jpg)$/;

/** Each rule: which files, what must not be there, and what to do. A rule's own file is left out of it. */
const rules = [
  {
    files: /./,
    pattern: /(?<![\w.~/-])\/(?:home|root|Users|work|mnt)\/[\w.-]+/,
    why: 'a path of one machine',
    except: /^__tests__\//,
  },
  { files: product, pattern: /(?<![\w.~/:-])\/tmp\/[\w.-]+/, why: 'a path of one machine' },
  { files: /^(?!package-lock|\.npmrc)/, pattern: /https?:\/\/[\w.-]*(?:registry|artifactory|nexus|pypi)[\w.-]*/i, why: 'a package registry: installs use whatever the user has configured', except: /^scripts\/lint\// },
  { files: /^package-lock\.json$/, pattern: /"resolved": "https?:|https?:\/\/[^"]*\.tgz/, why: 'a host in the lockfile; .npmrc has omit-lockfile-registry-resolved' },
  { files: sources, pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/, why: 'an open end: finish it or file it', except: /^scripts\/lint\// },
  { files: sources, pattern: /\bconsole\.(?:log|debug)\b|^\s*debugger\b/m, why: 'left-over output', except: /^(scripts|bench)\// },
  { files: /\.test\.ts$/, pattern: /\b(?:describe|test|it)\.only\b|\b(?:fdescribe|fit)\(/, why: 'would skip every other test' },
  { files: /./, pattern: /^(?:<<<<<<<|>>>>>>>) /m, why: 'a merge that was not finished', except: /^scripts\/lint\// },
  { files: sources, pattern: /eslint-disable(?!.*--)/, why: 'a disabled rule needs its reason after --', except: /^scripts\/lint\// },
];

/** Files that git knows or would add, relative to the root. */
function trackedFiles(root) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  return listed.split('\0').filter((file) => file !== '' && !binary.test(file) && existsSync(join(root, file)));
}

/** All problems as `file:line  text`. */
export function textProblems(root) {
  const problems = [];
  for (const file of trackedFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    const lines = text.split('\n');
    if (sources.test(file) && lines.length - 1 > maxLines) problems.push(`${file}  ${lines.length - 1} lines; past ${maxLines} a file has two subjects`);
    if (text !== '' && !text.endsWith('\n') && /\.(ts|mjs|md|js|cjs)$/.test(file)) problems.push(`${file}:${lines.length}  no line break at the end`);
    for (const rule of rules) {
      if (!rule.files.test(file) || rule.except?.test(file)) continue;
      if (!rule.pattern.test(text)) continue;
      lines.forEach((line, index) => {
        const found = rule.pattern.exec(line);
        if (found !== null) problems.push(`${file}:${index + 1}  ${JSON.stringify(found[0])}: ${rule.why}`);
      });
    }
  }
  return problems;
}
