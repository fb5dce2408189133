// Numbers that options give.
import { readText, type CommandInput } from '../command.js';
import { UsageError } from '../terminal/usage-error.js';

/** A whole number that an option gives. */
export function readCount(input: CommandInput, name: string, absent: number, least = 1): number {
  const text = readText(input, name);
  if (text === undefined) return absent;
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`--${name} must be a whole number of at least ${least}, not "${text}".`);
}
