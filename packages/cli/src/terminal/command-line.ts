// Finds the command of a command line and runs it. A failure becomes a message and an exit code.
import { InboardError } from '@inboard/core/errors.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import type { Command } from '../command.js';
import { COMMANDS } from '../commands.js';
import { describeCommand, describeCommands } from './help.js';
import { readOwnVersion } from '../tools-file/own-package.js';
import { nameFlags } from './name-flags.js';
import { asksForHelp, parseInput } from './parse-input.js';
import { noteLine, printLine, StopRequest, type Terminal } from './terminal.js';
import { describeError, EXIT_CODES, UsageError } from './usage-error.js';

/** Runs a command line; never throws. The exit code: 0 done, 1 failed, 2 wrong usage, 130 ended by a signal. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined) {
      noteLine(terminal, describeCommands(terminal, 'stderr'));
      return EXIT_CODES.usage;
    }
    if (name === '--version' || name === '-v' || name === 'version') {
      printLine(terminal, readOwnVersion());
      return EXIT_CODES.ok;
    }
    if (name === '--help' || name === '-h' || name === 'help') return showHelp(rest[0], terminal);
    const command = findCommand(name);
    if (asksForHelp(rest)) return showHelp(name, terminal);
    const input = parseInput(name, command, rest, terminal);
    const run = await command.load();
    return await run(input);
  } catch (error) {
    return reportFailure(error, { name, terminal });
  }
}

/** A text about options of functions, as somebody reads it who typed the command `name`. */
export function inWordsOf(name: string | undefined, text: string): string {
  const command = commandOf(name);
  return command ? nameFlags(text, command) : text;
}

function commandOf(name: string | undefined): Command | undefined {
  return name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

function findCommand(name: string): Command {
  const command = commandOf(name);
  if (command) return command;
  if (name.startsWith('-'))
    throw new UsageError(`"${name}" is not a command. The command comes first, then its options.`);
  const nearest = findNearestName(name, Object.keys(COMMANDS));
  throw new UsageError(
    `There is no command "${name}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`,
  );
}

function showHelp(name: string | undefined, terminal: Terminal): number {
  if (name === undefined) printLine(terminal, describeCommands(terminal));
  else printLine(terminal, describeCommand(name, findCommand(name), terminal));
  return EXIT_CODES.ok;
}

function reportFailure(
  error: unknown,
  { name, terminal }: { name: string | undefined; terminal: Terminal },
): number {
  const reason: unknown = terminal.signal.aborted ? terminal.signal.reason : undefined;
  if (reason instanceof StopRequest) {
    return reason.kind === 'EPIPE' ? EXIT_CODES.ok : EXIT_CODES.interrupted;
  }
  const command = commandOf(name);
  const inOwnWords = (text: string): string => inWordsOf(name, text);
  if (error instanceof UsageError || (command && isAboutFlags(error, command))) {
    noteLine(terminal, `inboard: ${inOwnWords(error.message)}`);
    noteLine(terminal, `Run "inboard ${command ? `${name} ` : ''}--help" for help.`);
    return EXIT_CODES.usage;
  }
  noteLine(terminal, `inboard: ${inOwnWords(describeError(error))}`);
  if (error instanceof InboardError && (error.phase === 'launch' || error.phase === 'handshake')) {
    noteLine(terminal, 'Run "inboard doctor" to find out what is wrong.');
  }
  return EXIT_CODES.failed;
}

/**
 * Whether an error is about values from the command line. A tools file can cause the same errors by its own faults. So
 * the message must name an option that the command line sets, unless the command has `calls`.
 */
function isAboutFlags(error: unknown, command: Command): error is InboardError {
  if (!(error instanceof InboardError) || error.phase !== 'options') return false;
  return command.calls !== undefined || nameFlags(error.message, command) !== error.message;
}
