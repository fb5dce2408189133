// `inboard doctor`: checks the host, the CLI, a session, the account and a tools file, in this order, and gives advice for
// each problem.
import { readSwitch, readText, type CommandInput } from '../command.js';
import { skipCheck, type Check, type CheckStatus } from './check.js';
import { checkExecutable, checkVersion } from './check-cli.js';
import { checkNode, checkPackage } from './check-host.js';
import { checkLogin } from './check-login.js';
import { checkSession } from './check-session.js';
import { checkOptionalPackages, describePackage } from './optional-packages.js';
import { styled, type Style } from '../terminal/styled-text.js';
import { createStyler, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
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
  for await (const check of examine(input)) {
    terminal.signal.throwIfAborted();
    checks.push(check);
    if (!isJson) printCheck(terminal, check);
  }
  const failed = checks.filter(({ status }) => status === 'failed').length;
  if (isJson) printJson(terminal, { ok: failed === 0, checks }, 2);
  else printLine(terminal, `\n${summarize(failed)}`);
  return failed === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

async function* examine(input: CommandInput): AsyncGenerator<Check> {
  const { terminal } = input;
  const limitMs = readLimit(input);
  yield checkNode(terminal.cwd);
  yield checkPackage(terminal.cwd);
  yield checkOptionalPackages(terminal.cwd);
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

function printCheck(terminal: Terminal, { title, status, detail, packages = [], advice }: Check): void {
  const style = createStyler(terminal);
  const [mark, colour] = MARKS[status];
  // All further lines of a text are indented, so that none can look like the heading of another check.
  const lines = detail.replaceAll('\n', `\n${INDENT}`);
  printLine(terminal, styled`${style(colour, mark.padEnd(MARK_WIDTH))}${style('bold', title)}: ${lines}`);
  for (const text of [...packages.map(describePackage), ...(advice === undefined ? [] : [advice])]) {
    printLine(terminal, text.replace(/^/gm, INDENT));
  }
}

function summarize(failed: number): string {
  if (failed === 0) return 'Everything that is needed works.';
  return failed === 1 ? 'One thing is broken.' : `${failed} things are broken.`;
}
