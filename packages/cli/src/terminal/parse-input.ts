// Parses the options and arguments of a command by the command's own table.
import { parseArgs } from 'node:util';
import { countOf, messageOf } from '@inboard/core/util/message-of.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { Command, CommandInput } from '../command.js';
import { nameFlags } from './name-flags.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

/** Whether the user asks for help. Words after "--" are the user's own text and do not count. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).some((word) => word === '--help' || word === '-h');
}

/** Parses the arguments of a command. Throws a UsageError that says what is wrong with them. */
export function parseInput(
  name: string,
  command: Command,
  given: readonly string[],
  terminal: Terminal,
): CommandInput {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([key, { type, multiple, short }]) => [
      key,
      withoutUndefined({ type, multiple, short }),
    ]),
  );
  let parsed;
  try {
    parsed = parseArgs({ args: [...given], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(explainParseError(error, command));
  }
  const { least, most } = command.args;
  const { positionals: args, values } = parsed;
  if (args.length < least || args.length > most) {
    throw new UsageError(
      `"inboard ${name}" takes ${describeCount(command.args)} (${command.usage || 'none'}), but got ${args.length}.`,
    );
  }
  return { values, args, terminal, inOwnWords: (text) => nameFlags(text, command) };
}

// A limit of this many arguments or more is practically none, so the message does not mention it.
const MANY = 100;

function describeCount({ least, most }: Command['args']): string {
  if (least === most) return countOf(least, 'argument');
  if (most >= MANY) return `at least ${countOf(least, 'argument')}`;
  return least === 0 ? `at most ${countOf(most, 'argument')}` : `${least} to ${countOf(most, 'argument')}`;
}

function explainParseError(error: unknown, command: Command): string {
  const message = messageOf(error);
  const [, dashes, unknown] = /^Unknown option '(--?)([^']+)'/.exec(message) ?? [];
  if (unknown === undefined) return message;
  if (dashes === '-') {
    return `There is no option "-${unknown}". If it is an argument, put it after "--".`;
  }
  const nearest = findNearestName(unknown, Object.keys(command.options));
  return `There is no option "--${unknown}".${nearest === undefined ? '' : ` Did you mean "--${nearest}"?`}`;
}
