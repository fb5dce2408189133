// Rewrites texts that are JSON themselves, as most results of tools are. A value in them is often a secret because of
// its place, which no pattern sees.
import { stringifyDeep } from '../../../util/deep-json.js';

/** The text with its JSON rewritten, as a whole or line by line. The same text where it is no JSON or nothing changed. */
export function rewriteJsonText(text: string, rewrite: (value: unknown) => unknown): string {
  const whole = rewriteWhole(text, rewrite);
  if (whole !== undefined || !text.includes('\n')) return whole ?? text;
  return text
    .split('\n')
    .map((line) => rewriteWhole(line, rewrite) ?? line)
    .join('\n');
}

const BRACKETS: ReadonlySet<string> = new Set(['{}', '[]']);

/** Undefined where the text is no object and no list. */
function rewriteWhole(text: string, rewrite: (value: unknown) => unknown): string | undefined {
  const trimmed = text.trim();
  // Most texts are neither, and this check saves them an exception.
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
