// The conversations and turns of a journal in PostgreSQL.
import { ClusterError } from '@inboard/core/errors.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { findFailure } from '../journal/find-failure.js';
import { checkBy, checkKey, checkLimit, checkMs, checkName } from '../journal/check-names.js';
import { checkAmount } from '../journal/check-reservation.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { Journal, TurnFinish } from '../journal/journal.js';
import type { Fence, TurnOutcome } from '../journal/records.js';
import { ContentKeeper, writeWithContents } from './contents/keep-contents.js';
import type { Database, Row } from './database.js';
import { readTurnRow, toText, toWho, TURN_COLUMNS } from './rows.js';
import { lockOwn, sendToAny, sendToOwn, type StoredMessage } from './send-turn.js';
import { toStoredOutcome } from './stored-outcome.js';
import { failedTriesSql, readShownRow, shownColumns, waitsForSql } from './waiting.js';

type Methods = Pick<
  Journal,
  | 'enqueue'
  | 'conversation'
  | 'conversations'
  | 'turn'
  | 'turns'
  | 'cancel'
  | 'interrupt'
  | 'closeConversation'
  | 'next'
  | 'finish'
  | 'finishAndNext'
  | 'park'
>;

const CANCELLED = openOutcome({ ok: false, kind: 'cancelled', text: '' });
const INTERRUPTED = openOutcome({ ok: false, kind: 'interrupted', text: '' });

/** The JSON of an outcome without its closing brace. The database appends the cost of the turn and the brace. */
function openOutcome(outcome: Omit<TurnOutcome, 'turnCostUsd'>): string {
  return toText('outcome', outcome).slice(0, -1);
}

