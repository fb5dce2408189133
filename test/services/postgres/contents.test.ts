// Large values in PostgreSQL: kept once, in statements of bounded size, and gone when nothing refers to them.
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import type { Fence, Json } from '../../../packages/cluster/src/journal/records.js';
import { ContentKeeper } from '../../../packages/cluster/src/postgres/contents/keep-contents.js';
import { Database } from '../../../packages/cluster/src/postgres/database.js';
import { readJournalSettings } from '../../../packages/cluster/src/postgres/journal-options.js';
import { prepareDatabase } from '../../../packages/cluster/src/postgres/schema/migrate.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const schema = nameSchema('contents');
const LONG = 'order 17, "paid", 12.50 € \0 😀\n'.repeat(100_000);
const ROWS = Array.from({ length: 30_000 }, (_, id) => ({ id, note: 'paid' }));
const CALL = { callKey: 'c', turn: 'one', toolName: 'list', input: {} };

const messageOf = (value: Json): Json => ({
  type: 'user',
  uuid: 'u',
  tool_use_result: { structuredContent: value },
});

interface Stage {
  key: string;
  fence: Fence;
  at: { projectKey: string; sessionId: string };
}

async function begin(journal: Journal, key: string = randomUUID()): Promise<Stage> {
  await journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null } });
  const lease = await journal.lease(key, { owner: 'w', ms: 60_000 });
  if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
  await journal.next(lease.fence);
  await journal.beginCall(lease.fence, CALL);
  return { key, fence: lease.fence, at: { projectKey: 'p', sessionId: lease.conversation.sessionId } };
}

/** As a worker does: the result of the call, its message, its entry in the transcript. */
async function keepThrice(journal: Journal, { fence, at }: Stage, value: Json): Promise<void> {
  await journal.endCall(fence, 'c', { content: [], structuredContent: value });
  await journal.publish(fence, [{ turn: 'one', type: 'message', message: messageOf(value) }]);
  await journal
    .store(fence)
    .append(at, [{ type: 'user', uuid: 'e', toolUseResult: { structuredContent: value } }] as never);
}

async function countContents(key: string): Promise<{ contents: number; bytes: number }> {
  const [row] = await runSql(
    `select count(distinct k.number)::int as contents, coalesce(sum(octet_length(p.text)), 0)::float8 as bytes
    from "${schema}".contents k left join "${schema}".content_parts p on p.content = k.number
    where k.conversation in (select number from "${schema}".conversations where key = $1)`,
    [key],
  );
  return row as { contents: number; bytes: number };
}

interface Statement {
  text: string;
  values?: unknown[];
}

/** Connections of which something is done before each statement. */
function openPool(before: (statement: Statement) => Promise<unknown> | void): Pool {
  const pool = new Pool({ connectionString: inject('postgresUrl') });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (given: unknown) => Promise<unknown>;
    const intercept = async (given: Statement | string): Promise<unknown> => {
      await before(typeof given === 'string' ? { text: given } : given);
      return await query(given);
    };
    client.query = intercept as typeof client.query;
  });
  return pool;
}

/** What is sent to the database, by statement. */
function listen(): { pool: Pool; statements: Array<{ text: string; bytes: number }> } {
  const statements: Array<{ text: string; bytes: number }> = [];
  const pool = openPool(({ text, values = [] }) => {
    const bytes = values.flat().reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);
    statements.push({ text, bytes });
  });
  return { pool, statements };
}

