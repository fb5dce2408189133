// `inboard cluster ls`: conversations in the order of their keys.
import type { ConversationFilter } from '@inboard/cluster/journal/journal.js';
import type { ConversationRecord, ConversationState } from '@inboard/cluster/journal/records.js';
import { formatMoney } from '@inboard/inspector/model/format.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { noteLine, printJson } from '../terminal/terminal.js';
import { revealText } from '../terminal/reveal-text.js';
import type { Style } from '../terminal/styled-text.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { withJournal } from './open-journal.js';
import { printTable } from './print-table.js';
import { readCount } from './read-count.js';
import { showShortTime } from './show-time.js';
import { WAITS } from './wait-texts.js';

/** The state shown for an idle conversation whose last turn failed. The failed turn is not run again. */
const FAILED = 'failed';
/** The state shown for one of whose turn under way a try has failed, or was cut off. */
const RETRIED = 'retried';
const STATES: readonly string[] = ['idle', FAILED, 'queued', 'running', 'parked', 'closed'];
const STATE_STYLES: Readonly<Record<string, Style>> = {
  running: 'green',
  parked: 'yellow',
  queued: 'cyan',
  [FAILED]: 'red',
  [RETRIED]: 'red',
};

/** Prints a table of the conversations that match the options. */
export async function showConversations(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const limit = readCount(input, 'limit', 50);
  const [state, tenant, after] = ['state', 'tenant', 'after'].map((name) => readText(input, name));
  if (state !== undefined && !STATES.includes(state))
    throw new UsageError(`--state must be one of: ${STATES.join(', ')}. It is "${state}".`);
  const waitsFor = WAITS.find((reason) => reason === readText(input, 'waits'));
  if (waitsFor === undefined && readText(input, 'waits') !== undefined)
    throw new UsageError(`--waits must be one of: ${WAITS.join(', ')}.`);
  return await withJournal(input, async (journal) => {
    const filter = { ...readState(state), waitsFor, tenant, after };
    // Asking for one more than is shown tells whether there are more.
    const found = await journal.conversations({ ...filter, limit: limit + 1 });
    const shown = found.slice(0, limit);
    if (readSwitch(input, 'json')) {
      printJson(terminal, shown, 2);
      return EXIT_CODES.ok;
    }
    if (shown.length === 0) {
      noteLine(terminal, 'No conversation matches.');
      return EXIT_CODES.ok;
    }
    printTable(
      terminal,
      [
        { name: 'KEY', isWhole: true },
        { name: 'STATE', most: 7 },
        { name: 'TURNS', most: 6, isNumber: true },
        { name: 'ASKS', most: 4, isNumber: true },
        { name: 'COST', most: 9, isNumber: true },
        { name: 'OWNER', most: 16 },
        { name: 'LAST CHANGE', most: 12 },
      ],
      shown.map((record) => {
        const { key, turns, questions, totalCostUsd, lease, waitsFor: what, failure, updatedAt } = record;
        const word = wordOf(record);
        return [
          key,
          { text: word, style: failure ? 'red' : (STATE_STYLES[word] ?? 'reset') },
          String(turns),
          String(questions),
          formatMoney(totalCostUsd),
          lease?.owner ?? (what === undefined ? '-' : `waits: ${what}`),
          showShortTime(updatedAt),
        ];
      }),
    );
    const last = shown.at(-1)?.key ?? '';
    if (found.length > limit)
      noteLine(terminal, `There are more. Continue with --after ${revealText(JSON.stringify(last))}.`);
    return EXIT_CODES.ok;
  });
}

function wordOf({ state, failure, failedTries }: ConversationRecord): string {
  if (failedTries !== undefined && state === 'running') return RETRIED;
  return state === 'idle' && failure ? FAILED : state;
}

function readState(word: string | undefined): ConversationFilter {
  if (word === FAILED) return { failed: true };
  if (word === 'idle') return { state: 'idle', failed: false };
  return { state: word as ConversationState | undefined };
}
