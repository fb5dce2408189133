// What a fork is called when nobody says.
import { findFirstPrompt, findTitle } from '../transcript/describe-transcript.js';
import type { TranscriptEnds } from '../transcript/transcript-ends.js';

/** The title given, or the original's title or first prompt with a note. */
export function describeForkTitle(original: TranscriptEnds | undefined, given: string | undefined): string {
  const title = given?.trim();
  if (title) return title;
  const { head = '', tail = '' } = original ?? {};
  const name =
    findTitle(tail, 'custom-title', 'customTitle') ||
    findTitle(head, 'custom-title', 'customTitle') ||
    findTitle(tail, 'ai-title', 'aiTitle') ||
    findTitle(head, 'ai-title', 'aiTitle') ||
    findFirstPrompt(head) ||
    'Forked session';
  return `${name} (fork)`;
}
