// `inboard calls`: shows the pending calls of the sessions on this machine, and gives them their results.
import { existsSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { createCalls, type Calls, type PendingCall } from '@inboard/inboard/index.js';
import type { CallsOptions } from '@inboard/inboard/types.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { resolve } from 'node:path';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { noteLine, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { revealText } from '../terminal/reveal-text.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';

type Action = (calls: Calls, input: CommandInput) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action>> = { list, complete, fail, watch };

/** Carries out one action on pending calls. */
export async function runCalls(input: CommandInput): Promise<number> {
  const [name = '', ...rest] = input.args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action)
    throw new UsageError(
      `There is no "calls ${name}". Use "calls list", "calls complete", "calls fail" or "calls watch".`,
    );
  const wanted = name === 'complete' || name === 'fail' ? 2 : 0;
  if (rest.length !== wanted)
    throw new UsageError(
      wanted === 0
        ? `"calls ${name}" takes no further arguments, but got ${rest.length}.`
        : `"calls ${name}" takes a call key and ${name === 'fail' ? 'a text' : 'a value as JSON'}, but got ${rest.length === 1 ? 'one argument' : `${rest.length} arguments`}.`,
    );
  if (wanted === 0 && readText(input, 'by') !== undefined)
    throw new UsageError(`"calls ${name}" completes nothing, so it takes no --by.`);
  return await action(createCalls(readOptions(input)), input);
}

function readOptions(input: CommandInput): CallsOptions {
  const { terminal } = input;
  const dir = readText(input, 'dir');
  const sessionId = readText(input, 'session');
  if (dir === '') throw new UsageError('--dir must name a folder.');
  return {
    env: terminal.env,
    ...(dir !== undefined && { dir: resolve(terminal.cwd, dir) }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

async function list(calls: Calls, input: CommandInput): Promise<number> {
  const { terminal } = input;
  const found = await calls.list();
  if (readSwitch(input, 'json')) printJson(terminal, found, 2);
  else {
    for (const call of found) printCall(terminal, call);
    if (found.length === 0) noteLine(terminal, `No call is pending.${describeMissing(input)}`);
  }
  return EXIT_CODES.ok;
}

/** The sessions of a folder that was removed are listed as well, so a wrong folder is no error. */
function describeMissing(input: CommandInput): string {
  const dir = readText(input, 'dir');
  if (dir === undefined) return '';
  const folder = resolve(input.terminal.cwd, dir);
  return existsSync(folder) ? '' : ` There is no folder ${folder}.`;
}

async function complete(calls: Calls, input: CommandInput): Promise<number> {
  const [, callKey = '', given = ''] = input.args;
  const text = given === '-' ? await readAll(input.terminal.stdin) : given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const where = given === '-' ? 'Standard input' : 'The value';
    throw new UsageError(
      `${where} is not JSON (${messageOf(error)}). Quote it for your shell: '{"parcel":7}', or '"a text"'.`,
    );
  }
  await calls.complete(callKey, value, readBy(input));
  return told(input, callKey, 'completed');
}

async function fail(calls: Calls, input: CommandInput): Promise<number> {
  const [, callKey = '', given = ''] = input.args;
  const text = given === '-' ? (await readAll(input.terminal.stdin)).trim() : given;
  if (text === '')
    throw new UsageError('The text of the error is empty. The model has to read why the call failed.');
  await calls.fail(callKey, text, readBy(input));
  return told(input, callKey, 'failed');
}

async function watch(calls: Calls, input: CommandInput): Promise<number> {
  const { terminal } = input;
  const isJson = readSwitch(input, 'json');
  for await (const change of calls.watch({ signal: terminal.signal })) {
    if (isJson) printJson(terminal, change);
    else if (change.type === 'pending') printCall(terminal, change.call);
    else {
      const by = change.by === undefined ? '' : ` by ${change.by}`;
      printLine(terminal, showLine(`${change.call.callKey}  ${change.how}${by}`));
    }
  }
  terminal.signal.throwIfAborted();
  return EXIT_CODES.ok;
}

function readBy(input: CommandInput): { by: string } {
  return { by: readText(input, 'by') ?? 'inboard calls' };
}

function told(input: CommandInput, callKey: string, how: string): number {
  const { terminal } = input;
  if (readSwitch(input, 'json')) printJson(terminal, { callKey, how });
  else noteLine(terminal, `${callKey}  ${how}`);
  return EXIT_CODES.ok;
}

/** A foreign text as one line: with a line break, a note would look like another call. */
function showLine(text: string): string {
  return revealText(text.replaceAll(/[\r\n\u2028\u2029]+/g, ' '));
}

function printCall(
  terminal: Terminal,
  { callKey, toolName, input, note, since, sessionId }: PendingCall,
): void {
  const said = note === undefined ? '' : `  (${note})`;
  const call = `${callKey}  ${toolName} ${stringifyDeep(input) ?? ''}${said}`;
  printLine(terminal, showLine(call));
  printLine(terminal, `  since ${new Date(since).toISOString()}, session ${sessionId}`);
}