export function turnMethods(database: Database): Methods {
  const { schema } = database;
  const findConversation = `from ${schema}.conversations c where c.key = $1`;
  const findTurns = `from ${schema}.turns t join ${schema}.conversations c on c.number = t.conversation where c.key = $1`;
  /** Ends a turn. `write` makes the statement from the SQL call that ends it. */
  const finishTurn = async (
    fence: Fence,
    turn: string,
    { outcome, events = [] }: TurnFinish,
    write: (call: string) => string,
  ): Promise<Row[]> => {
    checkName('turn', turn);
    checkAmount('outcome.turnCostUsd', outcome.turnCostUsd);
    const text = toText('outcome', toStoredOutcome(outcome));
    const failure = findFailure(turn, outcome);
    return await writeWithContents(async () => {
      const { turns, bodies, digests } = await new ContentKeeper(database, fence).keepEvents(events);
      const call = digests
        ? `${schema}.finish_turn_contents($1, $2, $3, $4, $5, $6, $7, $8, $9)`
        : `${schema}.finish_turn($1, $2, $3, $4, $5, $6, $7, $8)`;
      const values = [
        fence.key,
        fence.epoch,
        turn,
        text,
        outcome.turnCostUsd,
        failure && toText('failure', failure),
        turns,
        bodies,
        ...(digests ? [digests] : []),
      ];
      return await database.query(write(call), values, { fence, turn });
    });
  };
  return {
    async enqueue({ key, id, content, start, afterMs = 0, trace }, { tenant, by } = {}) {
      checkKey(key);
      checkBy(by);
      checkName('id', id);
      checkMs('afterMs', afterMs);
      if (start) {
        checkName('agent', start.agent);
        if (start.tenant !== undefined) checkName('tenant', start.tenant);
      }
      const uuid = randomUUID();
      const message: StoredMessage = {
        key,
        id,
        uuid,
        content: toText('content', content),
        afterMs,
        trace: trace === undefined ? undefined : toText('trace', trace),
        agent: start?.agent,
        data: start && toText('data', start.data),
        tenant: start?.tenant,
        sessionId: randomUUID(),
        by: toWho(by),
      };
      const row =
        tenant === undefined
          ? await sendToAny(database, message)
          : await sendToOwn(database, message, tenant);
      if (!row) throw unknownConversation(key);
      const turn = readTurnRow(key, row);
      return { turn, isNew: turn.uuid === uuid };
    },

    async conversation(key) {
      checkKey(key);
      const [row] = await database.query(`select ${shownColumns(schema)} ${findConversation}`, [key]);
      return row && readShownRow(row);
    },

    async conversations({ tenant, state, failed, waitsFor, after, limit = 100 } = {}) {
      checkLimit(limit);
      const rows = await database.query(
        `select ${shownColumns(schema)} from ${schema}.conversations c
        where ($1::text is null or c.tenant = $1) and ($2::text is null or c.state = $2) and ($3::text is null or c.key > $3)
        and ($4::boolean is null or (c.failure is not null or ${failedTriesSql(schema)} > 0) = $4)
        and not coalesce($4 and $2::text is null and c.state = 'closed', false)
        and ($6::text is null or ${waitsForSql(schema)} = $6) order by c.key limit $5`,
        [tenant, state, after, failed, limit, waitsFor],
      );
      return rows.map(readShownRow);
    },

    async turn(key, id) {
      checkKey(key);
      checkName('id', id);
      const [row] = await database.query(`select ${TURN_COLUMNS} ${findTurns} and t.id = $2`, [key, id]);
      return row && readTurnRow(key, row);
    },

    async turns(key) {
      checkKey(key);
      const rows = await database.query(`select ${TURN_COLUMNS} ${findTurns} order by t.place`, [key]);
      return rows.map((row) => readTurnRow(key, row));
    },

    async cancel(key, id, { by } = {}) {
      checkKey(key);
      checkBy(by);
      checkName('id', id);
      const [row] = await database.query(`select ${schema}.cancel_turn_by($1, $2, $3, $4) as done`, [
        key,
        id,
        CANCELLED,
        toWho(by),
      ]);
      return row?.['done'] === true;
    },

    async interrupt(key, { tenant, by } = {}) {
      checkKey(key);
      checkBy(by);
      const values = [key, INTERRUPTED, toWho(by)];
      const [row] =
        tenant === undefined
          ? await database.query(`select ${schema}.interrupt_turn_by($1, $2, $3) as done`, values)
          : await database.query(
              `${lockOwn(schema, 4)} select ${schema}.interrupt_turn_by(own.key, $2, $3) as done from own`,
              [...values, tenant],
            );
      return row?.['done'] === true;
    },

    async closeConversation(key, { by } = {}) {
      checkKey(key);
      checkBy(by);
      const [row] = await database.query(`select ${schema}.close_conversation_by($1, $2, $3, $4) as done`, [
        key,
        CANCELLED,
        INTERRUPTED,
        toWho(by),
      ]);
      if (row?.['done'] === true) return;
      throw unknownConversation(key);
    },

    async next(fence) {
      const { key, epoch } = fence;
      const [row] = await database.query(
        `select ${TURN_COLUMNS} from ${schema}.next_turn($1, $2) t`,
        [key, epoch],
        { fence },
      );
      return row && readTurnRow(key, row);
    },

    async finish(fence, turn, end) {
      const [row] = await finishTurn(fence, turn, end, (done) => `select ${done} as done`);
      return row?.['done'] === true;
    },

    async finishAndNext(fence, turn, end) {
      const [row] = await finishTurn(
        fence,
        turn,
        end,
        // `next_turn_after` takes `f.done` as an argument. So the database must end this turn before it begins the next one.
        (done) => `with f as materialized (select ${done} as done)
          select f.done, ${TURN_COLUMNS} from f left join lateral ${schema}.next_turn_after($1, $2, f.done) t on true`,
      );
      const next = typeof row?.['id'] === 'string' ? readTurnRow(fence.key, row) : undefined;
      return withoutUndefined({ ended: row?.['done'] === true, next });
    },

    async park(fence, turn, { questions, turnCostUsd }) {
      checkName('turn', turn);
      checkAmount('turnCostUsd', turnCostUsd);
      const [row] = await database.query(
        `select ${schema}.park_turn($1, $2, $3, $4, $5) as done`,
        [fence.key, fence.epoch, turn, [...questions], turnCostUsd],
        { fence, turn },
      );
      return row?.['done'] === true;
    },
  };
}

function unknownConversation(key: string): ClusterError {
  return new ClusterError('CONVERSATION_UNKNOWN', `There is no conversation "${key}".`, { key });
}
