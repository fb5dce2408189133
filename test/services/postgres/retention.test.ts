// Retention in PostgreSQL: bounded statements, a run that is killed and made again, and one worker that has the job.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, inject, it } from 'vitest';
import { postgresJournal } from '../../../packages/cluster/src/postgres/postgres-journal.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';
import { connect } from '../support/strangers.js';

const START = { agent: 'a', data: null };
const ALL = { conversationsMs: 0, transcriptsMs: 0, callsMs: 0, eventsMs: 0, auditMs: 0 };

/** Conversations that are closed, with many events each, and an open one of each kind of work. */
async function fill(schema: string, count: number): Promise<ReturnType<typeof openJournal>> {
  const journal = openJournal({ schema });
  for (let at = 0; at < count; at += 1) {
    const key = `old ${at}`;
    await journal.enqueue({ key, id: 'one', content: 'x', start: START });
    await journal.closeConversation(key);
  }
  await journal.enqueue({ key: 'open', id: 'one', content: 'x', start: START });
  await runSql(
    `insert into "${schema}".events (conversation, id, turn, at, epoch, body)
    select c.number, n, 'one', now(), 0, '{"type":"text","text":"x"}' from "${schema}".conversations c, generate_series(100, 2600) n`,
  );
  await runSql(`update "${schema}".conversations set last_event = 2600`);
  return journal;
}

it('removes many rows in statements of bounded size, and nothing of open work', async () => {
  const schema = nameSchema('retain');
  const journal = await fill(schema, 3);
  const counted = await journal.retain?.({ eventsMs: 0 });
  const before = await journal.history('open');
  const done = await journal.retain?.({ eventsMs: 0 }, { apply: true });
  expect(done?.kinds).toEqual(counted?.kinds);
  expect(done?.kinds.events?.rows).toBeGreaterThan(7500);
  expect(await journal.history('open')).toEqual(before);
  expect(await journal.events('old 1')).toEqual([]);
  expect((await journal.retain?.({ eventsMs: 0 }))?.kinds.events?.rows).toBe(0);
  await journal.retain?.(ALL, { apply: true, by: 'Ann' });
  expect((await journal.conversations()).map(({ key }) => key)).toEqual(['open']);
  expect((await journal.audit?.())?.entries.map(({ what, by }) => [what, by])).toEqual([
    ['sent', undefined],
    ['pruned', 'Ann'],
  ]);
});

it('leaves a conversation alone that somebody has locked, and ends where it is told to', async () => {
  const schema = nameSchema('retain');
  const journal = await fill(schema, 2);
  const holder = await connect();
  await holder.query(`begin; select from "${schema}".conversations where key = 'old 0' for no key update`);
  await journal.retain?.({ conversationsMs: 0 }, { apply: true });
  await holder.query('rollback');
  expect((await journal.conversations()).map(({ key }) => key)).toEqual(['old 0', 'open']);
  const ended = await journal.retain?.({ conversationsMs: 0 }, { apply: true, signal: AbortSignal.abort() });
  expect(ended?.isWhole).toBe(false);
  expect(await journal.conversation('old 0')).toBeDefined();
});

it('goes on after a process that was killed in the middle', async () => {
  const schema = nameSchema('retain');
  const journal = await fill(schema, 12);
  const before = await journal.history('open');
  const child = fork(new URL('pruning-process.mjs', import.meta.url), [inject('postgresUrl'), schema], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  });
  // It tells when it has removed something and has more to do.
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const left = await runSql(`select count(*)::int as count from "${schema}".events`);
  expect(left[0]?.['count']).toBeGreaterThan(2501);
  expect(await journal.claimRetention?.({ owner: 'other', ms: 1000, everyMs: 0 })).toBe(false);
  await runSql(`update "${schema}".jobs set until = now()`);
  expect(await journal.claimRetention?.({ owner: 'other', ms: 1000, everyMs: 0 })).toBe(true);
  await journal.retain?.(ALL, { apply: true });
  expect((await journal.conversations()).map(({ key }) => key)).toEqual(['open']);
  expect(await journal.history('open')).toEqual(before);
  expect(
    await runSql(
      `select from "${schema}".events where conversation not in (select number from "${schema}".conversations)`,
    ),
  ).toEqual([]);
});

it('gives the job to one of many that ask at a time', async () => {
  const schema = nameSchema('retain');
  const journals = Array.from({ length: 6 }, () =>
    postgresJournal({ connectionString: inject('postgresUrl'), schema }),
  );
  await journals[0]?.open();
  const had = await Promise.all(
    journals.map(
      async (journal, at) => await journal.claimRetention?.({ owner: `w${at}`, ms: 60_000, everyMs: 60_000 }),
    ),
  );
  expect(had.filter(Boolean)).toHaveLength(1);
  const winner = `w${had.indexOf(true)}`;
  await journals[0]?.claimRetention?.({ owner: winner, ms: 0, everyMs: 0, done: true });
  expect(await journals[1]?.claimRetention?.({ owner: 'w9', ms: 1, everyMs: 60_000 })).toBe(false);
  await Promise.all(journals.map((journal) => journal.close()));
});

