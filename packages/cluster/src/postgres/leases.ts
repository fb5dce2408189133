// The leases of a journal in PostgreSQL, and the search for due conversations.
import { clock } from '@inboard/core/util/system/clock.js';
import { checkKey, checkLimit, checkMs, checkName } from '../journal/check-names.js';
import { checkAmount } from '../journal/check-reservation.js';
import type { Journal, LeaseAnswer, RenewedLease } from '../journal/journal.js';
import { readLoss } from './database-faults.js';
import type { Database, Row } from './database.js';
import { conversationColumns, readConversationRow } from './rows.js';
import { TableReader } from './table-reader.js';

const TAKEN = new TableReader('take_lease');
const DUE = new TableReader('due_conversations_2');

type Methods = Pick<Journal, 'lease' | 'renew' | 'release' | 'due'>;

// The largest value of the parameter's type in the database, a 32-bit integer.
const MAX_DUE = 2 ** 31 - 1;
// A search takes milliseconds. A worker that holds the lock longer than this is taken to hang, and the others search without
// the lock.
const LONGEST_BUSY_MS = 5_000;

export function leaseMethods(database: Database): Methods {
  const { schema } = database;
  // Both in one statement, because an idle worker sends it again and again. The second part reads the rows that have an owner, as the
  // function does: as many as workers have places.
  const findDue = `select key, recovered, busy, null::float8 as after_ms from ${schema}.due_conversations_2($1, $2)
    union all (
      select c.key, true, false, extract(epoch from c.lease_until - statement_timestamp())::float8 * 1000
      from ${schema}.conversations c
      where c.owner is not null and c.lease_until > statement_timestamp()
        and c.lease_until <= statement_timestamp() + $3::float8 * interval '1 millisecond' and c.ready_at <= statement_timestamp()
      order by c.lease_until limit 1
    )`;
  /** The time since which every call of `due` found another worker searching. Undefined if the last call did not. */
  let busySince: number | undefined;
  return {
    async lease(key, { owner, ms }) {
      checkKey(key);
      checkName('owner', owner);
      checkMs('ms', ms);
      const [row] = await database.query(`select * from ${schema}.take_lease($1, $2, $3)`, [key, owner, ms]);
      const time = TAKEN.numberIfAny(row, 'ms');
      switch (TAKEN.text(row, 'answer')) {
        case 'granted':
          return readGranted(TAKEN.number(row, 'epoch'));
        case 'held':
          return { state: 'held', owner: TAKEN.text(row, 'holder'), forMs: Math.ceil(time ?? 0) };
        case 'idle':
          return { state: 'idle', ...(time !== undefined && { afterMs: Math.ceil(time) }) };
        case 'paused':
          return { state: 'paused', forMs: Math.ceil(time ?? 0), reason: TAKEN.jsonText(row, 'reason') };
        default:
          return { state: 'unknown' };
      }

      async function readGranted(epoch: number): Promise<LeaseAnswer> {
        const [facts] = await database.query(
          `select ${conversationColumns(schema)} from ${schema}.conversations c where c.key = $1 and c.epoch = $2`,
          [key, epoch],
        );
        // The conversation was removed in the meantime, or another worker has taken it over.
        if (!facts) return { state: 'unknown' };
        return {
          state: 'granted',
          fence: { key, epoch, owner },
          conversation: readConversationRow(facts),
          ...(time !== undefined && { takenOverAfterMs: Math.max(0, Math.floor(time)) }),
        };
      }
    },

    async renew(fences, ms) {
      checkMs('ms', ms);
      if (fences.length === 0) return [];
      const rows = await database.query(
        `select * from ${schema}.renew_unlocked_leases($1, $2, $3)`,
        [fences.map(({ key }) => key), fences.map(({ epoch }) => epoch), ms],
        // After `ms` the leases have expired, and to renew them is useless. The statement is urgent, because it would come too
        // late if it waited for the writes of conversations.
        { timeoutMs: Math.max(ms, 500), isUrgent: true },
      );
      const found = new Map(rows.map((row) => [`${String(row['epoch'])} ${String(row['key'])}`, row]));
      return fences.map(({ key, epoch }) => readRenewed({ key, epoch }, found.get(`${epoch} ${key}`)));
    },

    async release({ key, epoch }, left) {
      if (left) {
        checkName('turn', left.turn);
        checkMs('afterMs', left.afterMs ?? 0);
        checkAmount('turnCostUsd', left.turnCostUsd);
      }
      const { turn, turnCostUsd = 0, failed = false, cutOff = false, afterMs = 0 } = left ?? {};
      const [row] = await database.query(
        `select ${schema}.give_back_lease($1, $2, $3, $4, $5, $6, $7) as done`,
        [key, epoch, turn, turnCostUsd, failed, cutOff, afterMs],
      );
      return row?.['done'] === true;
    },

    async due(limit, { withinMs = 0 } = {}) {
      checkLimit(limit);
      checkMs('withinMs', withinMs);
      const isTooLong = busySince !== undefined && clock.performance.now() - busySince >= LONGEST_BUSY_MS;
      const rows = await database.query(findDue, [Math.min(limit, MAX_DUE), isTooLong, withinMs]);
      const isBusy = rows.some((row) => row['busy'] === true);
      busySince = isBusy ? (busySince ?? clock.performance.now()) : undefined;
      return rows
        .filter((row) => row['busy'] !== true)
        .map((row) => {
          const afterMs = DUE.numberIfAny(row, 'after_ms');
          const due = { key: DUE.text(row, 'key'), recovered: row['recovered'] === true };
          return afterMs === undefined ? due : { ...due, afterMs: Math.max(0, Math.ceil(afterMs)) };
        });
    },
  };
}

function readRenewed(fence: { key: string; epoch: number }, row: Row | undefined): RenewedLease {
  const state = row?.['state'];
  const stop = row?.['stop'];
  const held = state === 'renewed' || state === 'locked';
  return {
    ...fence,
    held,
    ...(state === 'locked' && { skipped: true }),
    ...(!held && { why: readLoss(state) }),
    hasWork: row?.['has_work'] === true,
    ...(typeof stop === 'string' && { stop }),
  };
}
