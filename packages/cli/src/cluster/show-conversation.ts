// `inboard cluster show`: one conversation with its turns, leases, open questions and last events.
import type { Journal } from '@inboard/cluster/journal/journal.js';
import type {
  ClusterApproval,
  ClusterEvent,
  ConversationRecord,
  Json,
  TurnRecord,
} from '@inboard/cluster/journal/records.js';
import { formatMoney } from '@inboard/inspector/model/format.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { createStyler, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { styled } from '../terminal/styled-text.js';
import { revealText, wrapText } from '../terminal/reveal-text.js';
import { CommandError, EXIT_CODES } from '../terminal/usage-error.js';
import { withJournal } from './open-journal.js';
import { printTable, showText } from './print-table.js';
import { readCount } from './read-count.js';
import { showShortTime, showTime } from './show-time.js';
import { WAIT_TEXTS } from './wait-texts.js';

const MOST_ROWS = 20;

/** Prints one conversation with its newest events. Throws a CommandError if it does not exist or is of another tenant. */
export async function showConversation(input: CommandInput, [key = '']: readonly string[]): Promise<number> {
  const { terminal } = input;
  const limit = readCount(input, 'limit', MOST_ROWS);
  return await withJournal(input, async (journal) => {
    const tenant = readText(input, 'tenant');
    const conversation = await journal.conversation(key);
    // The message is the same for a conversation of another tenant and for one that does not exist.
    if (!conversation || (tenant !== undefined && conversation.tenant !== tenant))
      throw new CommandError(
        'CONVERSATION_UNKNOWN',
        `There is no conversation "${showText(key, 60)}" in this journal.`,
      );
    const known = await readKnown(journal, conversation, limit);
    if (readSwitch(input, 'json')) printJson(terminal, { conversation, ...known }, 2);
    else print(terminal, conversation, known);
    return EXIT_CODES.ok;
  });
}

type Known = Awaited<ReturnType<typeof readKnown>>;

async function readKnown(journal: Journal, { key, lastEventId }: ConversationRecord, limit: number) {
  const [turns, questions, events, history] = await Promise.all([
    journal.turns(key),
    journal.questions({ key }),
    journal.events(key, { after: Math.max(0, lastEventId - limit), limit }),
    journal.history(key),
  ]);
  return { turns, questions, events, leases: history?.leases ?? [] };
}

function print(terminal: Terminal, conversation: ConversationRecord, known: Known): void {
  const style = createStyler(terminal);
  const fact = (name: string, text: string): void =>
    printLine(terminal, styled`${style('dim', name.padEnd(10))}${showText(text, 69)}`);
  const { key, state, agent, tenant, sessionId, lease, totalCostUsd, failure, createdAt, updatedAt } =
    conversation;
  const { failedTries, waitsFor } = conversation;
  fact('Key', key);
  fact(
    'State',
    lease
      ? `${state}, held by ${lease.owner} until ${showTime(lease.expiresAt)} (lease ${lease.epoch})`
      : state === 'running' && waitsFor !== 'budget' && waitsFor !== 'time'
        ? 'running, without a worker: the next one will continue it'
        : waitsFor
          ? `${state}, waits ${WAIT_TEXTS[waitsFor]}`
          : state,
  );
  if (failedTries !== undefined)
    fact('Tries', `${failedTries} of the turn under way failed, or were cut off`);
  if (failure) fact('Failed', `the last turn, ${failure.turn} (${failure.code ?? failure.kind})`);
  fact('Agent', tenant === undefined ? agent : `${agent}, for ${tenant}`);
  fact('Session', sessionId);
  fact('Cost', formatMoney(totalCostUsd));
  fact('Since', `${showTime(createdAt)}, last change ${showTime(updatedAt)}`);
  const { turns, leases, questions, events } = known;
  section(terminal, 'Turns', turns.length);
  if (turns.length > 0)
    printTable(
      terminal,
      [
        { name: '#', most: 5, isNumber: true },
        { name: 'STATE', most: 9 },
        { name: 'TRIES', most: 5, isNumber: true },
        { name: 'LEASES', most: 6, isNumber: true },
        { name: 'COST', most: 9, isNumber: true },
        { name: 'MESSAGE' },
        { name: 'ANSWER', most: 24 },
      ],
      turns
        .slice(-MOST_ROWS)
        .map((turn) => [
          String(turn.place),
          turn.outcome?.kind ?? turn.state,
          String(turn.tries),
          String(turn.attempt),
          formatMoney(turn.turnCostUsd),
          readContent(turn.content),
          describeAnswer(turn),
        ]),
    );
  for (const turn of turns.slice(-MOST_ROWS)) printFailure(terminal, turn);
  section(terminal, 'Leases', leases.length);
  if (leases.length > 0)
    printTable(
      terminal,
      [
        { name: 'LEASE', most: 10, isNumber: true },
        { name: 'OWNER' },
        { name: 'FROM', most: 20 },
        { name: 'UNTIL', most: 20 },
        { name: 'END', most: 10 },
      ],
      leases
        .slice(-MOST_ROWS)
        .map(({ epoch, owner, grantedAt, until, released }) => [
          String(epoch),
          owner,
          showTime(grantedAt),
          showTime(until),
          released ? 'released' : epoch === lease?.epoch ? 'valid' : 'expired',
        ]),
    );
  const asked = questions.filter(({ kind }) => kind !== 'pending');
  const pending = questions.filter(({ kind }) => kind === 'pending');
  section(terminal, 'Unanswered questions', asked.length);
  for (const question of asked) printOpenQuestion(terminal, question);
  if (pending.length > 0) section(terminal, 'Pending calls', pending.length);
  for (const { pending: facts, ...call } of pending)
    printOpenQuestion(terminal, { ...call, id: facts?.callKey ?? call.id });
  section(terminal, 'Events', conversation.lastEventId);
  if (events.length > 0)
    printTable(
      terminal,
      [
        { name: 'ID', most: 8, isNumber: true },
        { name: 'AT', most: 20 },
        { name: 'WHAT', most: 9 },
        { name: 'TEXT' },
      ],
      events.map((event) => [String(event.id), showTime(event.at), event.type, describeEvent(event)]),
    );
}