it('empties a large conversation in parts, which nobody continues meanwhile', async () => {
  const schema = nameSchema('retain');
  const journal = openJournal({ schema });
  await journal.enqueue({ key: 'large', id: 'one', content: 'x', start: START });
  await journal.cancel('large', 'one');
  const count = async () =>
    Number((await runSql(`select count(*)::int as count from "${schema}".events`))[0]?.['count']);
  await runSql(
    `insert into "${schema}".events (conversation, id, turn, at, epoch, body)
    select number, n, 'one', now(), 0, '{"type":"text","text":"x"}' from "${schema}".conversations, generate_series(100, 2600) n`,
  );
  const counted = await journal.retain?.({ conversationsMs: 0 });
  const [whole, left] = [await count(), [] as number[]];
  // It is asked before the search, and before each part.
  const keepOn = async (): Promise<boolean> => {
    left.push(await count());
    return left.length < 4;
  };
  const first = await journal.retain?.({ conversationsMs: 0 }, { apply: true, keepOn });
  expect(left).toEqual([whole, whole, whole - 1000, whole - 2000]);
  expect(first).toMatchObject({ isWhole: false, kinds: { conversations: { rows: 0 } } });
  await expect(
    journal.enqueue({ key: 'large', id: 'two', content: 'x', start: START }),
  ).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
  const second = await journal.retain?.({ conversationsMs: 0 }, { apply: true });
  expect(second).toMatchObject({ isWhole: true, kinds: { conversations: { rows: 1 } } });
  const bytes = [first, second].map((report) => report?.kinds.conversations?.bytes ?? 0);
  expect(bytes[0]).toBeGreaterThan(0);
  expect(bytes.reduce((sum, each) => sum + each)).toBe(counted?.kinds.conversations?.bytes);
  expect(await journal.conversation('large')).toBeUndefined();
  await journal.enqueue({ key: 'large', id: 'one', content: 'x', start: START });
});

it('goes past a conversation that fails, and says so', async () => {
  const schema = nameSchema('retain');
  const journal = openJournal({ schema });
  for (const key of ['a', 'bad', 'c']) {
    await journal.enqueue({ key, id: 'one', content: 'x', start: START });
    await journal.cancel(key, 'one');
  }
  const [bad] = await runSql(`select number::int from "${schema}".conversations where key = 'bad'`);
  const number = Number(bad?.['number']);
  await runSql(
    `create function "${schema}".refuse() returns trigger language plpgsql as $$ begin raise exception 'too large'; end $$;
    create trigger refuse before delete on "${schema}".events for each row when (old.conversation = ${number}) execute function "${schema}".refuse()`,
  );
  const report = await journal.retain?.({ conversationsMs: 0, eventsMs: 0, auditMs: 0 }, { apply: true });
  expect(report).toMatchObject({
    isWhole: true,
    failed: [
      { kind: 'conversations', conversationNumber: number, reason: 'too large' },
      { kind: 'events', conversationNumber: number, reason: 'too large' },
    ],
  });
  expect((await journal.conversations()).map(({ key }) => key)).toEqual(['bad']);
  expect(report?.kinds.audit?.rows).toBeGreaterThan(0);
});

it('notes what a run removed that failed in the middle, in one entry', async () => {
  const schema = nameSchema('retain');
  const journal = await fill(schema, 2);
  const countEvents = async () =>
    Number((await runSql(`select count(*)::int as count from "${schema}".events`))[0]?.['count']);
  const before = await countEvents();
  let asked = 0;
  const keepOn = async (): Promise<boolean> => {
    asked += 1;
    if (asked === 5) throw new Error('away');
    return true;
  };
  const policy = { eventsMs: 0 };
  const run = { apply: true, by: 'job', keepOn };
  await expect(journal.retain?.(policy, run)).rejects.toThrow('away');
  const rows = before - (await countEvents());
  expect(rows).toBeGreaterThan(2000);
  const first = (await journal.audit?.({ what: 'pruned' }))?.entries;
  expect(first).toMatchObject([{ by: 'job', pruned: { policy, removed: { events: { rows } } } }]);
  const whole = await journal.retain?.(policy, { apply: true, by: 'next' });
  const second = (await journal.audit?.({ by: 'next' }))?.entries;
  expect(second).toMatchObject([{ pruned: { policy, removed: whole?.kinds } }]);
});
