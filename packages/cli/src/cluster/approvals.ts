// `inboard cluster approvals`: lists the questions that wait for a person, or answers one.
import { allow, deny } from '@inboard/core/answer/permissions/decisions.js';
import type { ClusterApproval } from '@inboard/cluster/journal/records.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { countOf } from '@inboard/core/util/message-of.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { createStyler, noteLine, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { styled } from '../terminal/styled-text.js';
import { revealText, wrapText } from '../terminal/reveal-text.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { clusterOf } from './cluster-of.js';
import { nameUser } from './name-user.js';
import { withJournal } from './open-journal.js';
import { showText } from './print-table.js';
import { readCount } from './read-count.js';
import { showTime } from './show-time.js';

const MOST_LINES = 12;
/** A longer input is not indented: one that is nested very deep would become very much longer. */
const MOST_CHARACTERS = 4000;

/** Lists the open questions, or answers one of them. */
export async function runApprovals(input: CommandInput, words: readonly string[]): Promise<number> {
  const [verb, id] = words;
  if (verb === undefined) return await list(input);
  if (verb !== 'answer')
    throw new UsageError(
      `There is no "cluster approvals ${verb}". Use "approvals" or "approvals answer <id>".`,
    );
  if (id === undefined)
    throw new UsageError('Give the id of a question, as listed by "inboard cluster approvals".');
  return await answer(input, id);
}

async function list(input: CommandInput): Promise<number> {
  const { terminal } = input;
  for (const name of ['allow', 'deny', 'by'])
    if (input.values[name] !== undefined)
      throw new UsageError(
        `--${name} applies to one question: inboard cluster approvals answer <id> --${name}.`,
      );
  const limit = readCount(input, 'limit', 50);
  return await withJournal(input, async (journal) => {
    const filter = { tenant: readText(input, 'tenant'), limit: limit + 1 };
    const found = await clusterOf(journal).approvals.list(filter);
    const shown = found.slice(0, limit);
    if (readSwitch(input, 'json')) printJson(terminal, shown, 2);
    else {
      for (const question of shown) print(terminal, question);
      if (shown.length === 0) noteLine(terminal, 'Nothing is waiting for an answer.');
      else if (found.length > limit)
        noteLine(terminal, `There are more than ${limit}. Use --limit to see more.`);
      else noteLine(terminal, `${countOf(shown.length, 'unanswered question')}, oldest first.`);
      if (shown.length > 0)
        noteLine(terminal, 'Answer one: inboard cluster approvals answer <id> --allow, or --deny "why".');
    }
    return EXIT_CODES.ok;
  });
}

async function answer(input: CommandInput, id: string): Promise<number> {
  const reason = readText(input, 'deny');
  const isAllowed = readSwitch(input, 'allow');
  if (isAllowed === (reason !== undefined)) throw new UsageError('Give either --allow or --deny "why".');
  const by = readText(input, 'by') ?? nameUser();
  return await withJournal(input, async (journal) => {
    const tenant = readText(input, 'tenant');
    const [question] = await journal.questions({ id, tenant });
    if (question?.kind === 'pending')
      throw new CommandError(
        'CALL_PENDING',
        'This is a pending call, not a question: inboard cluster calls complete <call key> <json>.',
      );
    // The type requires `answeredAt`, but the journal stores the time of its own clock instead.
    const given = { result: reason === undefined ? allow() : deny(reason), by, answeredAt: Date.now() };
    const { taken, key } = await journal.answer(id, given, { tenant });
    if (readSwitch(input, 'json')) printJson(input.terminal, { taken, conversation: key, by });
    if (taken) {
      if (!readSwitch(input, 'json'))
        printLine(
          input.terminal,
          `${isAllowed ? 'Allowed' : 'Denied'} by ${by}. ${showText(key ?? '', 40)} continues.`,
        );
      return EXIT_CODES.ok;
    }
    if (readSwitch(input, 'json')) return EXIT_CODES.failed;
    throw key === undefined
      ? new CommandError(
          'QUESTION_UNKNOWN',
          `There is no question "${showText(id, 60)}". It may have been withdrawn.`,
        )
      : new CommandError('QUESTION_OVER', `"${showText(id, 60)}" has already been answered.`);
  });
}

function print(terminal: Terminal, question: ClusterApproval): void {
  const style = createStyler(terminal);
  const { id, conversation, tenant, toolName = 'a program', input, askedAt } = question;
  const { title, description, decisionReason } = question;
  printLine(terminal, styled`${style('bold', revealText(id))}`);
  const fact = (name: string, text: string): void =>
    printLine(terminal, styled`  ${style('dim', name.padEnd(9))}${showText(text, 68)}`);
  fact('in', tenant === undefined ? conversation : `${conversation}, for ${tenant}`);
  fact('since', showTime(askedAt));
  fact('wants', title === undefined ? toolName : `${title} (${toolName})`);
  if (description !== undefined) fact('says', description);
  if (decisionReason !== undefined) fact('because', decisionReason);
  // The person decides about the input, so as much of it is shown as the limit allows.
  const whole = stringifyDeep(input) ?? '';
  const isLong = whole.length > MOST_CHARACTERS;
  const lines = wrapText(
    revealText(isLong ? whole.slice(0, MOST_CHARACTERS) : (stringifyDeep(input, 2) ?? '')),
    76,
  );
  for (const line of lines.slice(0, MOST_LINES)) printLine(terminal, `    ${line}`);
  if (isLong) printLine(terminal, `    … ${whole.length} characters in all; see --json`);
  else if (lines.length > MOST_LINES)
    printLine(terminal, `    … ${countOf(lines.length - MOST_LINES, 'more line')}; see --json`);
  printLine(terminal);
}
