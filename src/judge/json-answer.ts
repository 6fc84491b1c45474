/** Finds the JSON object in a model's answer: alone, in a fence, or with prose around it. */

/**
 * The first JSON object of a text that a check accepts.
 *
 * @param accept  gives what is made of an object, or undefined for one that is something else
 */
export function findJson<T>(text: string, accept: (value: Record<string, unknown>) => T | undefined): T | undefined {
  for (const candidate of candidates(text)) {
    const value = parsed(candidate);
    const accepted = value === undefined ? undefined : accept(value);
    if (accepted !== undefined) return accepted;
  }
  return undefined;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function* candidates(text: string): Generator<string> {
  yield text.trim();
  for (const [, body = ''] of text.matchAll(/^[ \t]*```[A-Za-z0-9]*[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*```/gm)) yield body;
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
    const end = closingBrace(text, start);
    if (end === undefined) continue;
    yield text.slice(start, end + 1);
  }
}

/** Where the object that begins at a brace ends, braces in strings left out. */
function closingBrace(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
