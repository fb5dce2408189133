// The option `--port`, which several commands take.
import { readText, type CommandInput } from './command.js';
import { UsageError } from './terminal/usage-error.js';

/** The port; undefined where none was given. Throws a UsageError for what is none, also for an empty text. */
export function readPort(input: CommandInput): number | undefined {
  const text = readText(input, 'port');
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`);
}
