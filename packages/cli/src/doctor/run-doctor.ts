// `inboard doctor`: checks the host, the CLI, a session, the account, a tools file and the optional packages, in this
// order, and gives advice for each problem. What failed is printed first.
import { readSwitch, readText, type CommandInput } from '../command.js';
import { skipCheck, type Check, type CheckStatus } from './check.js';
import { checkExecutable, checkVersion } from './check-cli.js';
import { checkNode, checkPackage } from './check-host.js';
import { checkLogin } from './check-login.js';
import { checkSession } from './check-session.js';
import { checkOptionalPackages, describePackage } from './optional-packages.js';
import { styled, type Style } from '../terminal/styled-text.js';
import { StatusLine } from '../terminal/status-line.js';
import { createStyler, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { lineWidthOf, wrapWords } from '../terminal/wrap-words.js';
import { chooseCli } from '../agent/command-query.js';
import { loadPart } from '@inboard/core/util/load-part.js';

const MARKS: Record<CheckStatus, [mark: string, style: Style]> = {
  ok: ['ok', 'green'],
  note: ['note', 'yellow'],
  failed: ['FAILED', 'red'],
  skipped: ['skipped', 'dim'],
};
const MARK_WIDTH = 8;
const INDENT = ' '.repeat(MARK_WIDTH);
// A working CLI needs far fewer seconds.
const DEFAULT_TIMEOUT_S = '30';

/** Runs all checks. The exit code is 1 if one failed. */
export async function runDoctor(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const isJson = readSwitch(input, 'json');
  const checks: Check[] = [];
  const status = new StatusLine(terminal, !isJson);
  status.set('Checking');
  try {
    for await (const check of examine(input)) {
      terminal.signal.throwIfAborted();
      checks.push(check);
    }
  } finally {
    status.set(undefined);
    if (!isJson) for (const check of failuresFirst(checks)) printCheck(terminal, check);
  }
  const failed = checks.filter(({ status }) => status === 'failed');
  if (isJson) printJson(terminal, { ok: failed.length === 0, checks }, 2);
  else printLine(terminal, `\n${wrapWords(summarize(failed), { columns: lineWidthOf(terminal) })}`);
  return failed.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

async function* examine(input: CommandInput): AsyncGenerator<Check> {
  const { terminal } = input;
  const limitMs = readLimit(input);
  yield checkNode(terminal.cwd);
  yield checkPackage(terminal.cwd);
  yield* examineCli(input, limitMs);
  yield checkOptionalPackages(terminal.cwd);
}

async function* examineCli(input: CommandInput, limitMs: number): AsyncGenerator<Check> {
  const { terminal } = input;
  const { check, found } = checkExecutable(terminal, chooseCli(input).pathToClaudeCodeExecutable);
  yield check;
  if (!found) {
    yield skipCheck('version', 'Version', 'no CLI');
    yield skipCheck('handshake', 'Handshake', 'no CLI');
    yield skipCheck('tools', 'Tools in this process', 'no CLI');
    yield skipCheck('login', 'Login', 'no CLI');
    yield* await examineTools(input, undefined);
    return;
  }
  yield await checkVersion(found, terminal);
  const session = await checkSession(found.path, { signal: terminal.signal, limitMs });
  yield* session;
  if (session.some(({ id, status }) => id === 'handshake' && status === 'failed')) {
    yield skipCheck('login', 'Login', 'no handshake');
  } else {
    yield await checkLogin(found.path, { terminal, limitMs });
  }
  yield* await examineTools(input, found.path);
}

async function examineTools(input: CommandInput, cli: string | undefined): Promise<Check[]> {
  const [file] = input.args;
  if (file === undefined) return [];
  const { checkToolsFile } = await loadPart(() => import('./check-tools-file.js'));
  const { cwd, signal } = input.terminal;
  return checkToolsFile({ file, cwd, cli, signal, limitMs: readLimit(input) });
}

function readLimit(input: CommandInput): number {
  const text = readText(input, 'timeout') ?? DEFAULT_TIMEOUT_S;
  if (Number(text) > 0) return Number(text) * 1000;
  throw new UsageError(`--timeout must be a number of seconds, not "${text}".`);
}

/** What failed, and then the rest in its order, in which a note about a tool follows the line of its file. */
function failuresFirst(checks: readonly Check[]): Check[] {
  const isFailure = ({ status }: Check): boolean => status === 'failed';
  return [...checks.filter(isFailure), ...checks.filter((check) => !isFailure(check))];
}

function printCheck(terminal: Terminal, { title, status, detail, packages = [], advice }: Check): void {
  const style = createStyler(terminal);
  const [mark, colour] = MARKS[status];
  // All further lines of a text are indented, so that none can look like the heading of another check.
  const columns = lineWidthOf(terminal);
  const used = MARK_WIDTH + `${title}: `.length;
  const lines = wrapWords(detail, { columns, indent: INDENT, used });
  printLine(terminal, styled`${style(colour, mark.padEnd(MARK_WIDTH))}${style('bold', title)}: ${lines}`);
  for (const text of packages.map(describePackage))
    printLine(terminal, `${INDENT}${wrapWords(text, { columns, indent: `${INDENT}  `, used: MARK_WIDTH })}`);
  if (advice !== undefined) printLine(terminal, `${INDENT}${wrapWords(advice, { columns, indent: INDENT })}`);
}

function summarize(failed: readonly Check[]): string {
  if (failed.length === 0) return 'Everything that is needed works.';
  const what = failed.length === 1 ? 'One thing is broken' : `${failed.length} things are broken`;
  const isOnlyLogin = failed.every(({ id }) => id === 'login');
  const rest = isOnlyLogin ? ' All that tests and "inboard play" need works.' : '';
  return `${what}: ${failed.map(({ title }) => title).join(', ')}.${rest}`;
}
