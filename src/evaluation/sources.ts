/** The eval sets of a request, found and read, and the config that belongs to each. */
import { chooseConfig, defaultConfig } from '../config/find';
import type { ConfigChoice } from '../config/types';
import { findEvalSets, type LocatedEvalSet } from '../evalset/discover';
import type { EvalSet, Loaded } from '../evalset/types';
import type { Problem } from '../support/errors';
import { resolveFrom } from '../support/paths';
import type { Planning } from './parts';
import type { EvalSetSource } from './types';

/** An eval set that was read, with what is known about how it was asked for. */
export interface SetSource {
  readonly loaded: Loaded<EvalSet>;
  /** Case ids named behind its path. */
  readonly caseIds?: readonly string[];
  /** Its file was named more than once, and as a whole. */
  readonly repeated?: true;
  readonly warnings: readonly Problem[];
}

/** Finds and reads all sets; what cannot be read is among the problems. */
export function loadSets(planning: Planning): readonly SetSource[] {
  const { request, problems, host, checked } = planning;
  const given: readonly EvalSetSource[] = Array.isArray(request.evalSets) ? request.evalSets : [request.evalSets];
  const paths = given.filter((source) => typeof source === 'string');
  const objects = given.filter((source) => typeof source !== 'string');
  const located = paths.length === 0 && objects.length > 0 ? { sets: [], warnings: [] } : problems.collect(() => findEvalSets(paths, host, checked.profile));
  const fromFiles = (located?.sets ?? []).flatMap((one) => readOne(planning, one, (located?.warnings ?? []).filter((warning) => warning.file === one.file)));
  const fromCode = objects.flatMap((object) => {
    const loaded = problems.collect(() => planning.parts.evalSetFromObject(object, checked.profile));
    return loaded === undefined ? [] : [{ loaded, warnings: [] }];
  });
  const sources = [...fromFiles, ...fromCode];
  problems.add(...repeatedSets(sources));
  return sources;
}

function readOne({ problems, parts, host, options, checked }: Planning, located: LocatedEvalSet, warnings: readonly Problem[]): readonly SetSource[] {
  const loaded = problems.collect(() => {
    const read = parts.readEvalSet(located.file, {
      profile: checked.profile,
      given: located.given,
      ...(options.initialSessionFile === undefined ? {} : { initialSessionFile: resolveFrom(host, options.initialSessionFile) }),
    });
    return parts.renderPrompts(read, { engine: options.promptTemplateEngine ?? 'string', projectRoot: host.rootDir });
  });
  return loaded === undefined ? [] : [{ loaded, warnings, ...(located.caseIds === undefined ? {} : { caseIds: located.caseIds }), ...(located.repeated === true && { repeated: true }) }];
}

function repeatedSets(sources: readonly SetSource[]): readonly Problem[] {
  const first = new Map<string, SetSource>();
  const problems: Problem[] = [];
  for (const source of sources) {
    const { evalSetId } = source.loaded.value;
    const before = first.get(evalSetId);
    if (before === undefined) first.set(evalSetId, source);
    else {
      const other = before.loaded.file === '' ? 'an eval set given in code' : before.loaded.file;
      const file = source.loaded.file === '' ? {} : { file: source.loaded.file };
      problems.push({ ...file, code: 'duplicate_set_id', message: `The eval set id "${evalSetId}" is also that of ${other}.`, hint: 'Give every eval set an id of its own.' });
    }
  }
  return problems;
}

/** The config of a set and what was noticed while it was read: given in code, named, found beside the file, or the defaults. */
export function chooseSetConfig({ options, host, parts, checked }: Planning, loaded: Loaded<EvalSet>): { readonly choice: ConfigChoice; readonly warnings: readonly Problem[] } {
  const { profile } = checked;
  if (options.config !== undefined) {
    const { value, warnings } = parts.configFromObject(options.config, profile);
    return { choice: { config: value, reason: 'inline' }, warnings };
  }
  if (loaded.file === '' && options.configFilePath === undefined) return { choice: { config: defaultConfig, reason: 'default' }, warnings: [] };
  const explicit = options.configFilePath === undefined ? {} : { explicit: resolveFrom(host, options.configFilePath) };
  let warnings: readonly Problem[] = [];
  const choice = chooseConfig(loaded.file, { ...explicit, profile }, (file) => {
    const read = parts.readConfig(file, profile);
    warnings = read.warnings;
    return read.value;
  });
  return { choice, warnings };
}
