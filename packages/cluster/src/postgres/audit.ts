// The audit of a journal in PostgreSQL. It is read in pages of bounded size, each in statements of bounded work.
import { ClusterError } from '@inboard/core/errors.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { describeAnswered } from '../journal/answer-deed.js';
import { AUDITED_DEEDS, type AuditEntry } from '../journal/audit-entry.js';
import { checkKey, checkLimit, checkName } from '../journal/check-names.js';
import type { Journal } from '../journal/journal.js';
import type { Database, Row } from './database.js';
import { isJournalAnswer, isQuestion, ms, toWho } from './rows.js';
import { TableReader } from './table-reader.js';

const AUDIT = new TableReader('audit');

const DEFAULT_LIMIT = 500;
/** How many entries one statement looks at. Only some of them may be of the kind that is asked for. */
const LOOKED_AT_AT_A_TIME = 10_000;
/** About how many characters one page has. An entry has the input that was asked about. */
const PAGE_CHARACTERS = 4_000_000;
/** How long to wait for deeds that are just being written. Each is one statement, so that they are written in a moment. */
const LONGEST_WAIT_MS = 5000;

export function auditMethods(database: Database): Pick<Journal, 'audit'> {
  const { schema } = database;
  return {
    async audit(filter = {}) {
      const {
        tenant,
        key,
        by,
        what,
        since,
        until,
        after = 0,
        before,
        newestFirst,
        limit = DEFAULT_LIMIT,
      } = filter;
      if (tenant !== undefined) checkName('tenant', tenant);
      if (key !== undefined) checkKey(key);
      checkLimit(limit);
      const last = await findSettled(database);
      const [order, farthest] = newestFirst ? ['desc', 'min(seq)'] : ['asc', 'max(seq)'];
      // Each entry fits if it is asked for neither by name or kind nor by time.
      const isAnyWanted = [by, what, since, until].every((given) => given === undefined);
      const lookedAt = isAnyWanted ? Math.min(limit + 1, LOOKED_AT_AT_A_TIME) : LOOKED_AT_AT_A_TIME;
      // What is large is read for the entries of the page alone. The entries come in the order of their numbers. Times may differ from it by a moment, so that the search for the first
      // entry looks at several.
      const rows = await database.query(
        `with looked_at as materialized (
          select a.seq, a.at, a.what, a.who, a.size from ${schema}.audit a
          where a.seq > greatest($1::bigint, coalesce((
            select min(s.seq) - 1 from (
              select b.seq from ${schema}.audit b where b.at >= to_timestamp($2::float8 / 1000) order by b.at limit 100
            ) s
          ), case when $2::float8 is null then 0 else $3::bigint end)) and a.seq <= $3
            and ($10::bigint is null or a.seq < $10)
            and ($4::text is null or a.tenant = $4)
            and ($5::text is null or a.key = $5)
          order by a.seq ${order} limit ${lookedAt}
        ), found as (
          select l.seq, row_number() over (order by l.seq ${order}) as found_place,
            sum(l.size) over (order by l.seq ${order}) as characters
          from looked_at l
          where ($6::text is null or l.who = $6) and ($7::text is null or l.what = $7)
            and ($2::float8 is null or l.at >= to_timestamp($2::float8 / 1000))
            and ($8::float8 is null or l.at < to_timestamp($8::float8 / 1000))
        ), page as (
          select f.seq from found f where f.found_place <= $9 and (f.found_place = 1 or f.characters <= ${PAGE_CHARACTERS})
        )
        select e.seq, ${ms('e.at')} as at, e.what, e.who, e.tenant, e.conversation, e.key, e.turn, e.question_id, e.question,
          e.facts, n.next
        from (select case
          when (select count(*) from page) < (select count(*) from found) then (select ${farthest} from page)
          when (select count(*) from looked_at) = ${lookedAt} then (select ${farthest} from looked_at)
        end as next) n left join (page p join ${schema}.audit e on e.seq = p.seq) on true order by e.seq ${order}`,
        [after, since, last, tenant, key, toWho(by), what, until, limit, before],
      );
      const next = AUDIT.numberIfAny(rows[0], 'next');
      const entries = rows.filter(({ seq }) => seq !== null).map(readEntry);
      return { entries, ...(next !== undefined && { next }) };
    },
  };
}

/** The number of an entry up to which no other can appear any more. */
async function findSettled(database: Database): Promise<number> {
  const waitMs = Math.min(LONGEST_WAIT_MS, database.settings.statementTimeoutMs / 2);
  const [row] = await database.query(`select ${database.schema}.audit_settled($1) as last`, [waitMs]);
  const last = AUDIT.numberIfAny(row, 'last');
  if (last !== undefined) return last;
  throw new ClusterError(
    'JOURNAL_UNAVAILABLE',
    `A transaction has been writing to the table "audit" of the journal for more than ${waitMs} ms, so that entries could be left out. Try again when it has ended (pg_locks shows it).`,
    { retryable: true },
  );
}

function readEntry(row: Row): AuditEntry {
  const what = AUDIT.word(row, 'what', AUDITED_DEEDS);
  const entry: AuditEntry = {
    seq: AUDIT.number(row, 'seq'),
    at: AUDIT.number(row, 'at'),
    what,
    by: row['who'] == null ? undefined : AUDIT.jsonText(row, 'who'),
    tenant: AUDIT.textIfAny(row, 'tenant'),
    conversation: AUDIT.textIfAny(row, 'key'),
    conversationNumber: AUDIT.numberIfAny(row, 'conversation'),
    turn: AUDIT.textIfAny(row, 'turn'),
    question: AUDIT.textIfAny(row, 'question_id'),
  };
  if (what === 'pruned') entry.pruned = row['facts'] == null ? undefined : AUDIT.json(row, 'facts');
  else {
    const question = AUDIT.shapeIfAny(row, 'question', 'a question', isQuestion);
    Object.assign(
      entry,
      describeAnswered(what, question, AUDIT.shapeIfAny(row, 'facts', 'an answer', isJournalAnswer)),
    );
  }
  return withoutUndefined(entry);
}
