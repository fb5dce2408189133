// The server crashes while everything is in use, and comes back: nothing is half done, nothing is lost, and no process dies.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../scripts/support/services/postgres-server.mjs';
import { ClusterError } from '../../../packages/core/src/errors.js';
import { openJournal, nameSchema } from '../support/journals.js';

const CONVERSATIONS = 6;
const TURNS = 8;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off' } });
});
afterAll(async () => {
  await server.stop();
});

const faults: unknown[] = [];

/** As a worker does: until the database is back. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ClusterError) || !error.retryable) throw error;
      faults.push(error);
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
}

it('keeps what it said it kept, through crashes in the middle of all methods', async () => {
  const journal = openJournal({ connectionString: server.url, schema: nameSchema('crash') });
  await journal.open();
  const heard = new Set<string>();
  await journal.listen(({ key, kind }) => heard.add(key === undefined ? 'everything' : kind));
  const crashes = { isEnough: false, count: 0 };
  const crashing = (async () => {
    while (!crashes.isEnough && crashes.count < 3) {
      await new Promise((resolve) => {
        setTimeout(resolve, 300);
      });
      await server.restart();
      crashes.count += 1;
    }
  })();

  const converse = async (key: string): Promise<void> => {
    const ids = Array.from({ length: TURNS }, (_, at) => `turn ${at}`);
    for (const id of ids)
      await insist(() =>
        journal.enqueue({ key, id, content: id, start: { agent: 'a', data: null, tenant: key } }),
      );
    for (const id of ids) {
      const owner = randomUUID();
      const fence = await insist(async () => {
        const lease = await journal.lease(key, { owner, ms: 60_000 });
        if (lease.state === 'granted') return lease.fence;
        // Granted, and the answer was lost.
        const { lease: own } = (await journal.conversation(key)) ?? {};
        if (own?.owner !== owner) throw new Error(`The lease is ${lease.state}`);
        return { key, epoch: own.epoch, owner };
      });
      expect((await insist(() => journal.next(fence)))?.id).toBe(id);
      await insist(() => journal.beginCall(fence, { callKey: id, turn: id, toolName: 't', input: {} }));
      await insist(() => journal.endCall(fence, id, id));
      const question = { id: `${key} ${id}`, kind: 'permission', attempt: 1, askedAt: 0, input: {} } as const;
      await insist(() => journal.ask(fence, id, question));
      await insist(() => journal.park(fence, id, { questions: [question.id], turnCostUsd: 0.25 }));
      await insist(() => journal.answer(question.id, { result: { behavior: 'allow' }, answeredAt: 0 }));
      await insist(() => journal.publish(fence, [{ turn: id, type: 'text', text: id }], id));
      const entry = { type: 'user', uuid: `${key} ${id}` };
      await insist(() => journal.store(fence).append({ projectKey: 'p', sessionId: key }, [entry]));
      await insist(() => journal.renew([fence], 60_000));
      const outcome = { ok: true, kind: 'success', text: id, turnCostUsd: 1 };
      await insist(() => journal.finish(fence, id, { outcome }));
      await insist(() => journal.release(fence));
    }
  };
  const keys = Array.from({ length: CONVERSATIONS }, () => randomUUID());
  // Until the last crash is over.
  for (let round = 0; round === 0 || crashes.count < 2; round += 1)
    await Promise.all(keys.map((key) => converse(`${round} ${key}`)));
  crashes.isEnough = true;
  await crashing;

  expect(faults.length).toBeGreaterThan(0);
  for (const { key, totalCostUsd } of await insist(() => journal.conversations({ limit: 1000 }))) {
    const history = await insist(() => journal.history(key));
    expect(history?.turns.map(({ id, place, state }) => `${place} ${id} ${state}`)).toEqual(
      Array.from({ length: TURNS }, (_, at) => `${at + 1} turn ${at} ended`),
    );
    expect(history?.events.map(({ id }) => id)).toEqual(history?.events.map((_, at) => at + 1));
    const count = (type: string): number =>
      history?.events.filter((event) => event.type === type).length ?? 0;
    // Queued, running, parked, running again, ended.
    expect([count('turn'), count('text'), count('question'), count('answer')]).toEqual(
      [5, 1, 1, 1].map((n) => n * TURNS),
    );
    expect(history?.calls.map(({ begun, ended }) => `${begun} ${ended}`)).toEqual(Array(TURNS).fill('1 1'));
    expect(await insist(() => journal.store().load({ projectKey: 'p', sessionId: key }))).toHaveLength(TURNS);
    expect([totalCostUsd, await insist(() => journal.spent({ tenant: key }))]).toEqual([TURNS, TURNS]);
  }
  await expect.poll(() => [...heard].toSorted()).toContain('everything');
});

it('opens once the server is there, and says why not before', async () => {
  await server.halt();
  const journal = openJournal({ connectionString: server.url, schema: nameSchema('late') });
  const error: unknown = await journal.open().catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
  expect((error as Error).message).not.toContain(String(server.port));
  await server.go();
  await journal.open();
  expect((await journal.stats()).leases).toBe(0);
});
