import { readFileSync } from 'node:fs';
import { refusal, JestAdkError } from './errors';

/**
 * The text of a UTF-8 file.
 *
 * @param path  absolute
 * @param keepBom  leave a byte-order mark in the text, where it is no JSON; by default it is stripped
 * @throws {JestAdkError} `file_not_found`, `file_unreadable`, or `not_utf8` with the offset of the first byte that is not UTF-8
 */
export function readTextFile(path: string, { keepBom = false }: { readonly keepBom?: boolean } = {}): string {
  return decodeUtf8(readBytes(path), path, keepBom);
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new JestAdkError('file_not_found', [{ code: 'file_not_found', message: `There is no file ${path}.` }], { cause: error });
    throw new JestAdkError('file_unreadable', [{ code: 'file_unreadable', message: `${path} cannot be read: ${code ?? String(error)}.` }], { cause: error });
  }
}

function decodeUtf8(bytes: Buffer, path: string, keepBom: boolean): string {
  // UTF-16 without a mark: none of our formats begins with a NUL, which in UTF-8 would be one.
  const nul = bytes.subarray(0, 2).indexOf(0);
  if (nul !== -1) throw notUtf8(nul, path, true);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepBom }).decode(bytes);
  } catch {
    const offset = firstInvalidByte(bytes);
    const isUtf16 = offset === 0 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
    throw notUtf8(offset, path, isUtf16);
  }
}

function notUtf8(offset: number, path: string, isUtf16: boolean): JestAdkError {
  return refusal('not_utf8', `not UTF-8 at byte ${offset} in ${path}.`, `Save the file as UTF-8${isUtf16 ? '; it is UTF-16 now' : ''}.`);
}

/** Offset of the first byte that belongs to no UTF-8 character: everything before it decodes, and what decodes encodes to itself. */
function firstInvalidByte(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let offset = 0;
  for (const character of text) {
    const encoded = Buffer.from(character, 'utf8');
    if (!encoded.equals(bytes.subarray(offset, offset + encoded.length))) return offset;
    offset += encoded.length;
  }
  return offset;
}
