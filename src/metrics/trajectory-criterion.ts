import type { Criterion } from '../config/types';
import type { Problem } from '../support/errors';
import { check, type Checks } from '../support/option-checks';
import type { Profile } from '../support/profile';
import { matchTypes, type CallRules, type MatchType } from './call-match';
import { CriterionFields } from './criterion-fields';
import type { CallSelection } from './tool-calls';

/** The criterion of `tool_trajectory_avg_score`, read. */
export interface TrajectoryCriterion extends Criterion {
  readonly rules: CallRules;
  readonly selection: CallSelection;
  readonly limits: CallLimits;
}

/** Rules about calls that hold for the whole trial, whatever the expected calls. */
export interface CallLimits {
  readonly forbiddenTools: readonly string[];
  readonly minCalls: ReadonlyMap<string, number>;
  readonly maxCalls: ReadonlyMap<string, number>;
}

/** Options of a trajectory comparison, all optional; the fields of the criterion in camelCase. */
export interface TrajectoryOptions extends CallSelection {
  readonly matchType?: MatchType;
  readonly ignoreArgs?: boolean;
  readonly argsMode?: CallRules['mode'];
  readonly absentEqualsEmpty?: boolean;
  /** `false`: `true` equals 1 in arguments, as in Python. */
  readonly strictTypes?: boolean;
  readonly anyString?: string;
  readonly parallelUnordered?: boolean;
  readonly compareAuthors?: boolean;
}

const { flag, oneOf, text, texts } = check;

/** What each option takes. */
export const trajectoryChecks: Checks<TrajectoryOptions> = {
  matchType: oneOf(...matchTypes),
  ignoreArgs: flag,
  argsMode: oneOf('exact', 'subset', 'superset'),
  absentEqualsEmpty: flag,
  strictTypes: flag,
  anyString: text,
  parallelUnordered: flag,
  compareAuthors: flag,
  ignoreTools: texts,
  nestedTools: flag,
  authors: texts,
};

const referenceFields = ['match_type', 'ignore_args'];
const ownFields = [
  'args_mode', 'absent_equals_empty', 'strict_types', 'any_string', 'parallel_unordered', 'compare_authors',
  'ignore_tools', 'nested_tools', 'authors', 'forbidden_tools', 'min_calls', 'max_calls',
];
const argsModes = ['exact', 'subset', 'superset'] as const;

/** Rules from options, with the profile's choices for what is not said. */
export function callRules(options: TrajectoryOptions, profile: Profile): CallRules {
  return {
    matchType: options.matchType ?? 'EXACT',
    ignoreArgs: options.ignoreArgs ?? false,
    mode: options.argsMode ?? 'exact',
    absentEqualsEmpty: options.absentEqualsEmpty ?? false,
    booleansEqualNumbers: options.strictTypes === undefined ? profile.booleansEqualNumbers : !options.strictTypes,
    dataMatchers: profile.name === 'default',
    oneTransferArgument: !profile.transferSpellingsDiffer,
    parallelUnordered: options.parallelUnordered ?? false,
    compareAuthors: options.compareAuthors ?? false,
    ...(options.anyString === undefined ? {} : { anyString: options.anyString }),
  };
}

/** The reference's spellings: 0, 1, 2, or a name in any case with blanks and hyphens for underscores. Graded ones by name alone. */
function readMatchType(value: unknown, profile: Profile): MatchType | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return matchTypes.slice(0, 3)[Number(value)];
  if (typeof value !== 'string') return undefined;
  const name = value.trim().toUpperCase().replace(/[- ]/g, '_');
  return (profile.name === 'default' ? matchTypes : matchTypes.slice(0, 3)).find((type) => type === name);
}

/** Reads the criterion. Under google-adk only the reference's two fields exist; others are data. */
export function readTrajectoryCriterion(raw: Criterion, profile: Profile): { readonly criterion: TrajectoryCriterion; readonly problems: readonly Problem[] } {
  const own = profile.name === 'default';
  const fields = new CriterionFields(raw, own ? [...referenceFields, ...ownFields] : referenceFields, profile);
  const names = own ? matchTypes : matchTypes.slice(0, 3);
  const matchType = fields.field('match_type', (value) => readMatchType(value, profile), `one of ${names.join(', ')}`);
  const ignoreArgs = fields.boolean('ignore_args');
  const options = { ...defined({ matchType, ignoreArgs }), ...(own ? ownOptions(fields) : {}) } as TrajectoryOptions;
  const limits: CallLimits = {
    forbiddenTools: (own && fields.texts('forbidden_tools')) || [],
    minCalls: (own && fields.counts('min_calls')) || new Map(),
    maxCalls: (own && fields.counts('max_calls')) || new Map(),
  };
  fields.reportKeys();
  const { ignoreTools, nestedTools, authors } = options;
  const selection = defined({ ignoreTools, nestedTools, authors }) as CallSelection;
  return { criterion: { ...raw, rules: callRules(options, profile), selection, limits }, problems: fields.problems };
}

function ownOptions(fields: CriterionFields): TrajectoryOptions {
  return defined({
    argsMode: fields.choice('args_mode', argsModes),
    absentEqualsEmpty: fields.boolean('absent_equals_empty'),
    strictTypes: fields.boolean('strict_types'),
    anyString: fields.text('any_string'),
    parallelUnordered: fields.boolean('parallel_unordered'),
    compareAuthors: fields.boolean('compare_authors'),
    ignoreTools: fields.texts('ignore_tools'),
    nestedTools: fields.boolean('nested_tools'),
    authors: fields.texts('authors'),
  }) as TrajectoryOptions;
}

function defined<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}
