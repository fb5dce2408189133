// How long a turn has waited for a place is the same in both journals, and begins when it could have gone on, not when it was sent. The
// clock of the journal in memory is moved by hours; in PostgreSQL, all times are moved back instead.
import { expect, it } from 'vitest';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { memoryJournal } from '../../../packages/cluster/src/journal/memory/memory-journal.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const HOUR_MS = 3_600_000;
const LONG_MS = 1000 * HOUR_MS;

/** A journal whose clock can be moved. */
interface Timed {
  journal: Journal;
  pass: (hours: number) => Promise<void>;
}

function inMemory(): Timed {
  let now = Date.UTC(2026, 0, 5, 12);
  return {
    journal: memoryJournal({ now: () => now }),
    pass: async (hours) => void (now += hours * HOUR_MS),
  };
}

function inPostgres(): Timed {
  const schema = nameSchema('longest');
  const times: Record<string, string[]> = {
    conversations: ['ready_at', 'lease_until'],
    leases: ['granted_at', 'until'],
    turns: ['not_before', 'sent_at', 'started_at'],
    events: ['at'],
    questions: ['asked_at', 'answered_at'],
    reservations: ['waits_since', 'woken_at'],
    pauses: ['until'],
  };
  return {
    journal: openJournal({ schema }),
    async pass(hours) {
      for (const [table, columns] of Object.entries(times)) {
        const moved = columns.map((column) => `${column} = ${column} - interval '${hours} hours'`);
        await runSql(`update "${schema}".${table} set ${moved.join(', ')}`);
      }
    },
  };
}

async function begin(journal: Journal, key: string, ms = LONG_MS): Promise<Fence> {
  await journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null, tenant: key } });
  return take(journal, key, ms);
}

async function take(journal: Journal, key: string, ms = LONG_MS): Promise<Fence> {
  const lease = await journal.lease(key, { owner: 'w', ms });
  if (lease.state !== 'granted') throw new Error(`The lease of ${key} is ${lease.state}`);
  await journal.next(lease.fence);
  return lease.fence;
}

/** Whole hours: what passes while the test runs does not show. */
async function playAll({ journal, pass }: Timed): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  const look = async (what: string, tenant?: string): Promise<void> => {
    seen[what] = Math.round((await journal.stats({ tenant })).oldestQueuedMs / HOUR_MS);
  };
  const allow = (id: string) => journal.answer(id, { result: { behavior: 'allow' }, answeredAt: 0 });
  const ask = (fence: Fence, id: string) =>
    journal.ask(fence, 'one', { id, kind: 'tool', attempt: 1, askedAt: 0, input: {} });

  const parked = await begin(journal, 'parked');
  for (const id of ['first', 'second']) await ask(parked, id);
  await pass(1);
  await journal.park(parked, 'one', { questions: ['first', 'second'], turnCostUsd: 0 });
  await journal.release(parked);
  await pass(10);
  await look('parked, ten hours', 'parked');
  await allow('first');
  await pass(2);
  await look('answered, two hours', 'parked');
  await allow('second');
  await journal.enqueue({ key: 'parked', id: 'two', content: 'x', start: { agent: 'a', data: null } });
  await pass(1);
  await look('another answer and another message later, three hours', 'parked');

  const early = await begin(journal, 'early');
  await ask(early, 'early');
  await journal.park(early, 'one', { questions: ['early'], turnCostUsd: 0 });
  await allow('early');
  await pass(3);
  await journal.release(early);
  await pass(1);
  await look('answered before its lease was given back, one hour', 'early');

  await begin(journal, 'cut', 2 * HOUR_MS);
  await pass(7);
  await look('cut off, five hours', 'cut');
  await take(journal, 'cut');
  await look('taken over', 'cut');

  const tried = await begin(journal, 'tried');
  await journal.release(tried, { turn: 'one', turnCostUsd: 0, failed: true, afterMs: 4 * HOUR_MS });
  await pass(3);
  await look('backs off, one hour left', 'tried');
  await pass(3);
  await look('could be tried again, two hours', 'tried');

  const [has, wants] = [await begin(journal, 'has'), await begin(journal, 'wants')];
  const request = { budgets: [{ of: 'cluster' as const, usd: 1 }], waits: true };
  await journal.reserve?.(has, 'one', request);
  await journal.reserve?.(wants, 'one', request);
  await journal.release(wants, { turn: 'one', turnCostUsd: 0, afterMs: HOUR_MS });
  await pass(6);
  await look('waits for a budget', 'wants');
  await journal.finish(has, 'one', { outcome: { ok: true, kind: 'ok', text: '', turnCostUsd: 0 } });
  await pass(2);
  await look('could have its budget, two hours', 'wants');

  const closed = await begin(journal, 'closed');
  await journal.closeConversation('closed');
  await journal.release(closed);
  await pass(1);
  await look('closed', 'closed');

  await journal.enqueue({
    key: 'new',
    id: 'one',
    content: 'x',
    start: { agent: 'a', data: null, tenant: 'new' },
  });
  await pass(2);
  await look('new, two hours', 'new');
  await journal.pause({ ms: LONG_MS, reason: '429' });
  await look('new and paused', 'new');
  await look('of all: a turn under way waits for no pause');
  return seen;
}

it('counts every turn that waits for a place from when it could have run, in memory as in PostgreSQL', async () => {
  const memory = await playAll(inMemory());
  expect(memory).toEqual({
    'parked, ten hours': 0,
    'answered, two hours': 2,
    'another answer and another message later, three hours': 3,
    'answered before its lease was given back, one hour': 1,
    'cut off, five hours': 5,
    'taken over': 0,
    'backs off, one hour left': 0,
    'could be tried again, two hours': 2,
    'waits for a budget': 0,
    'could have its budget, two hours': 2,
    closed: 0,
    'new, two hours': 2,
    'new and paused': 0,
    'of all: a turn under way waits for no pause': 31,
  });
  expect(await playAll(inPostgres())).toEqual(memory);
});
