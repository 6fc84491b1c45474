/** A prompt marker taken apart: `<prompt:FILE KEY=VALUE …>`. */
export interface PromptMarker {
  /** Absent when the marker names none. */
  readonly file?: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly problems: readonly MarkerProblem[];
}

/** What is wrong with a marker itself, before any file is read. */
export interface MarkerProblem {
  readonly code: 'marker_without_file' | 'marker_quote' | 'marker_pair';
  readonly message: string;
  readonly hint?: string;
}

const opening = /^\s*<prompt:/;

/** Can the text be a marker at all? Cheap, for the many texts that are none. */
export function looksLikeMarker(text: string): boolean {
  return opening.test(text);
}

/**
 * Reads a text as a marker; undefined when it is not one as a whole, with blanks around it at most. Tokens are split on blanks; a quote groups at the start of
 * a token and right after its first `=`, and is an ordinary character elsewhere, like backslashes and `#`. Of a repeated key the last value counts.
 *
 * A `>` ends the marker when a blank or the end follows it and no quote is open, so `<prompt:a> and <prompt:b>` is no marker but
 * a text with two examples of one.
 */
export function parseMarker(text: string): PromptMarker | undefined {
  if (!looksLikeMarker(text)) return undefined;
  const body = text.trim().slice('<prompt:'.length);
  const { tokens, end } = tokenize(body);
  if (end === 'unclosed quote') {
    if (!body.endsWith('>')) return undefined;
    return { variables: new Map(), problems: [{ code: 'marker_quote', message: 'A quote is opened and never closed.' }] };
  }
  if (end !== body.length) return undefined;
  const [file, ...pairs] = tokens;
  const problems: MarkerProblem[] = [];
  if (file === undefined || file === '') problems.push({ code: 'marker_without_file', message: 'No file is named.', hint: 'Write <prompt:FILE KEY=VALUE …>.' });
  const variables = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals > 0) variables.set(pair.slice(0, equals), pair.slice(equals + 1));
    else problems.push({ code: 'marker_pair', message: `${JSON.stringify(pair)} is no KEY=VALUE pair.`, hint: 'A value with blanks is quoted: KEY="two words".' });
  }
  return { ...(file !== undefined && file !== '' && { file }), variables, problems };
}

interface Tokens {
  readonly tokens: readonly string[];
  /** Offset behind the `>` that ends the marker. */
  readonly end: number | 'unclosed quote' | 'never';
}

function tokenize(body: string): Tokens {
  const tokens: string[] = [];
  const isBlank = (at: number): boolean => /\s/.test(body[at] ?? '');
  const isEnd = (at: number): boolean => body[at] === '>' && (at + 1 === body.length || isBlank(at + 1));
  let at = 0;
  for (;;) {
    while (isBlank(at)) at += 1;
    if (at >= body.length) return { tokens, end: 'never' };
    if (isEnd(at)) return { tokens, end: at + 1 };
    let token = '';
    let groups = true; // at the start of the token
    let equalsSeen = false;
    while (at < body.length && !isBlank(at) && !isEnd(at)) {
      const character = body[at] as string;
      if (groups && (character === '"' || character === "'")) {
        const close = body.indexOf(character, at + 1);
        if (close < 0) return { tokens, end: 'unclosed quote' };
        token += body.slice(at + 1, close);
        // An `=` inside the group was the pair's first: nothing groups after it.
        equalsSeen ||= token.includes('=');
        at = close + 1;
        groups = false;
        continue;
      }
      token += character;
      at += 1;
      groups = character === '=' && !equalsSeen;
      equalsSeen ||= character === '=';
    }
    tokens.push(token);
  }
}
