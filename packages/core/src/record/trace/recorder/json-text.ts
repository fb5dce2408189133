// Rewrites texts that are JSON themselves, as most results of tools are. A value in such a text may be a secret because
// of the field it is in. A pattern for texts would not notice that.
import { stringifyDeep } from '../../../util/deep-json.js';

/** Rewrites the JSON in a text, as a whole or line by line. Returns the same text if there is none or nothing changes. */
export function rewriteJsonText(text: string, rewrite: (value: unknown) => unknown): string {
  const whole = rewriteWhole(text, rewrite);
  if (whole !== undefined || !text.includes('\n')) return whole ?? text;
  return text
    .split('\n')
    .map((line) => rewriteWhole(line, rewrite) ?? line)
    .join('\n');
}

const BRACKETS: ReadonlySet<string> = new Set(['{}', '[]']);

/** Undefined if the text is not the JSON of an object or a list. */
function rewriteWhole(text: string, rewrite: (value: unknown) => unknown): string | undefined {
  const trimmed = text.trim();
  // Most texts are neither an object nor a list. This check avoids an exception for each of them.
  if (!BRACKETS.has(`${trimmed.charAt(0)}${trimmed.at(-1) ?? ''}`)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return undefined;
  }
  const clean = rewrite(value);
  if (clean === value) return text;
  // The text around the JSON and its indentation stay, so that a replay finds the rest unchanged.
  const start = text.indexOf(trimmed);
  const indent = /^[{[]\n( +)/.exec(trimmed)?.[1]?.length;
  return `${text.slice(0, start)}${stringifyDeep(clean, indent)}${text.slice(start + trimmed.length)}`;
}
