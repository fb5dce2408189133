// Values as texts short enough for a line of the terminal. What they mean is decided elsewhere: these functions only
// format.
import type { ToolProgress } from '../../answer/mcp/tool/tool-events.js';
import { textOrJson } from '../../util/message-of.js';

/** A string, or anything else as JSON, cut to so many characters. */
export function shorten(value: unknown, characters: number): string {
  const text = textOrJson(value);
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}

/** How far a tool has come, as in `3/7 reading`. */
export function formatProgress({ progress, total, message = '' }: ToolProgress): string {
  return `${total === undefined ? progress : `${progress}/${total}`} ${message}`.trimEnd();
}
