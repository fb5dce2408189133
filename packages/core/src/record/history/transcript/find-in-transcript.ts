// Finds titles, prompts and other values in the raw text of a transcript, or in a part of that text.
import { findPrompt } from './prompt-text.js';
import { hasTrue, hasType, listLines, parseRawRecord } from './raw-fields.js';
import type { TranscriptEnds } from './transcript-ends.js';

/** The fields whose last value in the transcript counts. */
type LastField = 'customTitle' | 'aiTitle' | 'lastPrompt' | 'summary' | 'tag';
const MENTION = /"(customTitle|aiTitle|lastPrompt|summary|tag)"/g;

/** Finds the last value of each `LastField` in a text. */
class LastEntries {
  readonly #text: string;
  // Most fields are not in the text. One pass finds which of them are. A pass for each field would make a list of
  // sessions take a quarter longer.
  readonly #mentioned = new Set<string>();

  constructor(text: string) {
    this.#text = text;
    for (const [, field = ''] of text.matchAll(MENTION)) this.#mentioned.add(field);
  }

  /** The value of a field in the last entry that has it. It is empty when a title or a tag was removed. */
  find(field: LastField, type?: string): string | undefined {
    if (!this.#mentioned.has(field)) return undefined;
    const text = this.#text;
    const quoted = `"${field}"`;
    // The search goes backwards from the last mention, so that hardly anything has to be parsed.
    for (let at = text.lastIndexOf(quoted); at !== -1;) {
      const start = text.lastIndexOf('\n', at) + 1;
      const end = text.indexOf('\n', at);
      const line = text.slice(start, end === -1 ? undefined : end);
      const entry = parseRawRecord(line) ?? (type === undefined ? undefined : parseAppended(line, type));
      const value = entry?.[field];
      if (typeof value === 'string' && (type === undefined || entry?.['type'] === type)) return value;
      at = start === 0 ? -1 : text.lastIndexOf(quoted, start - 1);
    }
    return undefined;
  }
}

/**
 * The entry at the end of a line that begins with the start of another entry. Such a line exists when a process was
 * killed while it wrote a line, and the next process appended to that line. As in the official SDK, text that could be a
 * value inside another entry does not count.
 */
function parseAppended(line: string, type: string): Record<string, unknown> | undefined {
  const opening = `{"type":"${type}"`;
  for (let at = line.lastIndexOf(opening); at > 0; at = line.lastIndexOf(opening, at - 1)) {
    if (',:['.includes(line[at - 1] ?? '')) continue;
    const entry = parseRawRecord(line.slice(at));
    if (entry) return entry;
  }
  return undefined;
}

/** The last entries in both ends. `head` and `tail` are the same object if the ends are the same text. */
export function readLastEntries({ head, tail }: Pick<TranscriptEnds, 'head' | 'tail'>): LastEntriesOfEnds {
  const inTail = new LastEntries(tail);
  return { head: head === tail ? inTail : new LastEntries(head), tail: inTail };
}

interface LastEntriesOfEnds {
  readonly head: LastEntries;
  readonly tail: LastEntries;
}

/** The title that the user gave the session, or else the title that the model gave it. */
export function findTitle({ head, tail }: LastEntriesOfEnds): string | undefined {
  return (
    tail.find('customTitle', 'custom-title') ||
    head.find('customTitle', 'custom-title') ||
    tail.find('aiTitle', 'ai-title') ||
    head.find('aiTitle', 'ai-title') ||
    undefined
  );
}

/** The first prompt of a person in a text, shortened. If there is none, the first command. */
export function findFirstPrompt(text: string): string | undefined {
  let command: string | undefined;
  for (const line of listLines(text)) {
    if (!hasType(line, 'user') || line.includes('"tool_result"')) continue;
    if (hasTrue(line, 'isMeta') || hasTrue(line, 'isCompactSummary')) continue;
    const entry = parseRawRecord(line);
    if (entry?.['type'] !== 'user') continue;
    const found = findPrompt((entry['message'] as { content?: unknown } | null | undefined)?.content);
    if (found.prompt !== undefined) return found.prompt;
    command ??= found.command;
  }
  return command;
}

// The summary of a session that begins with an image or a document and has no text. The line with the image is often too
// long for the head, so it is not parsed.
export function findMediaKind(head: string): string | undefined {
  for (const line of listLines(head)) {
    if (!hasType(line, 'user') || line.includes('"tool_result"') || hasTrue(line, 'isMeta')) continue;
    if (hasType(line, 'image')) return 'Image';
    if (hasType(line, 'document')) return 'Document';
  }
  return undefined;
}
