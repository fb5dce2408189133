// What is left of a tenant or a conversation that was forgotten: no row of any table has its name, whatever tables there are.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCluster } from '../../../packages/inboard/src/cluster.js';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const schema = nameSchema('forget');

/** The tables in which a text occurs anywhere. */
async function findText(text: string): Promise<string[]> {
  const tables = await runSql(
    `select c.relname from pg_class c where c.relkind = 'r' and c.relnamespace = $1::regnamespace order by 1`,
    [`"${schema}"`],
  );
  const found: string[] = [];
  for (const { relname } of tables) {
    const rows = await runSql(
      `select from "${schema}"."${relname as string}" t where position($1 in t::text) > 0 limit 1`,
      [text],
    );
    if (rows.length > 0) found.push(relname as string);
  }
  return found;
}

/** A conversation that has left something in every table that it can. */
async function fill(journal: Journal, key: string, tenant: string): Promise<void> {
  const data = { note: `${key} of ${tenant}` };
  await journal.enqueue({ key, id: `turn of ${key}`, content: data, start: { agent: 'a', data, tenant } });
  const lease = await journal.lease(key, { owner: 'w', ms: 60_000 });
  if (lease.state !== 'granted') throw new Error(lease.state);
  const { fence, conversation } = lease;
  const turn = (await journal.next(fence))?.id ?? '';
  const large = `${key} of ${tenant} `.repeat(5000);
  await journal.beginCall(fence, { callKey: key, turn, toolName: 't', input: { key, tenant, large } });
  await journal.endCall(fence, key, { key, tenant, large });
  const id = `question of ${key}`;
  await journal.ask(fence, turn, { id, kind: 'tool', attempt: 1, askedAt: 0, input: data, title: key });
  await journal.publish(fence, [{ turn, type: 'text', text: large }]);
  await journal
    .store(fence)
    .append({ projectKey: 'p', sessionId: conversation.sessionId }, [{ type: 'user', note: large }]);
  await journal.finish(fence, turn, {
    outcome: { ok: true, kind: 'success', text: large, turnCostUsd: 0.25 },
  });
  await journal.release(fence);
}

it('leaves no name of a tenant, and all sums', async () => {
  const journal = openJournal({ schema });
  await using cluster = createCluster({ agents: { a: () => ({}) }, journal });
  const [tenant, other] = [`tenant-${randomUUID()}`, `other-${randomUUID()}`];
  const keys = ['one', 'two'].map((name) => `${name}-${randomUUID()}`);
  for (const key of keys) await fill(journal, key, tenant);
  await fill(journal, `third-${randomUUID()}`, other);
  await journal.pause({ tenant, ms: 60_000, reason: 'slow down' });
  await journal.pause({ tenant: other, ms: 60_000, reason: 'slow down' });
  expect(await findText(tenant)).toEqual(expect.arrayContaining(['conversations', 'pauses', 'spending']));
  const { left, conversations } = await cluster.forget({ tenant });
  expect(conversations.toSorted()).toEqual(keys.toSorted());
  expect(left.filter((sentence) => sentence.includes(tenant))).toEqual([]);
  for (const name of [tenant, ...keys]) expect([name, await findText(name)]).toEqual([name, []]);
  expect([await journal.spent(), await journal.spent({ tenant: other })]).toEqual([0.75, 0.25]);
  expect((await journal.stats()).totalCostUsd).toBe(0.75);
  expect(await journal.pauses()).toMatchObject([{ tenant: other }]);
});

it('removes pauses that are over, and workers that died long ago, with what is old', async () => {
  const journal = openJournal({ schema });
  const [tenant, worker] = [`tenant-${randomUUID()}`, `worker-${randomUUID()}`];
  await journal.pause({ tenant, ms: 0, reason: 'slow down' });
  await journal.reportWorker({ name: worker, concurrency: 1, running: 0, warm: 0, draining: false });
  await journal.prune(0);
  expect([await findText(tenant), await findText(worker)]).toEqual([[], ['workers']]);
  await runSql(`update "${schema}".workers set seen_at = seen_at - interval '2 hours'`);
  await journal.prune(0);
  expect(await findText(worker)).toEqual([]);
});
