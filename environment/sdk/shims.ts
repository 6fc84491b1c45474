import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusal } from '../../src/support/errors';
import { userFolder } from '../run-folder';
import { sharedModules } from './modules';

/** Changes whenever the text of a shim does: old and new versions of jest-adk do not write over each other. */
const generation = '2';

/** Below a `node_modules`, Jest neither transforms nor covers them. */
function shimFolder(): string {
  return join(userFolder(), `shared-${generation}`, 'node_modules', 'jest-adk-shared');
}

/** Absolute path of the module that stands for a shared one inside sandboxes. */
function shimPath(specifier: string): string {
  return join(shimFolder(), `${specifier.replace(/^@/, '').replace(/\//g, '-')}.cjs`);
}

/** `moduleNameMapper` entries for all shared modules. */
export function sharedModuleMapper(): Record<string, string> {
  return Object.fromEntries(sharedModules.map((specifier) => [`^${specifier}$`, shimPath(specifier)]));
}

let ensured = false;

/** Writes the shims that are missing. Looked at once per process. */
export function ensureShims(): void {
  if (ensured) return;
  ensured = true;
  for (const specifier of sharedModules) if (!existsSync(shimPath(specifier))) writeShim(specifier, [], []);
}

/**
 * Makes sure that a shim lists the names which a version of its module exports. Only Jest's ES module loader needs them: it takes the names
 * of a CommonJS module from its text, and drops those that the module turns out not to have. So the names of all versions
 * seen are kept together, and projects with different versions can share one shim.
 *
 * @param version  of the installed package; a version that was listed before costs one small read
 * @param names  gives the names; called only for a version that is new
 */
export function ensureNames(specifier: string, version: string, names: () => readonly string[]): void {
  const known = readShim(specifier);
  if (known.versions.includes(version)) return;
  writeShim(specifier, [...known.versions, version], [...new Set([...known.names, ...names()])].sort());
}

const header = '// jest-adk: ';

function readShim(specifier: string): { readonly versions: readonly string[]; readonly names: readonly string[] } {
  try {
    const first = readFileSync(shimPath(specifier), 'utf8').split('\n', 1)[0] ?? '';
    const { versions, names } = JSON.parse(first.slice(header.length)) as { versions: string[]; names: string[] };
    return { versions, names };
  } catch {
    return { versions: [], names: [] };
  }
}

/**
 * Text of a shim. Each sandbox gets an object of its own, so that what a test does to it (`jest.spyOn`) ends with its file.
 * The list at the end never runs.
 */
function shimText(specifier: string, versions: readonly string[], names: readonly string[]): string {
  const quoted = JSON.stringify(specifier);
  return `${header}${JSON.stringify({ versions, names })}
'use strict';
const bridge = globalThis[Symbol.for('jest-adk.bridge')];
if (bridge === undefined) {
  throw new Error(${JSON.stringify(`"${specifier}" is shared by jest-adk, which is not around this file yet. Use its environment: testEnvironment: 'jest-adk/environment', or createPreset({ share: false }).`)});
}
const shared = bridge.shared(${quoted}, module.parent ? module.parent.filename : undefined);
if (shared.module === undefined) {
  module.exports = require(shared.path);
} else {
  Object.defineProperty(exports, '__esModule', { value: true });
  for (const name of Object.getOwnPropertyNames(shared.module)) if (name !== '__esModule') exports[name] = shared.module[name];
}
function names() {
${names.map((name) => `  exports[${JSON.stringify(name)}] = 0;`).join('\n')}
}
`;
}

function writeShim(specifier: string, versions: readonly string[], names: readonly string[]): void {
  const folder = ownFolder();
  const temporary = join(folder, `.${process.pid}-${randomBytes(4).toString('hex')}`);
  writeFileSync(temporary, shimText(specifier, versions, names), { mode: 0o600 });
  renameSync(temporary, shimPath(specifier));
}

/** The folder holds code that is run: it must be ours. */
function ownFolder(): string {
  const folder = shimFolder();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refusal('shims_not_written', `jest-adk cannot write below ${userFolder()}: ${(error as Error).message}`, 'Set TMPDIR to a writable folder, or use createPreset({ share: false }).');
  }
  const stats = lstatSync(userFolder());
  const foreign = process.getuid !== undefined && (stats.uid !== process.getuid() || (stats.mode & 0o022) !== 0);
  if (!stats.isDirectory() || foreign) {
    throw refusal('shims_not_written', `${userFolder()} is not a folder that only you can write to.`, 'Remove it, or set TMPDIR to a folder of your own.');
  }
  return folder;
}
