/** Keys, projects and locations: whether they are there, never what they are. */
import { existsSync } from 'node:fs';
import type { Finding, Surroundings } from './types';

/** Variables in which the SDK looks for a key, in its order. */
const keys = ['GOOGLE_GENAI_API_KEY', 'GOOGLE_API_KEY', 'GEMINI_API_KEY'] as const;

/** Switches to Vertex AI; the first one that is set counts. */
const switches = ['GOOGLE_GENAI_USE_ENTERPRISE', 'GOOGLE_GENAI_USE_VERTEXAI'] as const;

/** Models of Gemini 3 are served in this location alone. */
const onlyLocation = 'global';

/** Looks at the environment as `@google/adk` does when it makes a Gemini model. */
export function checkCredentials({ env, models }: Surroundings): readonly Finding[] {
  const has = (name: string): boolean => (env[name] ?? '') !== '';
  const set = keys.filter(has);
  const switchName = switches.find(has);
  const vertex = switchName !== undefined && /^(true|1)$/i.test(env[switchName] ?? '');
  if (!vertex) return [key(set, models), ...(has('GOOGLE_CLOUD_LOCATION') || has('GOOGLE_CLOUD_PROJECT') ? [unused(switchName)] : [])];
  return [project(has, switchName), location(env['GOOGLE_CLOUD_LOCATION'] ?? '', models), ...applicationCredentials(env['GOOGLE_APPLICATION_CREDENTIALS'])];
}

function key(set: readonly string[], models: readonly string[]): Finding {
  const [first, ...others] = set;
  if (first !== undefined) return { check: 'model key', status: 'ok', message: `${first} is set${others.length > 0 ? ` and wins over ${others.join(', ')}` : ''}` };
  const advice = `For Gemini set ${keys[2]}, or ${switches[1]}=true with GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION.`;
  const gemini = models.find((name) => name.startsWith('gemini'));
  if (gemini !== undefined) return { check: 'model key', status: 'problem', message: `none of ${keys.join(', ')} is set, and ${gemini} needs one`, advice };
  return { check: 'model key', status: 'note', message: `none of ${keys.join(', ')} is set: only agents and judges that need no key work`, advice };
}

function unused(switchName: string | undefined): Finding {
  const why = switchName === undefined ? `${switches[1]} is not set` : `${switchName} is not true`;
  return { check: 'Vertex AI', status: 'note', message: `is not used: ${why}`, advice: `To use it, set ${switches[1]}=true.` };
}

function project(has: (name: string) => boolean, switchName: string): Finding {
  const missing = ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'].filter((name) => !has(name));
  if (missing.length === 0) return { check: 'Vertex AI', status: 'ok', message: `is used (${switchName}); project and location are set` };
  return { check: 'Vertex AI', status: 'problem', message: `is used (${switchName}), but ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set`, advice: `Set ${missing.join(' and ')}.` };
}

function location(given: string, models: readonly string[]): Finding {
  const newer = models.filter((name) => /(^|\/)gemini-[3-9]/.test(name));
  if (given === '' || given === onlyLocation) return { check: 'location', status: 'ok', message: given === '' ? 'is not set' : given };
  const advice = `Set GOOGLE_CLOUD_LOCATION=${onlyLocation}.`;
  if (newer.length > 0) return { check: 'location', status: 'problem', message: `${given}, where ${newer.join(', ')} is not served: models of Gemini 3 are in "${onlyLocation}" alone`, advice };
  if (models.length > 0) return { check: 'location', status: 'ok', message: given };
  return { check: 'location', status: 'note', message: `${given}: models of Gemini 3 would not be found there`, advice: `For these, set GOOGLE_CLOUD_LOCATION=${onlyLocation}. Name yours with --model to have it checked.` };
}

function applicationCredentials(file: string | undefined): readonly Finding[] {
  if (file === undefined || file === '') return [];
  if (existsSync(file)) return [{ check: 'credentials', status: 'ok', message: 'the file of GOOGLE_APPLICATION_CREDENTIALS exists' }];
  return [{ check: 'credentials', status: 'problem', message: 'GOOGLE_APPLICATION_CREDENTIALS names a file that does not exist', advice: 'Correct the path, or unset it and run "gcloud auth application-default login".' }];
}