describe.each<[string, Json]>([
  ['a text', { data: LONG }],
  ['rows', { rows: ROWS }],
])('%s that is large', (_name, value) => {
  it('is kept once, by statements of less than 2 MB', async () => {
    const { pool, statements } = listen();
    try {
      const journal = openJournal({ schema, pool });
      const stage = await begin(journal);
      await keepThrice(journal, stage, value);
      const size = Buffer.byteLength(JSON.stringify(value));
      const sent = statements.reduce((sum, { bytes }) => sum + bytes, 0);
      expect(sent / size).toBeLessThan(1.1);
      expect(Math.max(...statements.map(({ bytes }) => bytes))).toBeLessThan(2 * 2 ** 20);
      expect((await countContents(stage.key)).bytes / size).toBeLessThan(1.01);
    } finally {
      await pool.end();
    }
  });

  it('is given to code of version 1 as it would have written it', async () => {
    const journal = openJournal({ schema });
    const stage = await begin(journal);
    await keepThrice(journal, stage, value);
    const { key, fence, at } = stage;
    const result = { content: [], structuredContent: value };
    // The statements of version 1, word by word but for the name of the schema.
    const [known] = await runSql(`select * from "${schema}".begin_call($1, $2, $3, $4, $5, $6)`, [
      key,
      fence.epoch,
      'c',
      'one',
      '"list"',
      '{}',
    ]);
    expect(JSON.parse(known?.['result'] as string)).toEqual(result);
    const [loaded] = await runSql(
      `select e.entry from (select t.number from "${schema}".transcripts t where t.project_key = $1 and t.session_id = $2
        and ($3::text is null or t.conversation = (select number from "${schema}".conversations where key = $3)) and t.subpath = $4) t
        left join "${schema}".entries e on e.transcript = t.number order by e.transcript, e.seq`,
      [at.projectKey, at.sessionId, key, ''],
    );
    // Byte by byte what it would have been: the CLI reads it.
    expect(loaded?.['entry']).toBe(
      JSON.stringify({ type: 'user', uuid: 'e', toolUseResult: { structuredContent: value } }),
    );
    const [event] = await runSql(
      `select e.body from "${schema}".events e
        where e.conversation = (select number from "${schema}".conversations where key = $1) and e.id > $2 order by e.id limit $3`,
      [key, 2, 1],
    );
    expect(JSON.parse(event?.['body'] as string)).toMatchObject({ type: 'message', message: { uuid: 'u' } });
    const [call] = await runSql(
      `select * from "${schema}".calls where call_key = 'c' and conversation = (select number from "${schema}".conversations where key = $1)`,
      [key],
    );
    expect(JSON.parse(call?.['result'] as string)).toMatchObject({ content: [] });
    // What version 1 writes is read here, also in the place of what was kept in parts.
    await runSql(`select "${schema}".end_call($1, $2, $3, $4)`, [
      key,
      fence.epoch,
      'c',
      JSON.stringify({ old: LONG }),
    ]);
    expect(await journal.beginCall(fence, CALL)).toMatchObject({ state: 'ended', result: { old: LONG } });
    await runSql(`select "${schema}".append_entries($1, $2, $3, $4, $5, $6, $7)`, [
      key,
      fence.epoch,
      at.projectKey,
      at.sessionId,
      '',
      ['f'],
      [JSON.stringify({ type: 'user', old: LONG })],
    ]);
    expect((await journal.store().load(at))?.[1]).toEqual({ type: 'user', old: LONG });
  });
});

