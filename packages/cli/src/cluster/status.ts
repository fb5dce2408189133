// `inboard cluster status`: prints which workers run, what waits and for how long, and the costs. With `--watch` it
// does so repeatedly.
import type { Journal } from '@inboard/cluster/journal/journal.js';
import type { JournalStats, Pause, WorkerRecord } from '@inboard/cluster/journal/records.js';
import { describeWorker } from '@inboard/inspector/model/describe-worker.js';
import { formatDuration, formatMoney } from '@inboard/inspector/model/format.js';
import { countOf, messageOf } from '@inboard/core/util/message-of.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { createStyler, noteLine, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { styled, type Style } from '../terminal/styled-text.js';
import { EXIT_CODES } from '../terminal/usage-error.js';
import { explain, withJournal } from './open-journal.js';
import { revealText, wrapText } from '../terminal/reveal-text.js';
import { printTable } from './print-table.js';
import { showTime, showTimeOfDay } from './show-time.js';
import { showingCommand, WAIT_TEXTS, WAITS } from './wait-texts.js';

const WATCH_MS = 2000;
/** The room beside the names of facts in a terminal of 80 columns. */
const MOST_COLUMNS = 64;

interface Status {
  stats: JournalStats;
  /** Absent with `--tenant`, because workers serve all tenants. */
  workers?: WorkerRecord[] | undefined;
  pauses: Pause[];
}

/** Prints the numbers of the cluster. */
export async function showStatus(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const isJson = readSwitch(input, 'json');
  const tenant = readText(input, 'tenant');
  const print = (status: Status): void =>
    isJson
      ? printJson(terminal, status, readSwitch(input, 'watch') ? undefined : 2)
      : printStatus(terminal, status);
  return await withJournal(input, async (journal, place) => {
    print(await readStatus(journal, tenant));
    if (!readSwitch(input, 'watch')) return EXIT_CODES.ok;
    while (await waitOrStop(terminal.signal)) {
      try {
        const status = await readStatus(journal, tenant);
        if (!isJson) printLine(terminal, `\n${showTime(Date.now())}`);
        print(status);
      } catch (error) {
        // `--watch` goes on after a failure, so that the user sees when the journal is back.
        noteLine(terminal, messageOf(explain(error, place)));
      }
    }
    return EXIT_CODES.ok;
  });
}

async function readStatus(journal: Journal, tenant: string | undefined): Promise<Status> {
  const [stats, workers, pauses] = await Promise.all([
    journal.stats({ tenant }),
    tenant === undefined ? journal.workers() : undefined,
    journal.pauses({ tenant }),
  ]);
  return { stats, ...(workers && { workers }), pauses };
}

function printStatus(terminal: Terminal, { stats, workers, pauses }: Status): void {
  const style = createStyler(terminal);
  const { conversations, turns } = stats;
  const fact = (name: string, text: string): void =>
    printLine(terminal, styled`${style('dim', name.padEnd(15))}${text}`);
  if (workers?.length === 0)
    printLine(terminal, style('yellow', 'No worker has reported within the last minute.'));
  else if (workers) {
    printTable(
      terminal,
      [
        { name: 'WORKER' },
        { name: 'TURNS', most: 9, isNumber: true },
        { name: 'WARM', most: 6, isNumber: true },
        { name: 'LAST SEEN', most: 9 },
        { name: 'STATE', most: 25 },
      ],
      workers.map((worker) => [
        worker.name,
        `${worker.running}/${worker.concurrency}`,
        String(worker.warm),
        showTimeOfDay(worker.seenAt),
        { text: describeWorker(worker), style: styleOf(worker) },
      ]),
    );
  }
  if (workers) printLine(terminal);
  fact('Conversations', listCounts(conversations));
  fact('Turns', listCounts(turns));
  fact('Longest wait', describeOldest(stats));
  printWaiting(fact, stats);
  fact('Leases', `${stats.leases} valid; ${stats.takeovers} were taken over after they expired`);
  fact('Questions', countOf(stats.questions, 'unanswered question'));
  fact('Cost', formatMoney(stats.totalCostUsd));
  for (const { tenant, until, reason } of pauses) {
    // The reason is shown whole, because it explains why no turn begins.
    const lines = wrapText(
      revealText(`${tenant ?? 'all'} until ${showTime(until)}: ${reason}`),
      MOST_COLUMNS,
    );
    for (const [at, line] of lines.entries()) fact(at === 0 ? 'Paused' : '', line);
  }
}

/** How long the turn has waited that has waited longest for a place. Others may wait for something else. */
function describeOldest({ oldestQueuedMs, waiting }: JournalStats): string {
  if (oldestQueuedMs > 0) return formatDuration(oldestQueuedMs);
  return waiting ? 'no turn waits for a place' : 'nothing waits';
}

/** Says what waits, and for what. */
function printWaiting(fact: (name: string, text: string) => void, { waiting }: JournalStats): void {
  if (!waiting) return;
  const lines = WAITS.filter((reason) => waiting[reason] > 0).flatMap((reason) => {
    const text = `${waiting[reason]} ${WAIT_TEXTS[reason]}`;
    const whole = `${text}: ${showingCommand(reason)}`;
    return whole.length <= MOST_COLUMNS ? [whole] : [`${text}:`, `  ${showingCommand(reason)}`];
  });
  for (const [at, line] of (lines.length === 0 ? ['nothing'] : lines).entries())
    fact(at === 0 ? 'Waiting' : '', line);
}

function styleOf({ draining, silentMs }: WorkerRecord): Style {
  if (silentMs !== undefined) return 'red';
  return draining ? 'yellow' : 'reset';
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** Waits for the next round; gives false when the command is to end. */
async function waitOrStop(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  return await new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve(true);
    }, WATCH_MS);
    signal.addEventListener('abort', stop, { once: true });
  });
}
