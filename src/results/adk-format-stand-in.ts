import { JsonFloat, stringifyJson } from '../support/json';
import type { AdkSetResult } from './adk-model';

/** Stands in until the full writer is here: the outer fields in google-adk's spelling, contents in camel case, which it reads as well. */
export function resultFileText(result: AdkSetResult): string {
  return stringifyJson({
    eval_set_result_id: result.evalSetResultId,
    eval_set_result_name: result.evalSetResultName ?? null,
    eval_set_id: result.evalSetId,
    eval_case_results: result.evalCaseResults.map(({ jestAdk, ...entry }) => ({ ...snake(entry), jest_adk: jestAdk })),
    creation_timestamp: new JsonFloat(result.creationTimestamp),
    jest_adk: result.jestAdk,
  });
}

function snake(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), item]));
}
