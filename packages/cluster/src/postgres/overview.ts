// The methods of a journal in PostgreSQL that concern all conversations: pauses, spending, workers and counts. Also the methods
// that remove data.
import { ClusterError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { checkBy, checkKey, checkMs, checkName } from '../journal/check-names.js';
import type { Journal, TenantScope } from '../journal/journal.js';
import { markSilence } from '../journal/mark-silence.js';
import type { JournalStats, Pause, WorkerRecord } from '../journal/records.js';
import { countNoWaits } from '../journal/wait-reasons.js';
import type { Database } from './database.js';
import { removeContents } from './contents/remove-contents.js';
import { ms, toText, toWho } from './rows.js';
import { isNumbers, TableReader } from './table-reader.js';
import { waitsForSql, waitsSinceSql } from './waiting.js';
import { checkOldest, lookForTables } from './schema/migrate.js';

type Methods = Pick<
  Journal,
  | 'pause'
  | 'pauses'
  | 'spent'
  | 'reportWorker'
  | 'removeWorker'
  | 'workers'
  | 'stats'
  | 'checkRoom'
  | 'remove'
  | 'forgetTenant'
  | 'prune'
>;

const PAUSES = new TableReader('pauses');
const SPENDING = new TableReader('spending');
const WORKERS = new TableReader('workers');
const PRUNED = new TableReader('prune_some');
const ORPHANS = new TableReader('find_orphans');
const STATS = new TableReader('the numbers of the journal');

const ERASED = new TableReader('erase_tenant');

const PRUNED_AT_A_TIME = 500;
const ERASED_AT_A_TIME = 2000;

export function overviewMethods(database: Database): Methods {
  const { schema } = database;
  return {
    async pause({ tenant, ms: length, reason }) {
      if (tenant !== undefined) checkName('tenant', tenant);
      checkMs('ms', length);
      await database.query(
        `insert into ${schema}.pauses (scope, tenant, until, reason)
        values ($1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000), $4)
        on conflict (scope) do update set until = excluded.until, reason = excluded.reason
        where excluded.until > pauses.until`,
        [scopeOf(tenant), tenant, length, toText('reason', reason)],
      );
    },

    async pauses({ tenant } = {}) {
      const rows = await database.query(
        `select tenant, ${ms('until')} as until, reason from ${schema}.pauses
        where until > clock_timestamp() and ($1::text is null or tenant is null or tenant = $1) order by scope`,
        [tenant],
      );
      return rows.map((row): Pause =>
        withoutUndefined({
          tenant: PAUSES.textIfAny(row, 'tenant'),
          until: PAUSES.number(row, 'until'),
          reason: PAUSES.jsonText(row, 'reason'),
        }),
      );
    },

    async spent({ tenant, days } = {}) {
      const [row] = await database.query(
        `select coalesce(sum(usd), 0)::float8 as usd from ${schema}.spending
        where ($1::text is null or scope = $1)
          and ($2::int is null or day > (clock_timestamp() at time zone 'UTC')::date - $2::int)`,
        [tenant === undefined ? undefined : scopeOf(tenant), days],
      );
      return SPENDING.number(row, 'usd');
    },

    async reportWorker(worker) {
      checkName('name', worker.name);
      try {
        const [row] = await database.query(`select ${schema}.report_worker($1, $2) as oldest`, [
          worker.name,
          toText('worker', worker),
        ]);
        checkOldest(WORKERS.numberIfAny(row, 'oldest') ?? 0);
      } catch (error) {
        // Newer tables may no longer have this function. Then `lookForTables` rejects with the version that is needed.
        if (error instanceof ClusterError && error.code === 'JOURNAL_VERSION') await lookForTables(database);
        throw error;
      }
    },

    async removeWorker(name) {
      checkName('name', name);
      await database.query(`delete from ${schema}.workers where name = $1`, [name]);
    },

    async workers() {
      const rows = await database.query(
        `select report, ${ms('seen_at')} as seen_at, ${ms('clock_timestamp() - seen_at')} as since
        from ${schema}.workers
        where seen_at > clock_timestamp() - interval '1 minute' order by name`,
      );
      return rows.map((row) => {
        const report = WORKERS.shape(row, 'report', 'the report of a worker', isReport);
        return markSilence(
          { ...report, seenAt: WORKERS.number(row, 'seen_at') },
          WORKERS.number(row, 'since'),
        );
      });
    },

    stats: (scope) => readStats(database, scope),

    // Reading and small writes go on for a long time on a full disk. A sort with too little memory writes a file on the disk of the
    // database, about a megabyte, without a lock, a right or a row.
    async checkRoom() {
      // A process that only sends learns from this that newer tables do not admit it any more: it makes no reports.
      await lookForTables(database);
      await database.transaction('begin read only', async (run) => {
        await run(`set local work_mem to '64kB'`);
        await run(
          'select count(*) from (select md5(n::text) from generate_series(1, 20000) n order by 1 offset 0) as sorted',
        );
      });
    },

    async remove(key, { by } = {}) {
      checkKey(key);
      checkBy(by);
      const [row] = await database.query(
        `select ${schema}.remove_conversation_by($1, $2) as done`,
        [key, toWho(by)],
        {
          key,
        },
      );
      return row?.['done'] === true;
    },

    async forgetTenant(tenant, { by } = {}) {
      checkName('tenant', tenant);
      checkBy(by);
      // In statements of bounded size, because the audit may have very many entries of a tenant.
      let isKnown = false;
      for (let erased = ERASED_AT_A_TIME; erased === ERASED_AT_A_TIME;) {
        const [row] = await database.query(`select ${schema}.erase_tenant($1, $2) as erased`, [
          tenant,
          ERASED_AT_A_TIME,
        ]);
        erased = ERASED.number(row, 'erased');
        isKnown ||= erased > 0;
      }
      await database.query(`select ${schema}.forget_tenant_by($1, $2, $3)`, [tenant, toWho(by), isKnown]);
    },

    async prune(olderThanMs) {
      checkMs('olderThanMs', olderThanMs);
      // The limit is taken once at the beginning, so that turns that end in the meantime are not removed.
      const [start] = await database.query(
        `select (clock_timestamp() - make_interval(secs => $1::float8 / 1000))::text as before`,
        [olderThanMs],
      );
      let removed = 0;
      for (let isMore = true; isMore;) {
        const [row] = await database.query(`select * from ${schema}.prune_some($1::timestamptz, $2)`, [
          start?.['before'],
          PRUNED_AT_A_TIME,
        ]);
        removed += PRUNED.number(row, 'removed');
        isMore = row?.['turns_left'] === true;
      }
      await removeOrphans(database, start?.['before']);
      return removed;
    },
  };
}

/** Removes contents that nothing refers to: the rows that did are gone, or a worker died before it wrote them. */
export async function removeOrphans(database: Database, before: unknown): Promise<void> {
  const { schema } = database;
  for (let after: unknown = 0; after !== null;) {
    const [page] = await database.query(
      `select orphans, last from ${schema}.find_orphans($1, $2::timestamptz)`,
      [after, before],
    );
    const orphans = ORPHANS.shape(page, 'orphans', 'lists of contents', isOrphans);
    for (const [conversation, contents] of orphans)
      await removeContents(database, conversation, contents, before);
    after = page?.['last'] ?? null;
  }
}

function scopeOf(tenant: string | undefined): string {
  return tenant === undefined ? 'all' : `of:${tenant}`;
}

// Reads with one statement, so that all numbers are from the same moment. The number of ended turns is calculated: all turns
// minus the open ones.
async function readStats(database: Database, { tenant }: TenantScope = {}): Promise<JournalStats> {
  const { schema } = database;
  const isAll = tenant === undefined;
  const own = isAll ? 'true' : 'c.tenant = $1';
  /** The rows of a table that belong to conversations. With a tenant, only those of its conversations. */
  const from = (table: string): string =>
    `${schema}.${table} r ${isAll ? '' : `join ${schema}.conversations c on c.number = r.conversation and ${own}`}`;
  const [row] = await database.query(
    `
    with of_state as (
      select state, count(*) as conversations, sum(turns) as turns from ${schema}.conversations c where ${own} group by state
    ), open_turns as (
      select r.state, count(*) as turns from ${from('turns')} where r.state <> 'ended' group by r.state
    )
    select
      (select json_object_agg(state, conversations) from of_state)::text as conversations,
      (select json_object_agg(state, turns) from open_turns)::text as open_turns,
      (select coalesce(sum(turns), 0) from of_state) - (select coalesce(sum(turns), 0) from open_turns) as ended,
      (select coalesce(sum(usd), 0) from ${schema}.spending ${isAll ? '' : 'where scope = $2'})::float8 as cost,
      ${
        isAll
          ? `(select coalesce(sum(value), 0) from ${schema}.counters where name = 'takeovers')`
          : // The end of an expired lease is written only when another worker takes over.
            `(select count(*) from ${from('leases')} where not r.released and r.until is not null)`
      } as takeovers,
      (select count(*) from ${from('questions')} where r.answer is null) as questions,
      (select floor(extract(epoch from clock_timestamp() - min(r.asked_at)) * 1000)::float8
        from ${from('questions')} where r.answer is null) as oldest_question,
      (select count(*) from ${schema}.conversations c where ${own} and c.owner is not null and c.lease_until > clock_timestamp()) as leases,
      (select floor(extract(epoch from clock_timestamp() - min(${waitsSinceSql(schema)})) * 1000)::float8
        from ${schema}.conversations c where ${own} and c.ready_at <= clock_timestamp()
          and (c.owner is null or c.lease_until <= clock_timestamp()) and ${waitsForSql(schema)} = 'place') as oldest,
      (select json_object_agg(w.what, w.conversations) from (
        select ${waitsForSql(schema)} as what, count(*) as conversations
        from ${schema}.conversations c where ${own} and c.state in ('queued', 'running', 'parked') group by 1
      ) w where w.what is not null)::text as waiting`,
    isAll ? [] : [tenant, scopeOf(tenant)],
  );
  const conversations = STATS.shapeIfAny(row, 'conversations', 'numbers by state', isCounts);
  const turns = STATS.shapeIfAny(row, 'open_turns', 'numbers by state', isCounts);
  return {
    conversations: { idle: 0, queued: 0, running: 0, parked: 0, closed: 0, ...conversations },
    turns: { queued: 0, running: 0, parked: 0, ...turns, ended: STATS.number(row, 'ended') },
    oldestQueuedMs: Math.max(0, STATS.numberIfAny(row, 'oldest') ?? 0),
    waiting: { ...countNoWaits(), ...STATS.shapeIfAny(row, 'waiting', 'numbers by reason', isCounts) },
    leases: STATS.number(row, 'leases'),
    takeovers: STATS.number(row, 'takeovers'),
    questions: STATS.number(row, 'questions'),
    oldestQuestionMs: Math.max(0, STATS.numberIfAny(row, 'oldest_question') ?? 0),
    totalCostUsd: STATS.number(row, 'cost'),
  };
}

function isReport(value: unknown): value is Omit<WorkerRecord, 'seenAt' | 'silentMs'> {
  return isRecord(value) && typeof value['name'] === 'string';
}

function isOrphans(value: unknown): value is Array<[conversation: number, contents: number[]]> {
  return (
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && typeof pair[0] === 'number' && isNumbers(pair[1]))
  );
}

function isCounts(value: unknown): value is Record<string, number> {
  return isRecord(value) && isNumbers(Object.values(value));
}
