// Many at a time, on eight connections each of two handles, as two processes would have.
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import { LeaseLostError } from '../../../packages/core/src/errors.js';
import { holdFence } from '../../../packages/cluster/src/postgres/hold-fence.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { nameSchema, openJournal } from '../support/journals.js';

const schema = nameSchema('races');
const [one, other] = [openJournal({ schema, maxConnections: 8 }), openJournal({ schema, maxConnections: 8 })];
const both = (count: number): Array<typeof one> =>
  Array.from({ length: count }, (_, at) => (at % 2 ? one : other));
const pools: Pool[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
});

async function begin(key: string, ms = 60_000): Promise<Fence> {
  await one.enqueue({ key, id: 'one', content: 'hi', start: { agent: 'a', data: null } });
  const lease = await one.lease(key, { owner: 'w', ms: 60_000 });
  if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
  await one.next(lease.fence);
  await one.renew([lease.fence], ms);
  return lease.fence;
}

it('makes the tables once, however many come first', async () => {
  const fresh = nameSchema('fresh');
  const journals = Array.from({ length: 8 }, () => openJournal({ schema: fresh, maxConnections: 2 }));
  await Promise.all(journals.map((journal) => journal.open()));
  await Promise.all(journals.map((journal) => journal.stats()));
});

it('makes a conversation once, and each turn once, in places without gaps', async () => {
  const key = randomUUID();
  const sent = await Promise.all(
    both(40).map((journal, at) =>
      journal.enqueue({ key, id: `turn ${at % 10}`, content: at, start: { agent: 'a', data: null } }),
    ),
  );
  expect(sent.filter(({ isNew }) => isNew)).toHaveLength(10);
  expect((await one.turns(key)).map(({ place }) => place)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('gives one lease, with an epoch that nobody had before', async () => {
  const epochs: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const key = randomUUID();
    await one.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null } });
    const answers = await Promise.all(
      both(16).map((journal, at) => journal.lease(key, { owner: `w${at}`, ms: 60_000 })),
    );
    const granted = answers.flatMap((answer) => (answer.state === 'granted' ? [answer.fence.epoch] : []));
    expect(granted).toHaveLength(1);
    epochs.push(...granted);
  }
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  expect(new Set(epochs).size).toBe(5);
});

it('numbers events without gaps while many publish, answer and send', async () => {
  const key = randomUUID();
  const fence = await begin(key);
  await Promise.all(
    both(30).flatMap((journal, at) => [
      journal.publish(fence, [
        { turn: 'one', type: 'text', text: `${at}` },
        { turn: 'one', type: 'text', text: `${at}` },
      ]),
      journal.enqueue({ key, id: `more ${at}`, content: at }),
    ]),
  );
  const events = await other.events(key);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at + 1));
  expect(events).toHaveLength(2 + 60 + 30);
});

it('ends a turn once, and counts it once', async () => {
  const tenant = randomUUID();
  const key = randomUUID();
  await one.enqueue({ key, id: 'one', content: 'hi', start: { agent: 'a', data: null, tenant } });
  const lease = await one.lease(key, { owner: 'w', ms: 60_000 });
  if (lease.state !== 'granted') throw new Error('not granted');
  await one.next(lease.fence);
  const outcome = { ok: true, kind: 'success', text: '', turnCostUsd: 0.5 };
  const ended = await Promise.all(both(16).map((journal) => journal.finish(lease.fence, 'one', { outcome })));
  expect(ended.filter(Boolean)).toHaveLength(1);
  expect(await one.spent({ tenant })).toBe(0.5);
});

it('takes one answer of many', async () => {
  const fence = await begin(randomUUID());
  const id = randomUUID();
  await one.ask(fence, 'one', { id, kind: 'permission', attempt: 1, askedAt: 0, input: {} });
  const answers = await Promise.all(
    both(16).map((journal, at) =>
      journal.answer(id, { result: { behavior: 'allow' }, answeredAt: 0, by: `${at}` }),
    ),
  );
  expect(answers.filter(({ taken }) => taken)).toHaveLength(1);
});

it('gives the id of a question to one conversation, and keeps its words', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = randomUUID();
    const fences = await Promise.all(both(8).map(() => begin(randomUUID())));
    const asked = await Promise.allSettled(
      both(8).map((journal, at) => {
        const fence = fences[at] as Fence;
        const question = { id, kind: 'tool' as const, attempt: 1, askedAt: 0, input: {}, title: fence.key };
        return journal.ask(fence, 'one', question);
      }),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [question] = await one.questions({ id });
    expect(question?.title).toBe(question?.conversation);
  }
});

it('never both parks a turn for good and takes an answer to it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const key = randomUUID();
    const fence = await begin(key);
    const id = randomUUID();
    await one.ask(fence, 'one', { id, kind: 'permission', attempt: 1, askedAt: 0, input: {} });
    const [, { taken }] = await Promise.all([
      one.park(fence, 'one', { questions: [id], turnCostUsd: 0 }),
      other.answer(id, { result: { behavior: 'allow' }, answeredAt: 0 }),
    ]);
    expect(taken).toBe(true);
    expect((await one.turn(key, 'one'))?.state).toBe('running');
  }
});

it('lets an old owner write until the moment somebody takes over, and nothing after', async () => {
  const key = randomUUID();
  const fence = await begin(key, 50);
  let [isLost, written] = [false, 0];
  const writing = (async () => {
    for (; !isLost; written += 1) {
      try {
        await one.publish(fence, [{ turn: 'one', type: 'text', text: 'old' }]);
      } catch (error) {
        expect(error).toBeInstanceOf(LeaseLostError);
        isLost = true;
      }
    }
  })();
  await expect.poll(async () => (await other.lease(key, { owner: 'new', ms: 60_000 })).state).toBe('granted');
  await writing;
  const history = await one.history(key);
  const newest = history?.leases.at(-1)?.epoch ?? 0;
  expect(newest).toBeGreaterThan(fence.epoch);
  expect(history?.events.filter(({ epoch }) => epoch === fence.epoch).length).toBeGreaterThanOrEqual(written);
});

it('is not blocked by a pool that is smaller than the number of callers', async () => {
  const pool = new Pool({ connectionString: inject('postgresUrl'), max: 1 });
  pools.push(pool);
  const journal = openJournal({ pool, schema });
  const keys = Array.from({ length: 20 }, () => randomUUID());
  const fences = await Promise.all(
    keys.map(async (key) => {
      await journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null } });
      const lease = await journal.lease(key, { owner: 'w', ms: 60_000 });
      if (lease.state !== 'granted') throw new Error('not granted');
      await journal.next(lease.fence);
      await journal.store(lease.fence).append({ projectKey: 'p', sessionId: key }, [{ type: 'user' }]);
      await journal.history(key);
      return lease.fence;
    }),
  );
  expect((await journal.renew(fences, 60_000)).every(({ held }) => held)).toBe(true);
});

it("makes a transaction of the user's own count only under the fence", async () => {
  const pool = new Pool({ connectionString: inject('postgresUrl') });
  pools.push(pool);
  await pool.query(`create table "${schema}".effects (call text)`);
  const fence = await begin(randomUUID(), 30);
  const write = async (): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await holdFence(client, fence, { schema });
      await client.query(`insert into "${schema}".effects values ('x')`);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };
  await write();
  await expect
    .poll(async () => (await other.lease(fence.key, { owner: 'new', ms: 60_000 })).state)
    .toBe('granted');
  await expect(write()).rejects.toThrow(LeaseLostError);
  const { rowCount } = await pool.query(`select from "${schema}".effects`);
  expect(rowCount).toBe(1);
});
