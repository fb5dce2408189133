// Cuts texts as the CLIs do. The newer CLI never leaves half of a character; the older one cuts anywhere.
import { findSliceEnd } from '../../util/text-slices.js';
import type { CliRules } from './cli-rules.js';

/** The start of a text, with at most `units` UTF-16 units. */
export function takeStart(text: string, units: number, { isNew }: CliRules): string {
  return text.slice(0, isNew ? findSliceEnd(text, units) : units);
}

/** The end of a text, with at most `units` UTF-16 units. */
export function takeEnd(text: string, units: number, { isNew }: CliRules): string {
  const end = text.slice(text.length - units);
  const isHalf = /^[\udc00-\udfff]/.test(end);
  return isNew && isHalf ? end.slice(1) : end;
}

/** A number of bytes or characters, written as the CLI writes it. */
export function describeSize(count: number): string {
  if (count < 1024) return `${count} bytes`;
  let value = count / 1024;
  for (const unit of ['KB', 'MB']) {
    if (value < 1024) return `${shorten(value)}${unit}`;
    value /= 1024;
  }
  return `${shorten(value)}GB`;
}

function shorten(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
