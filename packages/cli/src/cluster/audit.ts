// `inboard cluster audit`: prints who did what and when, or writes all of it as lines of JSON, in bounded memory.
import { once } from 'node:events';
import type { AuditedDeed, AuditEntry } from '@inboard/cluster/journal/audit-entry.js';
import type { ClusterAuditFilter } from '@inboard/cluster/cluster.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { noteLine, printJson, type Terminal } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { listInputs } from './audit-inputs.js';
import { clusterOf } from './cluster-of.js';
import { withJournal } from './open-journal.js';
import { printTable } from './print-table.js';
import { readCount } from './read-count.js';
import { showTime } from './show-time.js';

/** How far back the table goes where nothing else is asked for. */
const SHOWN_MS = 7 * 24 * 60 * 60 * 1000;
const DEEDS: Record<AuditedDeed, true> = {
  sent: true,
  allowed: true,
  edited: true,
  denied: true,
  completed: true,
  failed: true,
  cancelled: true,
  interrupted: true,
  closed: true,
  forgotten: true,
  tenantForgotten: true,
  pruned: true,
};
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Prints the newest entries as a table, or with `--json` all entries, one on each line. */
export async function showAudit(input: CommandInput): Promise<number> {
  const filter = readFilter(input);
  const limit = readCount(input, 'limit', readSwitch(input, 'json') ? Infinity : 50);
  return await withJournal(input, async (journal) => {
    const read = (more: ClusterAuditFilter) => clusterOf(journal).audit({ ...filter, ...more });
    if (readSwitch(input, 'json')) await printLines(input.terminal, read({}), limit);
    else {
      const isAll = filter.since !== undefined || filter.after !== undefined;
      const since = isAll ? {} : { since: Date.now() - SHOWN_MS };
      await printNewest(input.terminal, read(since), limit, isAll ? '' : ' of the last 7 days');
    }
    return EXIT_CODES.ok;
  });
}

async function printLines(
  terminal: Terminal,
  entries: AsyncIterable<AuditEntry>,
  limit: number,
): Promise<void> {
  let count = 0;
  for await (const entry of entries) {
    if (count === limit || terminal.signal.aborted) return;
    count += 1;
    printJson(terminal, entry);
    // A slow reader must not make the command keep the whole audit.
    if (terminal.stdout.writableNeedDrain)
      await once(terminal.stdout, 'drain', { signal: terminal.signal }).catch(() => {});
  }
}

async function printNewest(
  terminal: Terminal,
  entries: AsyncIterable<AuditEntry>,
  limit: number,
  when: string,
): Promise<void> {
  const newest: AuditEntry[] = [];
  let count = 0;
  for await (const entry of entries) {
    if (terminal.signal.aborted) return;
    count += 1;
    newest.push(entry);
    if (newest.length > limit) newest.shift();
  }
  if (count === 0) {
    noteLine(terminal, `No entry${when} matches.`);
    return;
  }
  printTable(
    terminal,
    [
      { name: '#', most: 9, isNumber: true },
      { name: 'AT', most: 20, least: 20 },
      { name: 'WHO', most: 18 },
      { name: 'WHAT', most: 15, least: 9 },
      { name: 'CONVERSATION', most: 24 },
      { name: 'ABOUT' },
    ],
    newest.map((entry) => [
      String(entry.seq),
      showTime(entry.at),
      entry.by ?? '-',
      entry.what === 'edited' ? { text: entry.what, style: 'yellow' } : entry.what,
      nameConversation(entry),
      describe(entry),
    ]),
    (at) => listInputs(newest[at] as AuditEntry),
  );
  const all =
    count > newest.length ? `The newest ${newest.length} of ${count} entries` : `All ${count} entries`;
  noteLine(terminal, `${all}${when}. Secrets in inputs are hidden; --json writes whole entries.`);
}

function nameConversation({ conversation, conversationNumber }: AuditEntry): string {
  return conversation ?? (conversationNumber === undefined ? '-' : `forgotten (${conversationNumber})`);
}

function describe({ toolName, message, turn, pruned }: AuditEntry): string {
  if (pruned !== undefined) return stringifyDeep(pruned) ?? '';
  const tool = toolName ?? (turn === undefined ? '' : `turn ${turn}`);
  return message === undefined ? tool : `${tool}: ${message}`;
}

function readFilter(input: CommandInput): ClusterAuditFilter {
  const deeds = Object.keys(DEEDS) as AuditedDeed[];
  const what = deeds.find((deed) => deed === readText(input, 'what'));
  if (what === undefined && readText(input, 'what') !== undefined)
    throw new UsageError(`--what must be one of: ${deeds.join(', ')}.`);
  const after = readText(input, 'after');
  if (after !== undefined && !/^\d{1,15}$/.test(after))
    throw new UsageError('--after takes the number of an entry, as the first column shows it.');
  return withoutUndefined({
    what,
    tenant: readText(input, 'tenant'),
    conversation: readText(input, 'key'),
    by: readText(input, 'by'),
    since: readTime('since', readText(input, 'since')),
    until: readTime('until', readText(input, 'until')),
    after: after === undefined ? undefined : Number(after),
  });
}

/** A time, or how long ago it was. Throws a UsageError for a text that is neither. */
function readTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * (UNITS[unit] ?? 0);
  // A date without a time zone would be read as local time.
  const isZoned = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = isZoned ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(
      `--${name} takes a day or a time in UTC, such as 2026-11-16 or 2026-11-16T10:00Z, or how long ago: 90m, 12h, 7d.`,
    );
  return time;
}
