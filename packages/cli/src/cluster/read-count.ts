// Reads whole numbers from options.
import { readText, type CommandInput } from '../command.js';
import { UsageError } from '../terminal/usage-error.js';

/** The whole number that an option gives, or `absent` without the option. Throws a UsageError for anything else. */
export function readCount(input: CommandInput, name: string, absent: number, least = 1): number {
  const text = readText(input, name);
  if (text === undefined) return absent;
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`--${name} must be a whole number of at least ${least}, not "${text}".`);
}
