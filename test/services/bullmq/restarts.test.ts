// Servers that really die: what waited in them may be lost, and everything after it is not. And a worker that is killed
// between taking a wake and taking note of it.
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../../scripts/support/services/postgres-server.mjs';
import { startRedis } from '../../../scripts/support/services/redis-server.mjs';
import { bullmqDispatcher } from '../../../packages/inboard/src/cluster-bullmq.js';
import type { Dispatcher } from '../../../packages/inboard/src/cluster.js';
import { waitUntil } from '../../support/wait-until.js';
import { watchHost } from '../../support/watch-host.js';

/** A dispatcher with a worker; nothing of it may reach the process. */
async function startDispatcher(connection: string): Promise<{ dispatcher: Dispatcher; seen: string[] }> {
  const host = watchHost();
  const dispatcher = bullmqDispatcher({ connection });
  const seen: string[] = [];
  await dispatcher.work(async (key) => void seen.push(key), { concurrency: 2, onError: () => {} });
  onTestFinished(async () => {
    await dispatcher.close();
    await host.expectClean();
    host.stop();
  });
  return { dispatcher, seen };
}

/** Wakes again and again until it is handled, as the sweep of a cluster does. */
async function sweepUntilSeen(dispatcher: Dispatcher, seen: readonly string[], key: string): Promise<void> {
  await waitUntil(async () => {
    await dispatcher.wake(key).catch(() => {});
    return seen.includes(key);
  }, 30_000);
}

describe('bullmqDispatcher', () => {
  it('goes on after Redis lost everything, and after Redis was killed', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const { dispatcher, seen } = await startDispatcher(redis.url);
    await sweepUntilSeen(dispatcher, seen, 'first');
    await dispatcher.wake('lost', { afterMs: 3_600_000 });
    await redis.flushAll();
    // Once is enough: nothing stands in its way.
    await dispatcher.wake('after FLUSHALL');
    await waitUntil(() => seen.includes('after FLUSHALL'));
    await redis.restart();
    await sweepUntilSeen(dispatcher, seen, 'after the restart');
    expect(seen).not.toContain('lost');
  });

  it('goes on after PostgreSQL was killed, which loses no wake', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const { dispatcher, seen } = await startDispatcher(postgres.url);
    await sweepUntilSeen(dispatcher, seen, 'first');
    await dispatcher.wake('kept', { afterMs: 1_500 });
    await postgres.restart();
    await sweepUntilSeen(dispatcher, seen, 'after the restart');
    await waitUntil(() => seen.includes('kept'));
  });
});
