// What ten thousand conversations cost those that have something to do: no method on the way of a turn, or of an idle
// worker, reads a table from end to end.
import { expect, it } from 'vitest';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const schema = nameSchema('plans');
const MANY = 10_000;

async function fill(): Promise<void> {
  const journal = openJournal({ schema });
  await journal.open();
  await journal.close();
  await runSql(`
    set search_path to "${schema}";
    insert into conversations (key, agent, data, session_id, state, turns, tenant)
      select 'parked ' || i, 'a', '{}', 's' || i, 'parked', 1, 't' || i % 100 from generate_series(1, ${MANY}) i;
    insert into turns (conversation, place, id, uuid, content, state, sent_at)
      select number, 1, 'one', 'u', '"x"', 'parked', now() from conversations;
    insert into questions (id, conversation, turn, question, attempt, epoch, asked_at)
      select 'q' || number, number, 'one', '{}', 1, 0, now() from conversations;
    insert into events (conversation, id, turn, at, epoch, body)
      select number, e, 'one', now(), 0, '{}' from conversations, generate_series(1, 5) e;
    insert into transcripts (conversation, project_key, session_id, changed_at)
      select number, 'p', session_id, now() from conversations;
    insert into kept_entries (transcript, seq, uuid, epoch, entry) select number, 1, 'u', 0, '{}' from transcripts;
    analyze`);
}

async function readScans(kind: 'seq_scan' | 'idx_scan'): Promise<Record<string, number>> {
  const rows = await runSql(
    `select relname, ${kind}::int as scans from pg_stat_user_tables where schemaname = $1`,
    [schema],
  );
  return Object.fromEntries(rows.map((row) => [row['relname'] as string, row['scans'] as number]));
}

it('reads no large table as a whole', async () => {
  await fill();
  const before = await readScans('seq_scan');
  const found = await readScans('idx_scan');
  const journal = openJournal({ schema });
  for (let round = 0; round < 12; round += 1) {
    const key = `busy ${round}`;
    await journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null, tenant: 't1' } });
    expect((await journal.due(100)).map((due) => due.key)).toEqual([key]);
    const lease = await journal.lease(key, { owner: 'w', ms: 60_000 });
    if (lease.state !== 'granted') throw new Error('not granted');
    const { fence, conversation } = lease;
    await journal.next(fence);
    await journal.renew([fence, { ...fence, key: 'parked 5' }], 60_000);
    expect(await journal.due(100, { withinMs: 60_000 })).toEqual([
      { key, recovered: true, afterMs: expect.any(Number) },
    ]);
    await journal.beginCall(fence, { callKey: 'c', turn: 'one', toolName: 't', input: {} });
    await journal.endCall(fence, 'c', 'x');
    await journal.ask(fence, 'one', {
      id: `question ${round}`,
      kind: 'tool',
      attempt: 1,
      askedAt: 0,
      input: {},
    });
    await journal.park(fence, 'one', { questions: [`question ${round}`], turnCostUsd: 0 });
    await journal.answer(`question ${round}`, { result: { behavior: 'allow' }, answeredAt: 0 });
    await journal.publish(fence, [{ turn: 'one', type: 'text', text: 'x' }]);
    const sessionKey = { projectKey: 'p', sessionId: conversation.sessionId };
    await journal.store(fence).append(sessionKey, [{ type: 'user', uuid: 'u' }]);
    await journal.store(fence).load(sessionKey);
    await journal.events(key, { after: 1 });
    await journal.turn(key, 'one');
    await journal.conversation(key);
    await journal.conversations({ after: 'parked 4', limit: 10 });
    await journal.questions({ id: 'q77' });
    await journal.finish(fence, 'one', { outcome: { ok: true, kind: 'success', text: '', turnCostUsd: 1 } });
    await journal.release(fence);
    expect(await journal.due(100)).toEqual([]);
    await journal.remove(key);
  }
  // A connection that ends hands in its numbers.
  await journal.close();
  await expect
    .poll(async () => (await readScans('idx_scan'))['kept_entries'] ?? 0)
    .toBeGreaterThan((found['kept_entries'] ?? 0) + 11);
  const after = await readScans('seq_scan');
  for (const name of ['conversations', 'turns', 'events', 'questions', 'transcripts', 'kept_entries'])
    expect({ [name]: after[name] }).toEqual({ [name]: before[name] });
});

it('lists all questions, however many, page by page', async () => {
  const journal = openJournal({ schema });
  const all = await journal.questions();
  expect(all).toHaveLength(MANY);
  const pages: string[] = [];
  for (let after: (typeof all)[0] | undefined = all[0]; after;) {
    const page: typeof all = await journal.questions({ after, limit: 3000 });
    pages.push(...page.map(({ id }) => id));
    after = page.at(-1);
  }
  expect(pages).toEqual(all.slice(1).map(({ id }) => id));
});

it('reserves money without reading what was spent long ago, because other turns wait for it', async () => {
  const [DAYS, TENANTS, ROUNDS] = [100, 100, 12];
  const spent = nameSchema('spent');
  const first = openJournal({ schema: spent });
  await first.open();
  await runSql(`
    set search_path to "${spent}";
    insert into spending (day, scope, slot, usd)
      select (now() at time zone 'UTC')::date - d, 'of:t' || t, s, 0.25
      from generate_series(0, ${DAYS - 1}) d, generate_series(1, ${TENANTS}) t, generate_series(0, 3) s;
    analyze`);
  const start = { agent: 'a', data: null, tenant: 't1' };
  await first.enqueue({ key: 'chat', id: 'one', content: 'x', start });
  const lease = await first.lease('chat', { owner: 'w', ms: 600_000 });
  if (lease.state !== 'granted') throw new Error(lease.state);
  await first.next(lease.fence);
  const sum = async (journal: Journal, whose: 'tenant' | 'cluster', days?: number): Promise<unknown> => {
    const budgets = [{ of: whose, usd: 100_000, days }];
    const answer = await journal.reserve?.(lease.fence, 'one', { budgets, waits: true });
    return answer?.state === 'reserved' ? 100_000 - answer.usd : answer;
  };
  const all = DAYS * TENANTS * 4;
  const readRows = async (): Promise<number> => {
    const [row] = await runSql(
      `select (idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_user_tables
      where schemaname = $1 and relname = 'spending'`,
      [spent],
    );
    return Number(row?.['rows']);
  };
  // The first one adds up the days that are over. A connection that ends hands in its numbers.
  expect(await sum(first, 'cluster')).toBe(DAYS * TENANTS);
  await first.close();
  await expect.poll(readRows).toBeGreaterThan(all / 2);
  const before = await readRows();
  const journal = openJournal({ schema: spent });
  for (let round = 0; round < ROUNDS; round += 1) {
    expect(await sum(journal, 'tenant')).toBe(DAYS);
    expect(await sum(journal, 'tenant', 7)).toBe(7);
    expect(await sum(journal, 'cluster')).toBe(DAYS * TENANTS);
    expect(await sum(journal, 'cluster', 1)).toBe(TENANTS);
    expect(await sum(journal, 'cluster', 30)).toBe(30 * TENANTS);
  }
  await journal.close();
  await expect.poll(readRows).toBeGreaterThan(before + ROUNDS * TENANTS);
  // Each round reads two days of all tenants three times, and all days of one tenant: far from all, even once.
  expect(await readRows()).toBeLessThan(before + ROUNDS * (all / 4));
});
