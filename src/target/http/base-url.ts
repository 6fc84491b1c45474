/** Where a server is, and how the paths below it are written. */
import { refusal } from '../../support/errors';

/** The address of a server: everything in front of the paths that are asked for. */
export interface BaseUrl {
  readonly secure: boolean;
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** `host:port` as the Host header has it: without the port that the scheme implies. */
  readonly authority: string;
  /** Path without a slash at its end; `` when there is none. */
  readonly path: string;
  /** The whole address as it is shown: without a slash at its end. */
  readonly text: string;
}

/**
 * Reads the address of a server. It may carry a path, with or without a slash at the end.
 *
 * @throws {JestAdkError} `bad_url` for another scheme, for what is no URL, and for what cannot stand in front of a path: a query, a
 *   hash, or credentials (which the message does not repeat)
 */
export function parseBaseUrl(text: string): BaseUrl {
  const shown = JSON.stringify(withoutCredentials(text));
  if (!/^https?:\/\//i.test(text)) throw refusal('bad_url', `The URL ${shown} does not start with http:// or https://.`, 'Write it like https://agent.example.com or http://127.0.0.1:8000/prefix.');
  if (!URL.canParse(text) || /\s/.test(text.trim()) || /^https?:\/\/[/\\]/i.test(text)) throw refusal('bad_url', `The URL ${shown} cannot be read.`, 'Write it like http://127.0.0.1:8000 or https://agent.example.com/prefix.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw refusal('bad_url', `The URL ${shown} carries credentials, which would end up in logs.`, 'Leave them out and send a header, such as Authorization.');
  if (/[?#]/.test(text)) throw refusal('bad_url', `The URL ${shown} carries a query or a hash; the paths of requests are appended to it.`, 'Leave it out; what identifies you goes into a header.');
  const secure = url.protocol === 'https:';
  const path = url.pathname.replace(/\/+$/, '');
  return {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    authority: url.host,
    path,
    text: `${url.protocol}//${url.host}${path}`,
  };
}

/** Whether a text given as a target is meant as an address, and no module path. */
export function looksLikeUrl(text: string): boolean {
  return /^https?:/i.test(text);
}

/** A URL without user and password, also one that cannot be parsed. */
function withoutCredentials(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:[/\\]*)[^/\\?#]*@/i, '$1***@');
}

/**
 * A path below that of the address, every segment percent-encoded outside RFC 3986's unreserved characters. It is sent as it is: a URL parser would
 * take segments of dots for directions, even encoded ones.
 */
export function pathBelow(basePath: string, segments: readonly string[]): string {
  return `${basePath}/${segments.map(encodeSegment).join('/')}`;
}

function encodeSegment(text: string): string {
  const encoded = encodeURIComponent((text as WellFormed).toWellFormed()).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

/** Node 20 has it, the compiler's library of ES2023 not yet. */
type WellFormed = string & { toWellFormed(): string };

/** Why a text cannot be one segment of a path; undefined for one that can. A server may decode a path before it takes it apart. */
export function segmentProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.includes('/')) return 'it contains "/"';
  return text.includes('\0') ? 'it contains a NUL character' : undefined;
}

/** Whether an address is this machine's own. */
export function isLoopback({ host }: BaseUrl): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|::1|::ffff:127\..*|::ffff:7f[0-9a-f]{2}:.*)\.?$/i.test(host);
}
