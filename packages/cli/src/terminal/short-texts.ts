// Formats values as texts that are short enough for a line of the terminal.
import type { ToolProgress } from '@inboard/core/answer/mcp/tool/tool-events.js';
import { textOrJson } from '@inboard/core/util/message-of.js';

/** A string as it is, or any other value as JSON, cut to this many characters. */
export function shorten(value: unknown, characters: number): string {
  const text = textOrJson(value);
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}

/**
 * The start of a text as one line. If it was cut, the length of the whole text follows, as in `{"rows":[… (12345
 * characters)`.
 */
export function excerpt(text: string, characters: number): string {
  // Control characters could move the cursor or change colours.
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > characters ? `${line.slice(0, characters)}… (${text.length} characters)` : line;
}

/** How far a tool has come, as in `3/7 reading`. */
export function formatProgress({ progress, total, message = '' }: ToolProgress): string {
  return `${total === undefined ? progress : `${progress}/${total}`} ${message}`.trimEnd();
}
