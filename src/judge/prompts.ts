/** Prompts of judges and simulations: templates of ours in `prompts/`, filled with texts that we did not write. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markSections, type Section } from './sections';

/** The templates, with their versions: a change of words is a new version. */
const versions = {
  'final-response-match': 1,
  'rubrics-final-response': 1,
  'rubrics-tool-use': 1,
  'rubrics-trajectory': 1,
  'hallucination-sentences': 1,
  'hallucination-labels': 1,
  safety: 1,
  coherence: 1,
  'task-success': 1,
  'trajectory-quality': 1,
  'tool-use-quality': 1,
  'user-turn': 1,
  'simulated-user': 1,
  'tool-mock': 1,
  'tool-analysis': 1,
  scenarios: 1,
} as const;

/** Name of a template. */
export type PromptName = keyof typeof versions;

/** A prompt that is ready to be sent, and how results name it. */
export interface Prompt {
  readonly text: string;
  /** `final-response-match@1` */
  readonly version: string;
  /** First 12 hex digits of the SHA-256 of the template, without what was filled in. */
  readonly templateHash: string;
  /** The word in the marks of its sections. */
  readonly mark: string;
}

interface Template {
  readonly hash: string;
  render(data: object): string;
}

const loaded = new Map<PromptName, Template>();

/**
 * Fills a template.
 *
 * @param sections  texts of others, in order; the template's `it.sections` is all of them, marked, and `it.mark` the word in the marks
 * @param data      figures and texts of ours, such as a list of ids
 */
export function makePrompt(name: PromptName, sections: readonly Section[], data: object = {}): Prompt {
  const { text, mark } = markSections(sections);
  const template = templateOf(name);
  return { text: template.render({ ...data, sections: text, mark }).trim(), version: `${name}@${versions[name]}`, templateHash: template.hash, mark };
}

function templateOf(name: PromptName): Template {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const { Eta } = require('eta') as typeof import('eta');
  const text = readFileSync(join(__dirname, 'prompts', `${name}.eta`), 'utf8');
  const eta = new Eta({ views: join(__dirname, 'prompts'), autoEscape: false });
  const compiled = eta.compile(text);
  const template = { hash: createHash('sha256').update(text).digest('hex').slice(0, 12), render: (data: object) => compiled.call(eta, data) };
  loaded.set(name, template);
  return template;
}
