// `inboard cluster calls`: lists the pending calls of a journal, or gives one of them its result.
import { text as readAll } from 'node:stream/consumers';
import type { ClusterPendingCall } from '@inboard/cluster/step-outcome.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { countOf, messageOf } from '@inboard/core/util/message-of.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { createStyler, noteLine, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { styled } from '../terminal/styled-text.js';
import { revealText } from '../terminal/reveal-text.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { clusterOf } from './cluster-of.js';
import { nameUser } from './name-user.js';
import { withJournal } from './open-journal.js';
import { showText } from './print-table.js';
import { readCount } from './read-count.js';
import { showTime } from './show-time.js';

type Outcome = { value: unknown } | { error: string };

/** Lists the pending calls, or completes or fails one of them. */
export async function runClusterCalls(input: CommandInput, words: readonly string[]): Promise<number> {
  const [verb, callKey, given] = words;
  if (verb === undefined) return await list(input);
  if (verb !== 'complete' && verb !== 'fail')
    throw new UsageError(
      `There is no "cluster calls ${verb}". Use "calls", "calls complete <call key>" or "calls fail <call key>".`,
    );
  if (callKey === undefined || given === undefined)
    throw new UsageError(
      `"cluster calls ${verb}" takes a call key and ${verb === 'fail' ? 'a text' : 'a value as JSON'}; "-" reads it from standard input.`,
    );
  const text = given === '-' ? await readAll(input.terminal.stdin) : given;
  return await settle(input, callKey, verb === 'fail' ? readError(text) : { value: readValue(text) });
}

async function list(input: CommandInput): Promise<number> {
  const { terminal } = input;
  if (input.values['by'] !== undefined)
    throw new UsageError('--by applies to one call: inboard cluster calls complete <call key> <json> --by.');
  const limit = readCount(input, 'limit', 50);
  return await withJournal(input, async (journal) => {
    const found = await clusterOf(journal).calls.list({ tenant: readText(input, 'tenant') });
    const shown = found.slice(0, limit);
    if (readSwitch(input, 'json')) printJson(terminal, shown, 2);
    else {
      for (const call of shown) print(terminal, call);
      if (shown.length === 0) noteLine(terminal, 'No call is pending.');
      else if (found.length > limit)
        noteLine(terminal, `There are more than ${limit}. Use --limit to see more.`);
      else noteLine(terminal, `${countOf(shown.length, 'pending call')}, those that wait longest first.`);
    }
    return EXIT_CODES.ok;
  });
}

async function settle(input: CommandInput, callKey: string, outcome: Outcome): Promise<number> {
  const by = readText(input, 'by') ?? nameUser();
  const how = 'error' in outcome ? 'failed' : 'completed';
  return await withJournal(input, async (journal) => {
    const { calls } = clusterOf(journal);
    const options = { by, tenant: readText(input, 'tenant') };
    if ('error' in outcome) await calls.fail(callKey, outcome.error, options);
    else await calls.complete(callKey, outcome.value, options);
    if (readSwitch(input, 'json')) printJson(input.terminal, { callKey, how, by });
    else printLine(input.terminal, `The call has ${how}. Its conversation continues.`);
    return EXIT_CODES.ok;
  });
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `The value is not JSON (${messageOf(error)}). Quote it for your shell: '{"parcel":7}', or '"a text"'.`,
    );
  }
}

function readError(text: string): Outcome {
  const error = text.trim();
  if (error === '')
    throw new UsageError('The text of the error is empty. The model has to read why the call failed.');
  return { error };
}

function print(terminal: Terminal, call: ClusterPendingCall): void {
  const style = createStyler(terminal);
  const { callKey, conversation, tenant, toolName, input, note, since } = call;
  printLine(terminal, styled`${style('bold', revealText(callKey))}`);
  const fact = (name: string, text: string): void =>
    printLine(terminal, styled`  ${style('dim', name.padEnd(9))}${showText(text, 68)}`);
  fact('in', tenant === undefined ? conversation : `${conversation}, for ${tenant}`);
  fact('since', showTime(since));
  fact('call', `${toolName} ${stringifyDeep(input) ?? ''}`);
  if (note !== undefined) fact('note', note);
  printLine(terminal);
}
