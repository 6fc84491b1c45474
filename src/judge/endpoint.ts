/** What an address given as a model must say; kept apart from what asks it, which few runs need. */
import type { OpenAiEndpoint } from './types';

/** Whether a value is such an address, right or wrong. */
export function isEndpoint(value: unknown): value is OpenAiEndpoint {
  return typeof value === 'object' && value !== null && 'baseUrl' in value;
}

/** What is wrong with an address given as a model; undefined for a right one. */
export function endpointProblem(value: unknown): string | undefined {
  if (!isEndpoint(value)) return undefined;
  const known = ['baseUrl', 'model', 'apiKeyEnv', 'headers'];
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange !== undefined) return `has the unknown field ${JSON.stringify(strange)}; there are ${known.map((name) => JSON.stringify(name)).join(', ')}`;
  if (typeof value.model !== 'string' || value.model === '') return 'must name the "model" that is asked for at "baseUrl"';
  if (typeof value.baseUrl !== 'string') return 'must give "baseUrl" as a text, such as "http://127.0.0.1:11434/v1"';
  return value.apiKeyEnv === undefined || (typeof value.apiKeyEnv === 'string' && value.apiKeyEnv !== '') ? undefined : 'must give "apiKeyEnv" as the name of a variable of the environment';
}
