// Reads the option `--port`, which several commands take.
import { readText, type CommandInput } from './command.js';
import { UsageError } from './terminal/usage-error.js';

/**
 * The port, or undefined if none was given. Throws a UsageError for a value that is not a port, such as an empty text.
 */
export function readPort(input: CommandInput): number | undefined {
  const text = readText(input, 'port');
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`);
}
