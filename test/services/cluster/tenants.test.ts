// A conversation that is named with a tenant it does not belong to, on PostgreSQL: unknown in all that is read, and not written to,
// also where two tenants create a conversation under one key at the same moment.
import { expect, it } from 'vitest';
import { createCluster } from '../../../packages/cluster/src/create-cluster.js';
import { nameSchema, openJournal } from '../support/journals.js';

it('is unknown to another tenant, and takes no message from it', async () => {
  await using cluster = createCluster({
    agents: { support: () => ({}) },
    journal: openJournal({ schema: nameSchema('tenants') }),
  });
  const as = (tenant: string, key: string) => cluster.conversation(key, { agent: 'support', tenant });
  const ann = as('ann', 'a');
  await ann.send('my PIN is 4711', { id: 't1' });
  await ann.send('more', { id: 't2' });
  const bob = as('bob', 'a');
  await expect(bob.send('from bob')).rejects.toMatchObject({ code: 'CONVERSATION_UNKNOWN' });
  await expect(bob.close()).rejects.toMatchObject({
    code: 'CONVERSATION_UNKNOWN',
    message: 'There is no conversation "a".',
  });
  await expect(as('bob', 'none').close()).rejects.toMatchObject({ code: 'CONVERSATION_UNKNOWN' });
  await expect(bob.turn('t1').record()).rejects.toMatchObject({ code: 'TURN_UNKNOWN' });
  expect([await bob.info(), await bob.turns(), await bob.readWhole(1)]).toEqual([undefined, [], undefined]);
  expect([await bob.interrupt(), await bob.turn('t1').cancel()]).toEqual([false, false]);
  expect((await ann.turns()).map(({ id, state }) => [id, state])).toEqual([
    ['t1', 'queued'],
    ['t2', 'queued'],
  ]);
});

it('belongs to one of two tenants that create it at the same moment, and nothing of the other is left to run', async () => {
  await using cluster = createCluster({
    agents: { support: () => ({}) },
    journal: openJournal({ schema: nameSchema('tenants') }),
  });
  for (let round = 0; round < 20; round += 1) {
    const key = `race ${round}`;
    const tenants = ['ann', 'bob'];
    const sent = await Promise.allSettled(
      tenants.map((tenant) =>
        cluster.conversation(key, { agent: 'support', tenant }).send('x', { id: tenant }),
      ),
    );
    const record = await cluster.conversation(key).info();
    expect(sent.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(tenants[sent.findIndex(({ status }) => status === 'fulfilled')]).toBe(record?.tenant);
    const queued = (await cluster.conversation(key).turns()).filter(({ state }) => state === 'queued');
    expect(queued.map(({ id }) => id)).toEqual([record?.tenant]);
  }
});
