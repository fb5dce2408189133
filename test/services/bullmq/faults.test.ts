// BullMQ whose server is away, comes back, falls silent or is slow: every call ends, nothing reaches the process, and
// wakes come again by themselves.
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { bullmqDispatcher } from '../../../packages/inboard/src/cluster-bullmq.js';
import type { Dispatcher, DispatcherWork, WakeHandler } from '../../../packages/inboard/src/cluster.js';
import { waitUntil } from '../../support/wait-until.js';
import { watchHost } from '../../support/watch-host.js';
import { FaultyLink } from '../support/faulty-link.js';

const SERVERS = { Redis: inject('redisUrl'), PostgreSQL: inject('postgresUrl') };
/** Longer than any wake takes on a server that answers, on a busy machine as well. */
const WAKE_TIMEOUT_MS = 3_000;
/** Every call has an end far before this one. */
const BOUND_MS = 20_000;
let queues = 0;

interface Scene {
  link: FaultyLink;
  dispatcher: Dispatcher;
  queue: string;
}

/** A link to a server, and a dispatcher behind it. Nothing of it may reach the process. */
async function setUp(server: string): Promise<Scene> {
  const host = watchHost();
  const link = new FaultyLink(server);
  await link.set('fine');
  const queue = `faults-${process.pid}-${queues++}`;
  const dispatcher = bullmqDispatcher({ connection: link.address, queue, wakeTimeoutMs: WAKE_TIMEOUT_MS });
  onTestFinished(async () => {
    await endsInTime(dispatcher.close());
    await link.set('away');
    await host.expectClean();
    host.stop();
  });
  return { link, dispatcher, queue };
}

async function endsInTime<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${BOUND_MS} ms`)), BOUND_MS);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Worker {
  work: DispatcherWork;
  seen: string[];
  errors: unknown[];
}

async function startWorker(dispatcher: Dispatcher, handler: WakeHandler = async () => {}): Promise<Worker> {
  const seen: string[] = [];
  const errors: unknown[] = [];
  const handle: WakeHandler = async (key, signal) => {
    seen.push(key);
    await handler(key, signal);
  };
  const work = await dispatcher.work(handle, { concurrency: 2, onError: (error) => errors.push(error) });
  return { work, seen, errors };
}

/** Wakes again and again until it is handled, as the sweep of a cluster does. */
async function sweepUntilSeen(dispatcher: Dispatcher, { seen }: Worker, key: string): Promise<void> {
  await waitUntil(async () => {
    await dispatcher.wake(key).catch(() => {});
    return seen.includes(key);
  }, 40_000);
}

const UNAVAILABLE = { name: 'ClusterError', code: 'DISPATCHER_UNAVAILABLE', retryable: true };

describe.each(Object.entries(SERVERS))('bullmqDispatcher on %s', (_name, server) => {
  it('says that its server is away from the start, and works when it is there', async () => {
    const { link, dispatcher } = await setUp(server);
    await link.set('away');
    const worker = await startWorker(dispatcher);
    await endsInTime(expect(dispatcher.wake('a')).rejects.toMatchObject(UNAVAILABLE));
    await waitUntil(() => worker.errors.length > 0);
    await link.set('fine');
    await sweepUntilSeen(dispatcher, worker, 'a');
    // Told once, not with each attempt.
    expect(worker.errors.length).toBe(1);
  });

  it('goes on when its server was away for a while', async () => {
    const { link, dispatcher } = await setUp(server);
    const worker = await startWorker(dispatcher);
    await sweepUntilSeen(dispatcher, worker, 'before');
    await link.set('away');
    await endsInTime(expect(dispatcher.wake('meanwhile')).rejects.toMatchObject(UNAVAILABLE));
    await waitUntil(() => worker.errors.length > 0);
    await link.set('fine');
    await sweepUntilSeen(dispatcher, worker, 'after');
  });

  it('gives up on a server that is silent, and goes on when it speaks again', async () => {
    const { link, dispatcher } = await setUp(server);
    const worker = await startWorker(dispatcher);
    await sweepUntilSeen(dispatcher, worker, 'before');
    await link.set('silent');
    const wakes = Array.from({ length: 20 }, async (_, index) =>
      endsInTime(expect(dispatcher.wake(`lost ${index}`)).rejects.toMatchObject(UNAVAILABLE)),
    );
    await Promise.all(wakes);
    await link.set('fine');
    await sweepUntilSeen(dispatcher, worker, 'after');
  });

  it('wakes through a slow link', async () => {
    const { link, dispatcher } = await setUp(server);
    const worker = await startWorker(dispatcher);
    await sweepUntilSeen(dispatcher, worker, 'before');
    link.delay(100);
    await dispatcher.wake('slow');
    await dispatcher.wake('slow and urgent', { urgent: true });
    await waitUntil(() => worker.seen.includes('slow') && worker.seen.includes('slow and urgent'));
  });

  it.each(['away', 'silent'] as const)('ends in time while its server is %s', async (state) => {
    const { link, dispatcher } = await setUp(server);
    const worker = await startWorker(dispatcher);
    await sweepUntilSeen(dispatcher, worker, 'before');
    await link.set(state);
    await endsInTime(worker.work.pause());
    await endsInTime(worker.work.close());
    await endsInTime(dispatcher.close());
  });

  it('ends in time when its server was never there', async () => {
    const { link, dispatcher } = await setUp(server);
    await link.set('away');
    await startWorker(dispatcher);
    await dispatcher.wake('a').catch(() => {});
    await endsInTime(dispatcher.close());
  });

  it('lets go of a handler that never ends', async () => {
    const { dispatcher } = await setUp(server);
    const worker = await startWorker(dispatcher, () => new Promise(() => {}));
    await sweepUntilSeen(dispatcher, worker, 'for ever');
    await endsInTime(dispatcher.close());
  });

  it('runs what it has taken although the server went away meanwhile', async () => {
    const { link, dispatcher } = await setUp(server);
    let letGo!: () => void;
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let ended = 0;
    const worker = await startWorker(dispatcher, async () => {
      await isLetGo;
      ended += 1;
    });
    await dispatcher.wake('a');
    await waitUntil(() => worker.seen.length === 1);
    await link.set('away');
    letGo();
    await waitUntil(() => ended >= 1);
    await link.set('fine');
    await sweepUntilSeen(dispatcher, worker, 'b');
  });
});
