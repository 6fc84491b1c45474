/**
 * Puts texts that we did not write, of users, agents and files, into a prompt so that none of them can end its section, whatever it says:
 * the marks carry a word that occurs in none of the texts.
 */
import { createHash } from 'node:crypto';

/** A named text. */
export interface Section {
  /** Small letters, digits, `_` and `-`. */
  readonly name: string;
  readonly text: string;
}

/** Sections and the word in their marks. */
export interface MarkedSections {
  readonly text: string;
  readonly mark: string;
}

/**
 * Marks sections. The mark depends on the texts alone, so that the same question is the same prompt.
 *
 * @throws {RangeError} for a name that is none
 */
export function markSections(sections: readonly Section[]): MarkedSections {
  for (const { name } of sections) if (!/^[a-z0-9_-]+$/.test(name)) throw new RangeError(`A section cannot be named ${JSON.stringify(name)}.`);
  const mark = freeMark(sections);
  const text = sections.map(({ name, text: body }) => `<<${mark} ${name}>>\n${body}\n<<${mark} end>>`).join('\n\n');
  return { text, mark };
}

function freeMark(sections: readonly Section[]): string {
  for (let attempt = 0; ; attempt += 1) {
    const hash = createHash('sha256').update(String(attempt));
    for (const { text } of sections) hash.update('\0').update(text);
    const mark = hash.digest('hex').slice(0, 12);
    if (sections.every(({ text }) => !text.includes(mark))) return mark;
  }
}

/** Reads marked sections back, as they were. */
export function readSections(prompt: string, mark: string): readonly Section[] {
  const sections = new RegExp(`<<${mark} (?!end>>)([a-z0-9_-]+)>>\\n([\\s\\S]*?)\\n<<${mark} end>>`, 'g');
  return [...prompt.matchAll(sections)].map(([, name = '', text = '']) => ({ name, text }));
}