describe('what nothing refers to', () => {
  const keeper = (fence: Fence): { keeper: ContentKeeper; database: Database } => {
    const database = new Database(
      readJournalSettings({ schema, connectionString: inject('postgresUrl') }),
      prepareDatabase,
    );
    return { keeper: new ContentKeeper(database, fence), database };
  };

  it('is removed by prune when a worker died before it could refer to it', async () => {
    const journal = openJournal({ schema });
    const { key, fence } = await begin(journal);
    const { keeper: dying, database } = keeper(fence);
    await dying.keepResult({ rows: ROWS, LONG });
    await database.close();
    expect((await countContents(key)).contents).toBeGreaterThan(2);
    await journal.prune(60_000);
    expect((await countContents(key)).contents).toBeGreaterThan(2);
    await journal.prune(0);
    expect(await countContents(key)).toEqual({ contents: 0, bytes: 0 });
  });

  it('goes with the last that refers to it, and not before', async () => {
    const journal = openJournal({ schema });
    const stage = await begin(journal);
    await keepThrice(journal, stage, { rows: ROWS });
    const { key, fence, at } = stage;
    const size = Buffer.byteLength(JSON.stringify(ROWS));
    await journal.finish(fence, 'one', { outcome: { ok: true, kind: 'ok', text: '', turnCostUsd: 0 } });
    await journal.prune(0);
    expect((await countContents(key)).bytes).toBeGreaterThanOrEqual(size);
    await journal.store(fence).delete?.(at);
    expect((await countContents(key)).bytes).toBeGreaterThanOrEqual(size);
    await journal.endCall(fence, 'c', 'short');
    await journal.prune(0);
    expect(await countContents(key)).toEqual({ contents: 0, bytes: 0 });
  });

  it('is removed with its conversation, whatever refers to what', async () => {
    const journal = openJournal({ schema });
    const stage = await begin(journal);
    const [before] = await runSql(`select count(*)::int as n from "${schema}".content_parts`);
    await keepThrice(journal, stage, [LONG, { rows: ROWS, LONG }, 'x'.repeat(70_000)]);
    expect(await journal.remove(stage.key)).toBe(true);
    const [after] = await runSql(`select count(*)::int as n from "${schema}".content_parts`);
    expect(after).toEqual(before);
  });

  it('may be removed just before something refers to it: it is written again', async () => {
    const journal = openJournal({ schema });
    const stage = await begin(journal);
    let removed = 0;
    const pool = openPool(async ({ text }) => {
      if (!text.includes('end_call_content') || removed > 0) return;
      removed += 1;
      await journal.prune(0);
    });
    try {
      const pruned = openJournal({ schema, pool });
      await pruned.endCall(stage.fence, 'c', LONG);
      expect(removed).toBe(1);
      expect(await journal.beginCall(stage.fence, CALL)).toMatchObject({ result: LONG });
    } finally {
      await pool.end();
    }
  });

  it('is completed by the next try, from where the first was cut off', async () => {
    const journal = openJournal({ schema });
    const { key, fence } = await begin(journal);
    const { pool, statements } = listen();
    let puts = 0;
    const failing = openPool(({ text }) => {
      if (text.includes('put_parts')) puts += 1;
      if (puts > 3) throw new Error('The connection is gone');
    });
    try {
      await expect(openJournal({ schema, pool: failing }).endCall(fence, 'c', LONG)).rejects.toThrow();
      expect(await journal.beginCall(fence, CALL)).toEqual({ state: 'new' });
      await openJournal({ schema, pool }).endCall(fence, 'c', LONG);
      const sent = statements.reduce((sum, { bytes }) => sum + bytes, 0);
      expect(sent).toBeLessThan(Buffer.byteLength(JSON.stringify(LONG)) - 500_000);
      expect(await journal.beginCall(fence, CALL)).toMatchObject({ result: LONG });
      expect((await countContents(key)).contents).toBe(2);
    } finally {
      await pool.end();
      await failing.end();
    }
  });
});

it('lets roles that may work with the old tables work with the new ones, before anything is granted again', async () => {
  const old = nameSchema('granted');
  const { migrationSql, grantSql } =
    await import('../../../packages/cluster/src/postgres/schema/print-sql.js');
  const role = nameSchema('worker');
  await runSql(`create role "${role}" login`);
  // Version 1: all that is in the script before the first table of version 2.
  const script = migrationSql({ schema: old });
  const first = script.slice(0, script.indexOf('insert into migrations (version, oldest) values (1'));
  await runSql(`${first} insert into migrations (version, oldest) values (1, 1); commit;`);
  await runSql(grantSql({ role, schema: old }));
  await runSql(migrationSql({ schema: old, from: 1 }));
  const url = inject('postgresUrl').replace('inboard@', `${role}@`);
  const journal = openJournal({ schema: old, connectionString: url, migrate: false });
  const stage = await begin(journal);
  await keepThrice(journal, stage, { LONG });
  expect(await journal.store().load(stage.at)).toHaveLength(1);
  expect(await journal.remove(stage.key)).toBe(true);
});
