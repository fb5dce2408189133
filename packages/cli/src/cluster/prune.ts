// `inboard cluster prune`: counts what is older than the given ages, and removes it only with `--yes`.
import type { RetentionPolicy, RetentionReport } from '@inboard/cluster/journal/retention.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { noteLine, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { clusterOf } from './cluster-of.js';
import { nameUser } from './name-user.js';
import { withJournal } from './open-journal.js';
import { printTable } from './print-table.js';
import { PRUNED_KINDS } from './pruned-kinds.js';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Prints what the policy would remove, or removes it. The exit code is 1 if the run was cut off, or went past something. */
export async function runPrune(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const policy = readPolicy(input);
  const apply = readSwitch(input, 'yes');
  const by = readText(input, 'by') ?? nameUser();
  return await withJournal(input, async (journal) => {
    const report = await clusterOf(journal).prune(policy, { apply, by, signal: terminal.signal });
    if (readSwitch(input, 'json')) printJson(terminal, report, 2);
    else print(terminal, report);
    return report.isWhole && !report.failed ? EXIT_CODES.ok : EXIT_CODES.failed;
  });
}

function print(terminal: Terminal, { kinds, applied, isWhole, failed = [] }: RetentionReport): void {
  printTable(
    terminal,
    [
      { name: 'KIND', most: 16 },
      { name: 'ROWS', isNumber: true, most: 14 },
      { name: 'BYTES', isNumber: true },
    ],
    Object.entries(kinds).map(([kind, { rows, bytes }]) => [kind, String(rows), String(bytes)]),
  );
  if (!isWhole) printLine(terminal, 'The run was cut off. The same command goes on with it.');
  for (const { kind, conversationNumber, reason } of failed)
    printLine(terminal, `Went past the conversation number ${conversationNumber} (${kind}): ${reason}`);
  noteLine(
    terminal,
    applied
      ? 'These rows were removed. What belongs to open work was left alone.'
      : 'Nothing was removed. With --yes, these rows are. What belongs to open work is left alone.',
  );
}

function readPolicy(input: CommandInput): RetentionPolicy {
  const policy: RetentionPolicy = {};
  for (const kind of PRUNED_KINDS) {
    const text = readText(input, kind);
    if (text === undefined) continue;
    const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
    if (count === undefined) throw new UsageError(`--${kind} takes an age with its unit: 90m, 12h or 30d.`);
    policy[`${kind}Ms`] = Number(count) * (UNITS[unit] ?? 0);
  }
  if (Object.keys(policy).length === 0)
    throw new UsageError(
      `Say what to remove, and from which age on: ${PRUNED_KINDS.map((kind) => `--${kind} 90d`).join(', ')}.`,
    );
  return policy;
}
