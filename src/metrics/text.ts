import type { Content, Invocation } from '../evalset/types';
import type { ActualInvocation } from '../inference/types';
import type { Profile } from '../support/profile';

type Reading = Pick<Profile, 'thoughtsAreText'>;

/** Text of a content: its non-empty part texts, one per line. Thoughts are left out unless the profile counts them. No content, no parts: "". */
export function contentText(content: Content | undefined, profile: Reading): string {
  const texts: string[] = [];
  for (const part of content?.parts ?? []) {
    if (part.text && (profile.thoughtsAreText || part.thought !== true)) texts.push(part.text);
  }
  return texts.join('\n');
}

/** Whether a reference says anything about the answer: it has a part with a text, even an empty one, that is no thought. */
export function expectsText(content: Content | undefined): boolean {
  return content?.parts?.some((part) => typeof part.text === 'string' && part.thought !== true) ?? false;
}

/**
 * The final response of a turn that is scored: the last one, or the last one of a named author.
 *
 * @param invocation  a turn of a case or of a run
 * @param author  undefined: whatever the run chose; otherwise undefined is returned when that author gave no final response
 */
export function finalResponseOf(invocation: Invocation | ActualInvocation, author?: string): Content | undefined {
  if (author === undefined || !isActual(invocation)) return invocation.finalResponse;
  return invocation.responses.filter((response) => response.author === author).at(-1)?.content;
}

/** Whether a turn carries observations of a run, or is a plain `Invocation`. */
export function isActual(invocation: Invocation | ActualInvocation): invocation is ActualInvocation {
  return 'outcome' in invocation && 'toolCalls' in invocation;
}
