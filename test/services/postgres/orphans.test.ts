// Contents that nothing refers to, among very many: looked for in pages, and removed some at a time.
import { Pool } from 'pg';
import { expect, inject, it } from 'vitest';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const schema = nameSchema('orphans');
const MANY = 12_000;
/** Every so many is an orphan, so that each page has some. */
const EVERY = 1000;
const START = { agent: 'a', data: null };

/** Contents of two conversations: nearly all of the first are used by calls, none of the second. */
async function fill(orphans: number): Promise<void> {
  const journal = openJournal({ schema });
  for (const key of ['used', 'orphaned'])
    await journal.enqueue({ key, id: 'one', content: 'x', start: START });
  await runSql(`
    set search_path to "${schema}";
    insert into contents (conversation, digest, characters, parts, is_whole, written_at)
      select c.number, 'd' || i, 1, 1, true, now() from conversations c, generate_series(1, ${MANY}) i where c.key = 'used';
    insert into calls (conversation, call_key, turn, tool_name, input, epoch, begun, result, content)
      select k.conversation, k.digest, 'one', '"t"', '{}', 0, 1, '""', k.number from contents k where k.number % ${EVERY} <> 0;
    insert into contents (conversation, digest, characters, parts, is_whole, written_at)
      select c.number, 'd' || i, 1, 1, true, now() from conversations c, generate_series(1, ${orphans}) i where c.key = 'orphaned';
    insert into content_parts (content, place, text) select number, 0, 'x' from contents;
    -- One stands in another.
    update content_parts set text = null, inner_content = (select min(k.number) from contents k
      join conversations c on c.number = k.conversation where c.key = 'orphaned')
    where content = (select max(number) from contents);
    analyze contents, content_parts, calls`);
}

const countContents = async (): Promise<number> =>
  (await runSql(`select count(*)::int as n from "${schema}".contents`))[0]?.['n'] as number;

it('are removed by statements of which none has more than some of them, or looks at all contents', async () => {
  await fill(1200);
  const before = await countContents();
  const removed: number[] = [];
  const pages: unknown[][] = [];
  let left = before;
  const pool = new Pool({ connectionString: inject('postgresUrl'), max: 1 });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (given: unknown) => Promise<unknown>;
    const intercept = async (given: { text: string; values?: unknown[] }): Promise<unknown> => {
      const answer = await query(given);
      const now = await countContents();
      if (now !== left) removed.push(left - now);
      left = now;
      if (given.text.includes('find_orphans')) pages.push(given.values ?? []);
      return answer;
    };
    client.query = intercept as typeof client.query;
  });
  try {
    await openJournal({ schema, pool }).prune(0);
  } finally {
    await pool.end();
  }
  expect(before - (await countContents())).toBe(MANY / EVERY + 1200);
  expect(Math.max(...removed)).toBeLessThanOrEqual(500);
  expect(pages.map(([after]) => after)).toEqual([0, 5000, 10_000]);
  // What is used is all there.
  expect(
    await runSql(
      `select from "${schema}".calls k left join "${schema}".contents c on c.number = k.content where c.number is null`,
    ),
  ).toEqual([]);
});

it('are found and removed by code of version 2 with these tables', async () => {
  const count = await countContents();
  await runSql(`
    set search_path to "${schema}";
    insert into contents (conversation, digest, characters, parts, is_whole, written_at)
      select number, 'again', 1, 1, true, now() from conversations`);
  // The statements of version 2, word by word but for the name of the schema.
  const rows = await runSql(
    `select conversation from "${schema}".orphaned_conversations($1::timestamptz, $2)`,
    ['infinity', 500],
  );
  expect(rows).toHaveLength(2);
  for (const { conversation } of rows)
    await runSql(`select "${schema}".remove_orphans($1, $2::timestamptz)`, [conversation, 'infinity']);
  expect(await countContents()).toBe(count);
});

it('go with the transcript that referred to them, and so does what stood in them', async () => {
  const own = nameSchema('transcript');
  const journal = openJournal({ schema: own });
  await journal.enqueue({ key: 'k', id: 'one', content: 'x', start: START });
  const lease = await journal.lease('k', { owner: 'w', ms: 60_000 });
  if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
  const at = { projectKey: 'p', sessionId: lease.conversation.sessionId };
  const list = Array.from({ length: 30_000 }, (_, id) => ({ id, note: 'paid' }));
  const store = journal.store(lease.fence);
  await store.append(at, [
    { type: 'user', uuid: 'e', toolUseResult: { list, text: 'x'.repeat(70_000) } },
  ] as never);
  const count = async (): Promise<unknown> =>
    (await runSql(`select count(*)::int as n from "${own}".contents`))[0]?.['n'];
  expect(await count()).toBeGreaterThan(2);
  await store.delete?.(at);
  expect(await count()).toBe(0);
});
