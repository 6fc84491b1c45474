/** What a server says in an answer that is not the one wanted, on a line. */

const width = 300;

/**
 * The words of an error's body: FastAPI's `{"detail"}`, the TypeScript server's `{"error"}`, the text of a web page, or the beginning
 * of whatever it is. Empty for an empty body.
 *
 * @param body  the text as it came
 */
export function bodyWords(body: string): string {
  const text = body.trim();
  if (text.startsWith('{') || text.startsWith('[') || text.startsWith('"')) {
    const said = parsed(text);
    if (said !== undefined) return shortened(said);
  }
  return shortened(text.startsWith('<') ? pageText(text) : text);
}

/** The beginning of a body, as it came, in quotes. */
export function bodyExcerpt(body: string): string {
  const line = shortened(body);
  return line === '' ? 'nothing' : JSON.stringify(line);
}

function parsed(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'string') return value;
    return words(value) ?? JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The first field that servers put their words into. */
function words(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { detail, error, error_details: details, message, errors } = value as Readonly<Record<string, unknown>>;
  for (const field of [detail, error, message, errors]) {
    if (typeof field === 'string' && field !== '') return typeof details === 'string' && details !== '' ? `${field} (${details})` : field;
    if (Array.isArray(field) && field.length > 0) return field.map(itemWords).join('; ');
    const inner = words(field);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** FastAPI's `{"loc": ["body", "userId"], "msg": "Field required"}`. */
function itemWords(item: unknown): string {
  const { loc, msg } = (typeof item === 'object' && item !== null ? item : {}) as { readonly loc?: unknown; readonly msg?: unknown };
  if (typeof msg === 'string') return Array.isArray(loc) ? `${loc.join('.')}: ${msg}` : msg;
  return typeof item === 'string' ? item : JSON.stringify(item);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" };

function pageText(page: string): string {
  return page
    .slice(0, 20_000)
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, (part) => / *<title[^>]*>([^<]*)/i.exec(part)?.[1] ?? ' ')
    .replace(/<!--[\s\S]*?-->|<[^>]*>/g, ' ')
    .replace(/&([a-z]+|#39);/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
}

function shortened(text: string): string {
  const line = text
    .slice(0, 8 * width)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
