/** Headers that are sent with every request: ordered, repeated names kept apart, values secret. */
import { refusal } from '../../support/errors';
import type { JestAdkError } from '../../support/errors';

/** Name and value of one header. */
export type HeaderPair = readonly [name: string, value: string];

/** Headers as they are given: pairs, of which several may have one name, or an object. */
export type HeadersOption = readonly HeaderPair[] | Readonly<Record<string, string | readonly string[]>>;

/** Headers that frame a request: two of them, or a wrong one, and the server reads something else than what was sent. */
const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'trailer', 'te', 'expect', 'proxy-connection']);

/** Pairs of the option, in its order. */
export function headerPairs(headers: HeadersOption): readonly HeaderPair[] {
  if (Array.isArray(headers)) return headers as readonly HeaderPair[];
  return Object.entries(headers as Readonly<Record<string, string | readonly string[]>>).flatMap(([name, values]) => (typeof values === 'string' ? [values] : values).map((value): HeaderPair => [name, value]));
}

/** What is wrong with headers; their values are never named. */
export function headerRefusals(headers: readonly HeaderPair[]): readonly JestAdkError[] {
  return headers.flatMap((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2 || pair.some((text) => typeof text !== 'string')) return [refusal('bad_header', 'A header is no pair of two texts.', 'Write ["Authorization", "Bearer …"].')];
    const [name, value] = pair as HeaderPair;
    const shown = JSON.stringify(name.slice(0, 60));
    if (name === '') return [refusal('bad_header', 'A header has an empty name.')];
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return [refusal('bad_header', `${shown} cannot be the name of a header.`, 'Letters, digits and - are legal.')];
    if (framing.has(name.toLowerCase())) return [refusal('bad_header', `The header ${shown} cannot be given: it belongs to the connection.`)];
    if (!/^[\t\x20-\x7e]*$/.test(value)) return [refusal('bad_header', `The value of the header ${shown} contains a line break or a character that is not ASCII.`)];
    return [];
  });
}

/**
 * The headers of one request as Node's flat list: the given ones in their order, ours where none of that name is given.
 *
 * @param own  what the request needs, e.g. `host` and `content-type`
 */
export function flatHeaders(given: readonly HeaderPair[], own: readonly HeaderPair[]): string[] {
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  return [...own.filter(([name]) => !names.has(name)), ...given].flat();
}
