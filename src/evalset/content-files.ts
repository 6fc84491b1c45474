import { readFileSync } from 'node:fs';
import { extname, isAbsolute, resolve } from 'node:path';
import { withPositionsIn } from '../support/document';
import { JestAdkError, type Problem } from '../support/errors';
import { isInside } from '../support/paths';
import { placedTurns, writtenTurns } from './turns';
import type { Content, EvalSet, Loaded, Part } from './types';
import { isFile } from './discover';

/** Types of files that models take, by extension. */
const mimeTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif', '.webp': 'image/webp', '.heic': 'image/heic', '.heif': 'image/heif',
  '.bmp': 'image/bmp', '.svg': 'image/svg+xml', '.pdf': 'application/pdf', '.json': 'application/json', '.xml': 'text/xml', '.txt': 'text/plain',
  '.md': 'text/markdown', '.html': 'text/html', '.css': 'text/css', '.csv': 'text/csv', '.js': 'text/javascript', '.py': 'text/x-python', '.rtf': 'text/rtf',
  '.wav': 'audio/wav', '.mp3': 'audio/mp3', '.aac': 'audio/aac', '.ogg': 'audio/ogg', '.flac': 'audio/flac', '.m4a': 'audio/mp4', '.aiff': 'audio/aiff',
  '.mp4': 'video/mp4', '.mpeg': 'video/mpeg', '.mov': 'video/mov', '.avi': 'video/avi', '.webm': 'video/webm', '.wmv': 'video/wmv', '.3gp': 'video/3gpp',
};

/** Where files named by contents lie, and may lie. */
export interface ContentFileOptions {
  /** Folder of the eval set; for one given in code, that of the caller. */
  readonly baseDir: string;
  /** Files must lie inside it, links followed. For an eval set that lies outside itself: inside `baseDir`. */
  readonly projectRoot: string;
}

/** The path of a `fileData.fileUri` that is a relative path; undefined for URIs with a scheme and for absolute paths. */
function relativeFile(part: Part): string | undefined {
  const uri = part.fileData?.fileUri;
  if (uri === undefined || uri === '' || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) || isAbsolute(uri) || uri.startsWith('\\')) return undefined;
  return uri;
}

function fileProblem(file: string, { baseDir, projectRoot }: ContentFileOptions): Problem | undefined {
  const boundary = isInside(projectRoot, baseDir) ? projectRoot : baseDir;
  if (!isInside(boundary, file)) return { code: 'content_file_outside', message: `The file ${file} is outside the project (${boundary}).` };
  return isFile(file) ? undefined : { code: 'content_file', message: `There is no file ${file}.`, hint: 'A file_uri without a scheme is a path relative to the eval set.' };
}

/** What is wrong with the files that the user contents of an eval set name by relative paths; found before any agent is contacted. */
export function contentFileProblems(loaded: Loaded<EvalSet>, options: ContentFileOptions): Problem[] {
  const problems: Problem[] = [];
  loaded.value.evalCases.forEach((evalCase, caseIndex) => placedTurns(evalCase).forEach(({ turn, path: at }) => turn.userContent.parts?.forEach((part, partIndex) => {
    const uri = relativeFile(part);
    const problem = uri === undefined ? undefined : fileProblem(resolve(options.baseDir, uri), options);
    if (problem === undefined) return;
    const place = loaded.placeOf(part.fileData ?? part) ?? loaded.placeOf(part);
    const path = ['eval_cases', caseIndex, ...at, 'user_content', 'parts', partIndex, 'file_data'];
    const file = place?.file ?? loaded.file;
    problems.push({ ...problem, ...(file !== '' && { file }), path: place?.path ?? path });
  })));
  return problems.length === 0 ? problems : withPositionsIn(problems, loaded.file);
}

/** The relative files that user contents name, absolute: what an eval set depends on beside itself. */
export function contentFilesOf(evalSet: EvalSet, baseDir: string): string[] {
  const uris = evalSet.evalCases.flatMap((evalCase) => writtenTurns(evalCase) ?? []).flatMap((turn) => turn.userContent.parts ?? []).map(relativeFile);
  return [...new Set(uris.filter((uri) => uri !== undefined))].map((uri) => resolve(baseDir, uri));
}

/**
 * A user content ready to be sent: each `fileData` with a relative path becomes inline data, base64 in the standard alphabet, with the given
 * mime type or one guessed from the extension (else `application/octet-stream`). Everything else stays as it is.
 *
 * @throws {JestAdkError} `content_file`, `content_file_outside`
 */
export function resolveContentFiles(content: Content, options: ContentFileOptions): Content {
  if (content.parts === undefined || !content.parts.some((part) => relativeFile(part) !== undefined)) return content;
  return { ...content, parts: content.parts.map((part) => inlined(part, options)) };
}

function inlined(part: Part, options: ContentFileOptions): Part {
  const uri = relativeFile(part);
  if (uri === undefined) return part;
  const file = resolve(options.baseDir, uri);
  const problem = fileProblem(file, options);
  if (problem !== undefined) throw new JestAdkError(problem.code, [problem]);
  const { fileData, ...rest } = part;
  const mimeType = fileData?.mimeType ?? mimeTypes[extname(file).toLowerCase()] ?? 'application/octet-stream';
  const displayName = fileData?.displayName;
  return { ...rest, inlineData: { data: readFileSync(file).toString('base64'), mimeType, ...(displayName !== undefined && { displayName }) } };
}
