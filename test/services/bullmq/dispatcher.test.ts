// The dispatcher suite on BullMQ, on both of its servers, and what BullMQ leaves behind there.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { describe, expect, inject, it } from 'vitest';
import { bullmqDispatcher } from '../../../packages/inboard/src/cluster-bullmq.js';
import { describeDispatcher } from '../../../packages/inboard/src/testing.js';
import { waitUntil } from '../../support/wait-until.js';
import { runSql } from '../support/journals.js';

const SERVERS = { Redis: inject('redisUrl'), PostgreSQL: inject('postgresUrl') };
const WAKES = 1_000;

for (const [name, connection] of Object.entries(SERVERS)) {
  describeDispatcher(`bullmqDispatcher on ${name}`, (queue) => bullmqDispatcher({ connection, queue }), {
    describe,
    it,
  });
}

/** Sends many wakes of all kinds, and waits until a worker has seen every key. */
async function wakeMany(connection: string, queue: string): Promise<void> {
  const dispatcher = bullmqDispatcher({ connection, queue });
  const seen = new Set<string>();
  await dispatcher.work(async (key) => void seen.add(key), { concurrency: 8 });
  const kinds = [{}, { urgent: true }, { afterMs: 1 }];
  for (let sent = 0; sent < WAKES; sent += 50) {
    const wakes = Array.from({ length: 50 }, (_, index) =>
      dispatcher.wake(`key ${sent + index}`, kinds[index % kinds.length]),
    );
    await Promise.all(wakes);
  }
  await waitUntil(() => seen.size === WAKES, 60_000);
  await dispatcher.close();
}

/** Wakes a worker once. */
async function wakeOnce(connection: object, server?: 'redis' | 'postgres'): Promise<void> {
  const dispatcher = bullmqDispatcher({ connection, server, queue: `given-${randomUUID()}` });
  const seen: string[] = [];
  await dispatcher.work(async (key) => void seen.push(key), { concurrency: 1 });
  await dispatcher.wake('a');
  await waitUntil(() => seen.includes('a'));
  await dispatcher.close();
}

describe('a connection that is given as an object', () => {
  it('may be options or a client of ioredis, which stays open', async () => {
    const { hostname, port } = new URL(SERVERS.Redis);
    await wakeOnce({ host: hostname, port: Number(port) });
    const client = new Redis(SERVERS.Redis, { maxRetriesPerRequest: null });
    await wakeOnce(client);
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
  });

  it('may be options of pg', async () => {
    const { hostname, port, username, pathname } = new URL(SERVERS.PostgreSQL);
    await wakeOnce({ connectionString: SERVERS.PostgreSQL });
    const options = { host: hostname, port: Number(port), user: username, database: pathname.slice(1) };
    await wakeOnce(options, 'postgres');
  });
});

describe('what stays behind after 1,000 wakes', () => {
  it('is a handful of keys on Redis, whose list of events is short', async () => {
    const queue = `growth-${process.pid}`;
    await wakeMany(SERVERS.Redis, queue);
    const redis = new Redis(SERVERS.Redis);
    const keys = await redis.keys(`inboard_wakes:${queue}:*`);
    const events = await redis.xlen(`inboard_wakes:${queue}:events`);
    redis.disconnect();
    expect(keys.length).toBeLessThan(8);
    expect(events).toBeLessThan(300);
  });

  it('is no row on PostgreSQL but a few events', async () => {
    const queue = `growth-${process.pid}`;
    await wakeMany(SERVERS.PostgreSQL, queue);
    const tables = ['job', 'dedup', 'dedup_next', 'event'];
    const counts = tables.map(
      (table) => `(select count(*)::int from inboard_wakes.${table} where queue = $1) "${table}"`,
    );
    const [left] = await runSql(`select ${counts.join(', ')}`, [queue]);
    expect(left).toMatchObject({ job: 0, dedup: 0, dedup_next: 0 });
    expect(left?.['event']).toBeLessThan(300);
  });
});
