// Finds titles, prompts and other values in the text of a transcript, of which only a part may have been read.
import { parseRecord } from '../../../util/guards.js';
import { findPrompt } from './prompt-text.js';
import { hasTrue, hasType } from './raw-fields.js';
import type { Entry } from './transcript-lines.js';
import type { TranscriptEnds } from './transcript-ends.js';

/** The title somebody gave the session, else the one the model gave it. */
export function findTitle({ head, tail }: Pick<TranscriptEnds, 'head' | 'tail'>): string | undefined {
  return (
    findLastOfType(tail, 'custom-title', 'customTitle') ||
    findLastOfType(head, 'custom-title', 'customTitle') ||
    findLastOfType(tail, 'ai-title', 'aiTitle') ||
    findLastOfType(head, 'ai-title', 'aiTitle') ||
    undefined
  );
}

// The empty string when a title or a tag was taken back.
export function findLastOfType(text: string, type: string, field: string): string | undefined {
  return findLastValue(text, field, (entry) => entry['type'] === type);
}

export function findLastValue(
  text: string,
  field: string,
  fits: (entry: Entry) => boolean = () => true,
): string | undefined {
  const quoted = `"${field}"`;
  // Backwards from the last mention, so that hardly anything has to be parsed.
  for (let at = text.lastIndexOf(quoted); at !== -1;) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    const entry = parseRecord(text.slice(start, end === -1 ? undefined : end));
    const value = entry?.[field];
    if (entry && typeof value === 'string' && fits(entry)) return value;
    at = start === 0 ? -1 : text.lastIndexOf(quoted, start - 1);
  }
  return undefined;
}

/** The first prompt of a person in a text, shortened; else the first command. */
export function findFirstPrompt(text: string): string | undefined {
  let command: string | undefined;
  for (const line of text.split('\n')) {
    if (!hasType(line, 'user') || line.includes('"tool_result"')) continue;
    if (hasTrue(line, 'isMeta') || hasTrue(line, 'isCompactSummary')) continue;
    const entry = parseRecord(line);
    if (entry?.['type'] !== 'user') continue;
    const found = findPrompt((entry['message'] as { content?: unknown } | null | undefined)?.content);
    if (found.prompt !== undefined) return found.prompt;
    command ??= found.command;
  }
  return command;
}

// A session may begin with an image and no text. Its line is often too long to be in the head as a whole.
export function findMediaKind(head: string): string | undefined {
  for (const line of head.split('\n')) {
    if (!hasType(line, 'user') || line.includes('"tool_result"') || hasTrue(line, 'isMeta')) continue;
    if (hasType(line, 'image')) return 'Image';
    if (hasType(line, 'document')) return 'Document';
  }
  return undefined;
}
