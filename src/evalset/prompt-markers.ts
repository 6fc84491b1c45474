import { dirname, resolve } from 'node:path';
import { withPositionsIn } from '../support/document';
import { JestAdkError, type Problem, refusal } from '../support/errors';
import { isInside } from '../support/paths';
import { readTextFile } from '../support/text';
import { looksLikeMarker, parseMarker } from './marker-syntax';
import { renderTemplate } from './templates/render';
import { type TemplateEngine, templateEngines } from './templates/template';
import type { Content, EvalCase, EvalSet, Invocation, Loaded, Part } from './types';

/** How markers are rendered. */
export interface PromptMarkerOptions {
  /** `string` unless another is asked for. */
  readonly engine?: TemplateEngine;
  /** Prompt files must lie inside this folder. For an eval set that lies outside itself: inside its own folder. */
  readonly projectRoot: string;
}

/** What one call works with. */
interface Rendering {
  readonly engine: TemplateEngine;
  readonly folder: string;
  readonly boundary: string;
  readonly problems: Problem[];
  readonly files: Set<string>;
  readonly templates: Map<string, string>;
  /** From an object that was made here to the one it stands for, whose place is known. */
  readonly origins: WeakMap<object, object>;
  readonly loaded: Loaded<EvalSet>;
}

/**
 * Replaces every prompt marker of a loaded eval set by its rendered file: texts of user contents and final responses that are a marker as a whole.
 * Scenario cases have none. The files are relative to the eval set and become dependencies of the result; a set without markers is
 * returned as it is.
 *
 * @throws {JestAdkError} `prompt_markers` with every problem of every marker, each at the marker's place
 */
export function renderPromptMarkers(loaded: Loaded<EvalSet>, options: PromptMarkerOptions): Loaded<EvalSet> {
  const { engine = 'string', projectRoot } = options;
  if (!templateEngines.includes(engine)) {
    throw refusal('bad_option', `promptTemplateEngine is ${JSON.stringify(engine)}.`, `It is one of ${templateEngines.join(', ')}.`);
  }
  const folder = dirname(loaded.file);
  const rendering: Rendering = {
    engine, folder, loaded,
    boundary: isInside(projectRoot, loaded.file) ? projectRoot : folder,
    problems: [], files: new Set(), templates: new Map(), origins: new WeakMap(),
  };
  const evalCases = mapChanged(loaded.value.evalCases, (evalCase, index) => renderCase(evalCase, ['eval_cases', index], rendering));
  if (rendering.problems.length > 0) throw new JestAdkError('prompt_markers', withPositionsIn(rendering.problems, loaded.file));
  if (evalCases === loaded.value.evalCases) return loaded;
  const { origins } = rendering;
  return {
    value: derive(loaded.value, { evalCases }, rendering),
    file: loaded.file,
    // Warnings are worded when somebody looks at them.
    get warnings() {
      return loaded.warnings;
    },
    dependencies: [...new Set([...loaded.dependencies, ...rendering.files])],
    placeOf: (node) => loaded.placeOf(origins.get(node) ?? node),
  };
}

type Path = readonly (string | number)[];

/** Like `map`; the list itself when nothing changed. */
function mapChanged<T>(list: readonly T[], change: (item: T, index: number) => T): readonly T[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function derive<T extends object>(original: T, changes: Partial<T>, { origins }: Rendering): T {
  const copy = { ...original, ...changes };
  origins.set(copy, original);
  return copy;
}

function renderCase(evalCase: EvalCase, path: Path, rendering: Rendering): EvalCase {
  const { sessions } = evalCase;
  const renderedSessions = sessions && mapChanged(sessions, (session, index) => renderTurns(session, [...path, 'sessions', index], rendering));
  return renderedSessions === undefined || renderedSessions === sessions ? renderTurns(evalCase, path, rendering) : derive(evalCase, { sessions: renderedSessions }, rendering);
}

/** A case, or one of its sessions, with its turns rendered. */
function renderTurns<T extends { readonly conversation?: readonly Invocation[] }>(holder: T, path: Path, rendering: Rendering): T {
  const { conversation } = holder;
  if (conversation === undefined) return holder;
  const rendered = mapChanged(conversation, (turn, index) => renderTurn(turn, [...path, 'conversation', index], rendering));
  return rendered === conversation ? holder : derive(holder, { conversation: rendered } as Partial<T>, rendering);
}

function renderTurn(turn: Invocation, path: Path, rendering: Rendering): Invocation {
  const userContent = renderContent(turn.userContent, [...path, 'user_content'], rendering);
  const finalResponse = turn.finalResponse && renderContent(turn.finalResponse, [...path, 'final_response'], rendering);
  if (userContent === turn.userContent && finalResponse === turn.finalResponse) return turn;
  return derive(turn, { userContent, ...(finalResponse !== undefined && { finalResponse }) }, rendering);
}

function renderContent(content: Content, path: Path, rendering: Rendering): Content {
  const { parts } = content;
  if (parts === undefined) return content;
  const rendered = mapChanged(parts, (part, index) => renderPart(part, [...path, 'parts', index], rendering));
  return rendered === parts ? content : derive(content, { parts: rendered }, rendering);
}

function renderPart(part: Part, path: Path, rendering: Rendering): Part {
  if (part.text === undefined || !looksLikeMarker(part.text)) return part;
  const place = rendering.loaded.placeOf(part) ?? { file: rendering.loaded.file, path };
  const text = renderText(part.text, rendering, (problem) => {
    const message = `${problem.message} Marker: ${part.text?.trim() ?? ''}`;
    rendering.problems.push({ ...problem, message, file: place.file, path: [...place.path, 'text'] });
  });
  return text === undefined ? part : derive(part, { text }, rendering);
}

/** The rendered text; undefined when the text is no marker, or when something was reported. */
function renderText(text: string, rendering: Rendering, report: (problem: Problem) => void): string | undefined {
  const marker = parseMarker(text);
  if (marker === undefined) return undefined;
  marker.problems.forEach(report);
  if (marker.file === undefined) return undefined;
  const file = resolve(rendering.folder, marker.file);
  if (!isInside(rendering.boundary, file)) {
    report({ code: 'prompt_file_outside', message: `The prompt file ${file} is outside the project (${rendering.boundary}).`, hint: 'Prompt files lie inside the project, links followed.' });
    return undefined;
  }
  const template = readTemplate(file, rendering, report);
  if (template === undefined) return undefined;
  rendering.files.add(file);
  const rendered = renderTemplate(rendering.engine, { text: template, file, variables: marker.variables });
  rendered.files.forEach((included) => rendering.files.add(included));
  rendered.problems.forEach(report);
  return rendered.problems.length > 0 || marker.problems.length > 0 ? undefined : rendered.text;
}

/** The file's text with LF line breaks, so that a checkout on Windows scores the same; undefined when something was reported. */
function readTemplate(file: string, { templates }: Rendering, report: (problem: Problem) => void): string | undefined {
  const known = templates.get(file);
  if (known !== undefined) return known;
  try {
    const text = readTextFile(file).replace(/\r\n?/g, '\n');
    templates.set(file, text);
    return text;
  } catch (error) {
    if (!(error instanceof JestAdkError)) throw error;
    for (const { message, hint } of error.problems) report({ code: 'prompt_file', message, ...(hint !== undefined && { hint }) });
    return undefined;
  }
}
