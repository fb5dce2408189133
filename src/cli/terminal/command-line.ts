// Reads a command line, finds its command, and turns whatever happens into an exit code and a message.
import { parseArgs } from 'node:util';
import { InboardError } from '../../errors.js';
import { findNearestName } from '../../util/nearest-name.js';
import type { Command, CommandInput } from '../command.js';
import { COMMANDS } from '../commands.js';
import { describeCommand, describeCommands } from './help.js';
import { readOwnVersion } from '../tools/own-package.js';
import { noteLine, printLine, StopRequest, type Terminal } from './terminal.js';
import { CommandError, EXIT_CODES, UsageError } from './usage-error.js';
import { withoutUndefined } from '../../util/without-undefined.js';

/** Does what a command line says; never throws. The exit code: 0 done, 1 failed, 2 wrong usage, 130 Ctrl-C. */
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
    const input = readInput(name, command, rest, terminal);
    const run = await command.load();
    return await run(input);
  } catch (error) {
    return reportFailure(error, { name, terminal });
  }
}

function findCommand(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  if (name.startsWith('-'))
    throw new UsageError(`There is no option "${name}" here. The command comes first.`);
  const nearest = findNearestName(name, Object.keys(COMMANDS));
  throw new UsageError(
    `There is no command "${name}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`,
  );
}

// What stands behind "--" is the user's own text.
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).some((word) => word === '--help' || word === '-h');
}

function showHelp(name: string | undefined, terminal: Terminal): number {
  if (name === undefined) printLine(terminal, describeCommands(terminal));
  else printLine(terminal, describeCommand(name, findCommand(name), terminal));
  return EXIT_CODES.ok;
}

function readInput(
  name: string,
  command: Command,
  args: readonly string[],
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
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(explainParseError(error, command));
  }
  const { least, most } = command.words;
  const words = parsed.positionals;
  if (words.length < least || words.length > most) {
    throw new UsageError(
      `"inboard ${name}" takes ${least === most ? least : `${least} to ${most}`} ${most === 1 ? 'word' : 'words'} (${command.usage || 'none'}) and got ${words.length}.`,
    );
  }
  return { values: parsed.values, words, terminal };
}

function explainParseError(error: unknown, command: Command): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, unknown] = /^Unknown option '--?([^']+)'/.exec(message) ?? [];
  if (unknown === undefined) return message;
  const nearest = findNearestName(unknown, Object.keys(command.options));
  return `There is no option "--${unknown}".${nearest === undefined ? '' : ` Did you mean "--${nearest}"?`}`;
}

function reportFailure(
  error: unknown,
  { name, terminal }: { name: string | undefined; terminal: Terminal },
): number {
  const reason: unknown = terminal.signal.aborted ? terminal.signal.reason : undefined;
  if (reason instanceof StopRequest) {
    return reason.kind === 'EPIPE' ? EXIT_CODES.ok : EXIT_CODES.interrupted;
  }
  if (error instanceof UsageError) {
    const known = name !== undefined && Object.hasOwn(COMMANDS, name);
    noteLine(terminal, `inboard: ${error.message}`);
    noteLine(terminal, `Run "inboard ${known ? `${name} ` : ''}--help" for help.`);
    return EXIT_CODES.usage;
  }
  noteLine(terminal, `inboard: ${describeError(error)}`);
  if (error instanceof InboardError && (error.phase === 'launch' || error.phase === 'handshake')) {
    noteLine(terminal, 'Run "inboard doctor" to see what works here and what to do about the rest.');
  }
  return EXIT_CODES.failed;
}

// Our own errors say all there is to say; of anything else the stack is what helps.
function describeError(error: unknown): string {
  if (error instanceof CommandError || error instanceof InboardError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
