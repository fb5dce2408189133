// SQL that says what the turns of conversations wait for while nobody works on them, and which of their tries have failed. It is
// asked by those who look, never on the way of a turn.
import { SILENT_AFTER_MS } from '../journal/mark-silence.js';
import { WAIT_REASONS } from '../journal/wait-reasons.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { ConversationRecord } from '../journal/records.js';
import type { Row } from './database.js';
import { conversationColumns, readConversationRow } from './rows.js';
import { TableReader } from './table-reader.js';

const SHOWN = new TableReader('conversations');

/** What the turn of `conversations c` waits for, or null. */
export function waitsForSql(schema: string): string {
  return `case
    when c.state not in ('queued', 'running', 'parked') then null
    when c.owner is not null and c.lease_until > clock_timestamp() then case when exists (
      select from ${schema}.workers w
      where w.name = c.owner and w.seen_at <= clock_timestamp() - interval '${SILENT_AFTER_MS} milliseconds'
    ) then 'lease' end
    when c.state = 'parked' then 'answer'
    when exists (
      select from ${schema}.reservations r where r.conversation = c.number and r.blocked is not null and r.woken_at is null
    ) then 'budget'
    when c.ready_at > clock_timestamp() then 'time'
    when not c.running and exists (
      select from ${schema}.pauses p where p.until > clock_timestamp() and (p.tenant is null or p.tenant = c.tenant)
    ) then 'pause'
    else 'place'
  end`;
}

/**
 * Since when the turn of `conversations c` waits for a place. For one that has begun: since its lease ended, since its answer came, or
 * since a budget had room for it, whichever was last. Only answers and messages are written without a lease, so the newest event with
 * an epoch is not younger than the end of the lease, and the search can stop there.
 */
export function waitsSinceSql(schema: string): string {
  return `case when not c.running then c.ready_at else greatest(
    c.ready_at,
    coalesce(c.lease_until, (
      select l.until from ${schema}.leases l where l.conversation = c.number and l.epoch = c.epoch
    )),
    (
      select e.at from ${schema}.events e
      where e.conversation = c.number and (e.epoch <> 0 or e.body like '{"type":"turn","state":"running"%')
      order by e.id desc limit 1
    ),
    (select r.woken_at from ${schema}.reservations r where r.conversation = c.number)
  ) end`;
}

/** How many tries of the turn under way of `conversations c` have failed, or were cut off; 0 if there is none. */
export function failedTriesSql(schema: string): string {
  return `case when not c.running then 0 else coalesce((
    select greatest(0, t.tries - case
      when c.owner is not null and c.lease_until > clock_timestamp() and t.epoch = c.epoch then 1 else 0 end)
    from ${schema}.turns t where t.conversation = c.number and t.state = 'running' order by t.place limit 1
  ), 0) end`;
}

/** The columns of `conversations c` for those who look. */
export function shownColumns(schema: string): string {
  return `${conversationColumns(schema)}, ${waitsForSql(schema)} as waits_for, ${failedTriesSql(schema)} as failed_tries`;
}

/** Reads the columns of `shownColumns`. */
export function readShownRow(row: Row): ConversationRecord {
  const failedTries = SHOWN.number(row, 'failed_tries');
  return withoutUndefined({
    ...readConversationRow(row),
    failedTries: failedTries === 0 ? undefined : failedTries,
    waitsFor: row['waits_for'] == null ? undefined : SHOWN.word(row, 'waits_for', WAIT_REASONS),
  });
}