/** Prints a question or a pending call. Its id is whole and has a line of its own, because other commands take it. */
export function printOpenQuestion(
  terminal: Terminal,
  {
    id,
    toolName = 'a program',
    title,
    askedAt,
  }: Pick<ClusterApproval, 'id' | 'toolName' | 'title' | 'askedAt'>,
): void {
  printLine(terminal, revealText(id));
  printLine(terminal, `  ${showText(title ?? toolName, 49)}, since ${showTime(askedAt)}`);
}

function section(terminal: Terminal, name: string, count: number): void {
  const more = count > MOST_ROWS && name !== 'Events' ? `, the last ${MOST_ROWS}` : '';
  printLine(terminal, styled`\n${createStyler(terminal)('bold', name)} (${String(count)}${more})`);
}

function describeAnswer({ outcome, notBefore, state }: TurnRecord): string {
  if (outcome) return outcome.error?.message ?? outcome.text;
  return state === 'queued' && notBefore !== undefined ? `not before ${showShortTime(notBefore)}` : '-';
}

/** Prints why a turn failed. The table has no room for the whole text. */
function printFailure(terminal: Terminal, { place, outcome }: TurnRecord): void {
  if (!outcome || outcome.ok) return;
  const text = outcome.error ? `${outcome.error.code}: ${outcome.error.message}` : outcome.text;
  if (text.trim() === '') return;
  const [first = '', ...rest] = wrapText(revealText(`Turn ${place}: ${text}`), 76);
  printLine(terminal, styled`${createStyler(terminal)('red', first)}`);
  for (const line of rest.slice(0, MOST_ROWS)) printLine(terminal, `   ${line}`);
}

function readContent(content: Json): string {
  return typeof content === 'string' ? content : textOf(content) || (stringifyDeep(content) ?? '');
}

/** Describes the blocks of a message that are calls or results of calls. */
function listCalls(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isRecord).flatMap(({ type, name, is_error: isError }) => {
    if (type === 'tool_use') return [`(calls ${typeof name === 'string' ? name : 'a tool'})`];
    return type === 'tool_result' ? [isError === true ? '(a call failed)' : '(the result of a call)'] : [];
  });
}

/** Describes calls that were cut off and completed later, if the message reports such calls. */
function listCompleted({ subtype, calls }: Record<string, unknown>): string[] {
  if (subtype !== 'inboard_completed_calls' || !Array.isArray(calls)) return [];
  return calls.filter(isRecord).map(({ toolName, how, allowed, delivered }) => {
    const facts = [
      how,
      ...(allowed === true ? ['allowed'] : []),
      ...(delivered === true ? [] : ['not delivered']),
    ];
    return `(${String(toolName)}: ${facts.join(', ')})`;
  });
}

function describeEvent(event: ClusterEvent): string {
  switch (event.type) {
    case 'message': {
      const { message } = event;
      if (!isRecord(message)) return '';
      const { type, subtype, message: body, result } = message;
      const said = isRecord(body) ? textOf(body['content']) : typeof result === 'string' ? result : '';
      const { characters } = event.shortened ?? {};
      return [
        type,
        subtype,
        said,
        ...(isRecord(body) ? listCalls(body['content']) : []),
        ...listCompleted(message),
        characters === undefined ? '' : `(shortened, ${characters} characters)`,
      ]
        .flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : []))
        .join(' ');
    }
    case 'text':
      return event.text;
    case 'question':
      return `${event.pending ? 'pending: ' : ''}${event.title ?? event.toolName ?? 'a program'} (${event.question})`;
    case 'answer':
      return `${event.behavior} ${event.by === undefined ? '' : `by ${event.by} `}(${event.question})`;
    default:
      return `${event.turn} ${event.state}${event.outcome ? `: ${event.outcome.kind}` : ''}, attempt ${event.attempt}`;
  }
}
