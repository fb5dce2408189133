// A conversation that a transaction keeps locked, as `holdFence` does, costs its worker this one lease at most: not the other leases,
// nor their CLIs, nor the places of other workers.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import { holdFence } from '../../../packages/cluster/src/postgres/hold-fence.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { quoteName } from '../../../packages/cluster/src/postgres/journal-options.js';
import { gate } from '../../../packages/testing/src/script/gate.js';
import { held, text } from '../../../packages/testing/src/script/reply.js';
import { told, WorkerScene } from '../../../packages/cluster/test/work/worker-scene.js';
import { nameSchema, openJournal } from '../support/journals.js';

const schema = nameSchema('locked');
const shared = openJournal({ schema });
const others: Client[] = [];
afterAll(async () => {
  await Promise.all(others.map((other) => other.end()));
});

async function take(key: string = randomUUID(), ms = 60_000): Promise<Fence> {
  await shared.enqueue({ key, id: 'one', content: 'hi', start: { agent: 'helper', data: null } });
  const lease = await shared.lease(key, { owner: 'w', ms });
  if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
  return lease.fence;
}

/** A transaction of another client that keeps a conversation locked until it ends. */
async function lock(key: string, fence?: Fence, inSchema = schema): Promise<Client> {
  const client = new Client(inject('postgresUrl'));
  others.push(client);
  await client.connect();
  await client.query('begin');
  if (fence) await holdFence(client, fence, { schema: inSchema });
  else
    await client.query(`select from ${quoteName(inSchema)}.conversations where key = $1 for update`, [key]);
  return client;
}

it('renews five leases of six at once, and says that the sixth is skipped', async () => {
  const fences = await Promise.all(Array.from({ length: 6 }, () => take()));
  const locked = fences[2] as Fence;
  const before = (await shared.conversation(locked.key))?.lease?.expiresAt;
  const other = await lock(locked.key);
  const renewed = await shared.renew(fences, 120_000);
  expect(renewed.map(({ held: isHeld, skipped }) => [isHeld, skipped])).toEqual(
    fences.map((fence) => [true, fence === locked ? true : undefined]),
  );
  expect((await shared.conversation(locked.key))?.lease?.expiresAt).toBe(before);
  await other.query('rollback');
  expect(await shared.renew([locked], 120_000)).toEqual([
    { key: locked.key, epoch: locked.epoch, held: true, hasWork: true },
  ]);
  expect((await shared.conversation(locked.key))?.lease?.expiresAt).toBeGreaterThan(before ?? Infinity);
});

it('tells of a stop although the conversation is locked, and of a loss by its reason', async () => {
  const [fence, gone, back, taken] = [await take(), await take(), await take(), await take()];
  await shared.next(fence);
  await shared.interrupt(fence.key);
  await shared.remove(gone.key);
  await shared.release(back);
  await shared.release(taken);
  await take(taken.key);
  await lock(fence.key, fence);
  expect(await shared.renew([fence, gone, back, taken], 60_000)).toMatchObject([
    { held: true, skipped: true, stop: 'one' },
    { held: false, why: 'removed' },
    { held: false, why: 'released' },
    { held: false, why: 'taken' },
  ]);
  for (const [lost, reason] of [
    [gone, 'removed'],
    [back, 'released'],
    [taken, 'taken'],
  ] as const)
    await expect(shared.publish(lost, [])).rejects.toMatchObject({ code: 'LEASE_LOST', reason });
});

it('keeps nobody waiting who asks for a locked conversation, or gives it back', async () => {
  const fence = await take(undefined, 1);
  const other = await lock(fence.key);
  await expect
    .poll(async () => await shared.lease(fence.key, { owner: 'x', ms: 1000 }))
    .toMatchObject({ state: 'held', owner: 'w' });
  await expect(shared.release(fence)).rejects.toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
    retryable: true,
  });
  const free = randomUUID();
  await shared.enqueue({ key: free, id: 'one', content: 'hi', start: { agent: 'helper', data: null } });
  await lock(free);
  const answer = await shared.lease(free, { owner: 'x', ms: 1000 });
  expect(answer).toMatchObject({ state: 'idle', afterMs: expect.any(Number) });
  await other.query('rollback');
  expect((await shared.lease(fence.key, { owner: 'x', ms: 1000 })).state).toBe('granted');
});

const WAYS = {
  'a row lock of another session': false,
  'a transaction of its own under holdFence': true,
};

it.each(Object.entries(WAYS))(
  'costs a worker one lease of six, and the CLI of that one: %s',
  async (_, isOwn) => {
    // Of its own, so that the worker finds nothing else to do.
    const own = nameSchema('six');
    const journal = openJournal({ schema: own });
    const closed = Array.from({ length: 6 }, () => gate());
    const scripts = closed.map((each) => [held(text('Done.'), each)]);
    await using scene = new WorkerScene([...scripts, [text('Again.')]]);
    const worker = await scene.work({ leaseMs: 3000, concurrency: 6, sweepMs: 300 }, { journal });
    const keys = closed.map(() => randomUUID());
    for (const [at, key] of keys.entries()) {
      await journal.enqueue({ key, id: 'one', content: 'Hi', start: { agent: 'helper', data: null } });
      await scene.dispatcher.wake(key);
      await closed[at]?.reached;
    }
    const [key = '', ...rest] = keys;
    const { lease } = (await journal.conversation(key)) ?? {};
    const fence = { key, owner: lease?.owner ?? '', epoch: lease?.epoch ?? 0 };
    const other = await lock(key, isOwn ? fence : undefined, own);
    await expect.poll(() => told(worker, 'lost').length).toBe(1);
    // All others are renewed at least once more, while no worker can take the locked one.
    const ends = async (): Promise<number[]> =>
      await Promise.all(rest.map(async (each) => (await journal.conversation(each))?.lease?.expiresAt ?? 0));
    const before = await ends();
    await expect
      .poll(async () => (await ends()).every((end, at) => end > (before[at] ?? 0) + 1000))
      .toBe(true);
    expect(told(worker, 'lost')).toMatchObject([{ key, epoch: fence.epoch, why: 'locked' }]);
    expect((await journal.history(key))?.leases).toHaveLength(1);
    // Writes under the fence count, because no other worker was given a lease.
    await other.query('commit');
    await expect.poll(async () => (await journal.turn(key, 'one'))?.state).toBe('ended');
    for (const each of closed) each.open();
    for (const each of rest)
      await expect.poll(async () => (await journal.turn(each, 'one'))?.state).toBe('ended');
    expect(await journal.turn(key, 'one')).toMatchObject({ attempt: 2, outcome: { text: 'Again.' } });
    for (const each of rest)
      expect(await journal.turn(each, 'one')).toMatchObject({ attempt: 1, outcome: { text: 'Done.' } });
    expect(told(worker, 'lost')).toHaveLength(1);
    expect(scene.opened).toHaveLength(7);
  },
);
