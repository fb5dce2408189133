// Texts that are JSON themselves: most results of tools are. What makes a value in them a secret is often its place, which
// no pattern sees.
import { stringifyDeep } from '../../../util/deep-json.js';

/** The text with its JSON rewritten, as a whole or line by line; the same text where it is no JSON or nothing changed. */
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
  // Most texts are neither, and need no exception to say so.
  if (!BRACKETS.has(`${trimmed.charAt(0)}${trimmed.at(-1) ?? ''}`)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return undefined;
  }
  const clean = rewrite(value);
  if (clean === value) return text;
  // What is around it and its indents stay, so that a replay finds the rest of the text as it was.
  const start = text.indexOf(trimmed);
  const indent = /^[{[]\n( +)/.exec(trimmed)?.[1]?.length;
  return `${text.slice(0, start)}${stringifyDeep(clean, indent)}${text.slice(start + trimmed.length)}`;
}
