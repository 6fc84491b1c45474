/** The agents of an app, for targets that do not tell: what judges are shown of instructions and tools. */
import { appDetailsFromJson } from '../evalset/parts';
import type { AppDetails } from '../evalset/types';
import type { MadeMetric } from '../metrics/registry';
import { readDocument, withPositionsIn } from '../support/document';
import { JestAdkError, type Problem } from '../support/errors';
import { resolveFrom } from '../support/paths';
import type { Target } from '../target/types';
import type { EvaluateOptions, Host } from './types';

/**
 * Reads what the option `appDetails` gives: an object in ADK's form, or the path of a JSON or TOML file with one.
 *
 * @throws {JestAdkError} `invalid_value` with every problem, with places where it was a file; what reading a file throws
 */
export function readAppDetails(given: NonNullable<EvaluateOptions['appDetails']>, host: Pick<Host, 'rootDir' | 'callerDir'>): AppDetails {
  if (typeof given !== 'string') return parsed(given, undefined);
  const file = resolveFrom(host, given);
  return parsed(readDocument(file).value, file);
}

function parsed(value: unknown, file: string | undefined): AppDetails {
  let details: AppDetails;
  try {
    details = appDetailsFromJson(value);
  } catch (thrown) {
    if (!(thrown instanceof JestAdkError)) throw thrown;
    throw new JestAdkError('invalid_value', placed(thrown.problems, file));
  }
  if (Object.keys(details.agentDetails).length > 0) return details;
  throw new JestAdkError('invalid_value', placed([{ code: 'invalid_value', path: ['agent_details'], message: 'The app details name no agent.', hint: 'Write { "agent_details": { "NAME": { "name": "NAME", "instructions": "…", "tool_declarations": [] } } }.' }], file));
}

function placed(problems: readonly Problem[], file: string | undefined): readonly Problem[] {
  if (file === undefined) return problems.map((problem) => ({ ...problem, path: ['appDetails', ...(problem.path ?? [])] }));
  return withPositionsIn(problems.map((problem) => ({ ...problem, file })), file);
}

/** What judges will not be shown, or what was given for nothing. */
export function appDetailsWarnings(metrics: readonly MadeMetric[], { kind, capabilities }: Target, given: AppDetails | undefined): readonly string[] {
  if (given !== undefined) return capabilities.appDetails === true ? [`appDetails is not used: a target of the kind "${kind}" tells its agents' instructions and tools itself.`] : [];
  const names = capabilities.appDetails === false ? metrics.filter(({ metric, judge, vertex }) => metric.showsAgents === true && (judge ?? vertex) !== undefined).map(({ metric }) => metric.name) : [];
  if (names.length === 0) return [];
  return [`${names.join(', ')}: the judge is not shown the agent's instructions and tools, which a target of the kind "${kind}" does not tell. Give them as --app-details FILE (option appDetails).`];
}
