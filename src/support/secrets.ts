/**
 * Keeps secrets out of what is printed and written. Two kinds: values that are known (headers, keys in the environment), which are taken out of
 * everything, and shapes that give a secret away (`?key=…`, `Bearer …`, keys of well-known services), which are taken out of error texts.
 */

/** Stands where a secret was. */
export const redacted = '[redacted]';

/** Variables whose values are secret, by the end of their names. */
const secretName = /(^|_)(API_?KEY|ACCESS_?KEY(_ID)?|SECRET(_KEY)?|CLIENT_SECRET|PRIVATE_KEY|AUTH_?TOKEN|ACCESS_TOKEN|REFRESH_TOKEN|TOKEN|PASSWORD|PASSWD|PASSPHRASE|AUTHORIZATION|COOKIE|DSN)(_\d+)?$/i;

/** Shorter values stand in too many texts by chance. */
const shortest = 8;

type Environment = Readonly<Record<string, string | undefined>>;

const kept = new Set<string>();
const environments = new Set<() => Environment>([() => process.env]);

/** Remembers a value that is secret, for as long as the process lives. Values of fewer than 8 characters, and single words, are not taken on: they would hide too much else. */
export function keepSecret(value: string): void {
  if (!looksSecret(value)) return;
  kept.add(value);
  refreshSecrets();
}

/**
 * Watches the secrets of one more environment, such as that of a Jest sandbox.
 *
 * @returns ends it
 */
export function watchEnvironment(environment: () => Environment): () => void {
  environments.add(environment);
  refreshSecrets();
  return () => environments.delete(environment);
}

let lookedUp: { readonly values: readonly string[]; readonly at: number } | undefined;

/** Looks secrets up again at the next text. Otherwise that is done once a second at most: it costs more than writing a line. */
export function refreshSecrets(): void {
  lookedUp = undefined;
}

function looksSecret(value: string): boolean {
  return value.length >= shortest && !/^([a-z]+|[A-Z]+|[A-Z][a-z]+|\d{1,15})$/.test(value) && !/^(\/|\.{1,2}\/|[a-z]:\\)/i.test(value);
}

/** Every known secret, in each spelling in which it may stand in a text; longest first, since one may be part of another. */
function spellings(): readonly string[] {
  const values = new Set(kept);
  for (const environment of environments) {
    for (const [name, value] of Object.entries(environment())) if (value !== undefined && secretName.test(name) && looksSecret(value)) values.add(value);
  }
  const all = new Set([...values].flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent((value as string & { toWellFormed(): string }).toWellFormed())]));
  return [...all].sort((a, b) => b.length - a.length);
}

/** A text, as it is or as part of a JSON text, without the secrets that are known. */
export function redactKnown(text: string): string {
  const now = Date.now();
  if (lookedUp === undefined || now - lookedUp.at > 1000) lookedUp = { values: spellings(), at: now };
  return lookedUp.values.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, redacted) : rest), text);
}

/** What gives a secret away; the first group, where there is one, stays. */
const shapes: readonly RegExp[] = [
  /([?&;](?:key|api[_-]?key|apikey|access_token|id_token|refresh_token|token|client_secret|secret|sig|signature|password|passwd)=)[^&\s"'<>\\)\]}]+/gi,
  /((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|digest|token|negotiate)\s+)?[^\s"',;}\]\\]+/gi,
  /((?:x-goog-api-key|x-api-key|api[_-]?key|set-cookie|client[_-]secret|access[_-]token|refresh[_-]token|password)["']?\s*[:=]\s*["']?)[^\s"',;&}\]\\]{6,}/gi,
  /(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{12,}/gi,
  /([a-z][a-z0-9+.-]*:\/\/)[^/\s:@"']*:[^/\s@"']+(?=@)/gi,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /()\b(?:AIza[0-9A-Za-z_-]{20,}|ya29\.[0-9A-Za-z_-]{10,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|hf_[A-Za-z0-9]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g,
];

/** An error text without secrets: neither those that are known nor what looks like one. */
export function redact(text: string): string {
  return shapes.reduce((rest, shape) => rest.replace(shape, `$1${redacted}`), redactKnown(text));
}

/** A value as JSON for messages, without what its `headers` say; undefined for what JSON has no text for. */
export function shownJson(value: unknown): string | undefined {
  const text = JSON.stringify(value, (key, item: unknown) => (key.toLowerCase() === 'headers' ? redacted : item)) as string | undefined;
  return text === undefined ? undefined : redact(text);
}
