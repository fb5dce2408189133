// Removes what is older than a policy says from a journal in PostgreSQL, in statements of bounded size. A run that is cut off
// leaves nothing half removed that could be continued, and the next run goes on.
import { checkBy } from '../journal/check-names.js';
import type { Journal } from '../journal/journal.js';
import {
  ageOf,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionReport,
  type RetentionRun,
} from '../journal/retention.js';
import { checkPolicy } from '../journal/check-policy.js';
import type { Database, Row } from './database.js';
import { removeOrphans } from './overview.js';
import { toText, toWho } from './rows.js';
import { isNumbers, TableReader } from './table-reader.js';

const FOUND = new TableReader('find_old');
const COUNTED = new TableReader('count_old');
const REMOVED = new TableReader('remove_old');

const ROWS_AT_A_TIME = 1000;
const DEEDS_AT_A_TIME = 1000;
/** How many conversations a run goes past. With more, the cause is not in the conversations. */
const MOST_FAILED = 100;
const JOB = 'retention';

/** Thrown to end a run early. */
class RunEnded extends Error {}

export function retentionMethods(database: Database): Pick<Journal, 'retain' | 'claimRetention'> {
  const { schema } = database;
  return {
    async retain(policy, run = {}) {
      checkPolicy(policy);
      checkBy(run.by);
      const [clock] = await database.query('select clock_timestamp()::text as now');
      const report: RetentionReport = { applied: run.apply === true, isWhole: true, kinds: {} };
      const entry: Pruned['entry'] = { who: toWho(run.by), policy: toText('policy', policy) };
      try {
        for (const kind of RETENTION_KINDS) {
          const age = ageOf(policy, kind);
          if (age === undefined) continue;
          const [row] = await database.query(
            `select ($1::timestamptz - make_interval(secs => $2::float8 / 1000))::text as before`,
            [clock?.['now'], age],
          );
          const count = { rows: 0, bytes: 0 };
          report.kinds[kind] = count;
          await (kind === 'audit' ? pruneDeeds : pruneKind)(database, run, {
            kind,
            before: row?.['before'],
            count,
            report,
            entry,
          });
        }
        if (run.apply) await removeOrphans(database, clock?.['now']);
      } catch (error) {
        if (!(error instanceof RunEnded)) throw error;
        report.isWhole = false;
      }
      return report;
    },

    async claimRetention({ owner, ms, everyMs, done = false }) {
      if (done) await database.query(`select ${schema}.end_job($1, $2)`, [JOB, owner]);
      else {
        const [row] = await database.query(`select ${schema}.claim_job($1, $2, $3, $4) as had`, [
          JOB,
          owner,
          ms,
          everyMs,
        ]);
        return row?.['had'] === true;
      }
      return false;
    },
  };
}

interface Pruned {
  kind: RetentionKind;
  before: unknown;
  count: { rows: number; bytes: number };
  report: RetentionReport;
  /** The entry of the audit that each statement adds to; without a number until something is removed. */
  entry: { number?: number | undefined; who: string | null | undefined; policy: string };
}

async function pruneKind(database: Database, run: RetentionRun, pruned: Pruned): Promise<void> {
  const { kind, before } = pruned;
  for (let after: number | undefined = 0; after !== undefined;) {
    await goOn(run);
    const [page] = await database.query(
      `select list, last from ${database.schema}.find_old($1, $2::timestamptz, $3)`,
      [kind, before, after],
    );
    after = FOUND.numberIfAny(page, 'last');
    const numbers = FOUND.shape(page, 'list', 'a list of numbers', isNumbers);
    if (!run.apply) await countSome(database, run, pruned, numbers);
    else for (const number of numbers) await pruneOne(database, run, pruned, number);
  }
}

/** Counts what is old of some conversations: at once, and one by one if that takes too long. */
async function countSome(
  database: Database,
  run: RetentionRun,
  pruned: Pruned,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  await goOn(run);
  const { kind, before, count } = pruned;
  const counting = database.query(
    `select rows_found, bytes from ${database.schema}.count_old($1, $2::timestamptz, $3::bigint[])`,
    [kind, before, numbers],
  );
  const [first = 0, ...others] = numbers;
  if (others.length > 0) {
    const rows = await counting.catch(async (error: unknown) => await expectAnswer(database, error));
    if (rows) addTo(count, COUNTED, rows[0], 'rows_found');
    else for (const number of numbers) await countSome(database, run, pruned, [number]);
    return;
  }
  const rows = await orGoPast(database, pruned, first, counting);
  if (rows) addTo(count, COUNTED, rows[0], 'rows_found');
}

async function pruneOne(
  database: Database,
  run: RetentionRun,
  pruned: Pruned,
  number: number,
): Promise<void> {
  const { kind, before, count, entry } = pruned;
  for (let isMore = true; isMore;) {
    await goOn(run);
    const rows = await orGoPast(
      database,
      pruned,
      number,
      database.query(
        `select removed, bytes, more, run from ${database.schema}.remove_old($1, $2::timestamptz, $3, $4, $5, $6, $7)`,
        [kind, before, number, ROWS_AT_A_TIME, entry.number, entry.who, entry.policy],
      ),
    );
    if (!rows) return;
    addTo(count, REMOVED, rows[0], 'removed');
    entry.number = REMOVED.numberIfAny(rows[0], 'run');
    isMore = REMOVED.flag(rows[0], 'more');
  }
}

function addTo(count: Pruned['count'], reader: TableReader, row: Row | undefined, name: string): void {
  count.rows += reader.number(row, name);
  count.bytes += reader.number(row, 'bytes');
}

/** The rows of a statement about one conversation. If it fails, that is reported and undefined is given: other data can still go. */
async function orGoPast(
  database: Database,
  { kind, report }: Pruned,
  conversationNumber: number,
  query: Promise<Row[]>,
): Promise<Row[] | undefined> {
  try {
    return await query;
  } catch (error) {
    await expectAnswer(database, error);
    report.failed ??= [];
    if (report.failed.length === MOST_FAILED) throw error;
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : String(error);
    report.failed.push({ kind, conversationNumber, reason });
    return undefined;
  }
}

/** Throws the error of a statement again if the database does not answer: then all others would fail as well. */
async function expectAnswer(database: Database, error: unknown): Promise<undefined> {
  try {
    await database.query('select 1');
  } catch {
    throw error;
  }
}

async function pruneDeeds(
  database: Database,
  run: RetentionRun,
  { before, count, entry }: Pruned,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    await goOn(run);
    const [row] = await database.query(
      `select removed, bytes, last, run from ${database.schema}.remove_old_deeds($1::timestamptz, $2, $3, $4, $5, $6, $7)`,
      [before, after, DEEDS_AT_A_TIME, run.apply === true, entry.number, entry.who, entry.policy],
    );
    addTo(count, REMOVED, row, 'removed');
    entry.number = REMOVED.numberIfAny(row, 'run');
    after = REMOVED.numberIfAny(row, 'last');
  }
}

async function goOn({ signal, keepOn }: RetentionRun): Promise<void> {
  if (signal?.aborted || (keepOn && !(await keepOn()))) throw new RunEnded();
}
