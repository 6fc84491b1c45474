/** Things that one command may not hold together: sets named twice, and metrics that mean two things. */
import type { ConfiguredSet } from '../../evaluation/types';
import type { Problem } from '../../support/errors';

/** Everything in the way of scoring the sets in one run. */
export function conflicts(sets: readonly ConfiguredSet[]): readonly Problem[] {
  return [...repeatedSets(sets), ...metricConflicts(sets)];
}

function repeatedSets(sets: readonly ConfiguredSet[]): readonly Problem[] {
  return sets.filter(({ repeated }) => repeated === true).map(({ loaded }) => ({
    code: 'duplicate_set_id',
    file: loaded.file,
    message: `The eval set "${loaded.value.evalSetId}" is named more than once.`,
    hint: 'Name each file once; a folder that holds it names it, too.',
  }));
}

/** What a name stands for in a config: a function of the user's, or the metric of that name. */
interface Meaning {
  readonly set: ConfiguredSet;
  readonly custom: string | undefined;
}

function metricConflicts(sets: readonly ConfiguredSet[]): readonly Problem[] {
  const first = new Map<string, Meaning>();
  const problems: Problem[] = [];
  const told = new Set<string>();
  for (const set of sets) {
    const { criteria, customMetrics } = set.configChoice.config;
    for (const name of new Set([...criteria.keys(), ...customMetrics.keys()])) {
      const config = customMetrics.get(name);
      const meaning = { set, custom: config === undefined ? undefined : JSON.stringify(config) };
      const before = first.get(name);
      if (before === undefined) first.set(name, meaning);
      else if (before.custom !== meaning.custom && !told.has(name)) {
        told.add(name);
        problems.push(conflict(name, before, meaning));
      }
    }
  }
  return problems;
}

function conflict(name: string, one: Meaning, other: Meaning): Problem {
  return {
    code: 'metric_conflict',
    message: `The metric "${name}" is ${describe(name, one)} and ${describe(name, other)}.`,
    hint: 'Within one command a name means one thing: rename one of them, or evaluate the sets by themselves.',
  };
}

function describe(metricName: string, { set }: Meaning): string {
  const { config, file } = set.configChoice;
  const custom = config.customMetrics.get(metricName);
  const what = custom === undefined ? 'used without a definition' : `the function ${custom.codeConfig.name}`;
  return `${what} for the eval set "${set.loaded.value.evalSetId}" (${file ?? 'default config'})`;
}
