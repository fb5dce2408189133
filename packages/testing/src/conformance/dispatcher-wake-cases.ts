// Conformance cases for dispatchers: wakes.
import assert from 'node:assert/strict';
import { createHold, settle, type DispatcherCheck, type DispatcherGround } from './dispatcher-check.js';

/** A delay far longer than a case waits. */
const AGES_MS = 3_600_000;
const SOON_MS = 120;
/** How much the clock of a server and the timers of this process may differ. */
const EARLY_MS = 20;

/** Cases for `wake()`. */
export const WAKE_CASES: readonly DispatcherCheck[] = [
  {
    name: 'calls the handler for each key that is woken',
    async run({ dispatcher, startWorker }) {
      const worker = await startWorker({ concurrency: 4 });
      const keys = Array.from({ length: 30 }, (_, index) => `key ${index}`);
      await Promise.all(keys.map((key) => dispatcher.wake(key)));
      await worker.until('all 30', () => keys.every((key) => worker.ended.includes(key)));
    },
  },
  {
    name: 'keeps wakes until there is a worker, and merges those for one key',
    async run({ dispatcher, startWorker }) {
      for (let count = 0; count < 20; count += 1) await dispatcher.wake('a');
      await dispatcher.wake('b');
      const worker = await startWorker();
      await worker.until('a and b', () => ['a', 'b'].every((key) => worker.ended.includes(key)));
      await settle(dispatcher, worker, 'the last');
      assert.deepEqual(worker.begun, ['a', 'b', 'the last']);
    },
  },
  {
    name: 'runs the handler again for a wake that arrives while it is running',
    async run({ dispatcher, startWorker }) {
      const { handler, letGo } = createHold();
      const worker = await startWorker({ handler });
      await dispatcher.wake('a');
      await worker.until('a began', () => worker.begun.length === 1);
      await dispatcher.wake('a');
      await dispatcher.wake('a');
      letGo();
      await worker.until('a ran again', () => worker.ended.length >= 2);
      await settle(dispatcher, worker, 'the last');
      // There may be one or two further runs: one if the two wakes are merged, and two if the first was taken before
      // the second came.
      assert.ok(worker.begun.length <= 4, `too many runs: ${JSON.stringify(worker.begun)}`);
    },
  },
  {
    name: 'delivers urgent wakes before waiting ones',
    async run({ dispatcher, startWorker }) {
      const { worker, letGo } = await startWithQueue({ dispatcher, startWorker });
      await dispatcher.wake('urgent', { urgent: true });
      letGo();
      await worker.until('all', () => worker.ended.length >= 5);
      assert.deepEqual(worker.begun.slice(0, 2), ['the first', 'urgent']);
    },
  },
  {
    name: 'moves a waiting key to the front when it becomes urgent',
    async run({ dispatcher, startWorker }) {
      const { worker, letGo } = await startWithQueue({ dispatcher, startWorker });
      await dispatcher.wake('c', { urgent: true });
      letGo();
      await worker.until('all', () => ['a', 'b', 'c'].every((key) => worker.ended.includes(key)));
      assert.deepEqual(worker.begun.slice(0, 2), ['the first', 'c']);
    },
  },
  {
    name: 'holds a wake back until it is due',
    async run({ dispatcher, startWorker }) {
      let soonAt = 0;
      const handler = async (key: string): Promise<void> => {
        if (key === 'soon') soonAt = performance.now();
      };
      const worker = await startWorker({ concurrency: 4, handler });
      await dispatcher.wake('in ages', { afterMs: AGES_MS });
      await dispatcher.wake('never', { afterMs: Number.POSITIVE_INFINITY });
      const sentAt = performance.now();
      await dispatcher.wake('soon', { afterMs: SOON_MS });
      await settle(dispatcher, worker, 'now');
      await worker.until('soon', () => worker.ended.includes('soon'));
      // Sorted, because a slow server may need longer for the second wake than the first one is delayed.
      assert.deepEqual(worker.begun.toSorted(), ['now', 'soon']);
      assert.ok(soonAt - sentAt > SOON_MS - EARLY_MS, `it came after ${soonAt - sentAt} ms of ${SOON_MS}`);
    },
  },
  {
    name: 'does not delay a wake because of a later one for the same key',
    async run({ dispatcher, startWorker }) {
      const worker = await startWorker({ concurrency: 4 });
      for (const key of ['a', 'b', 'c']) await dispatcher.wake(key, { afterMs: AGES_MS });
      await dispatcher.wake('a');
      await dispatcher.wake('b', { urgent: true });
      await dispatcher.wake('c', { afterMs: SOON_MS });
      await worker.until('a, b and c', () => ['a', 'b', 'c'].every((key) => worker.ended.includes(key)));
    },
  },
  {
    name: 'accepts any text as a key',
    async run({ dispatcher, startWorker }) {
      const worker = await startWorker({ concurrency: 4 });
      const long = 'x'.repeat(4_000);
      const keys = ['0', 'a:b', 'a b', '{a}', '"\'`$1\\', '日本 😀', '__proto__', '../a\n', long, `${long}y`];
      for (const key of keys) await dispatcher.wake(key);
      await worker.until('all of them', () => keys.every((key) => worker.ended.includes(key)));
      assert.deepEqual(worker.begun.toSorted(), keys.toSorted());
    },
  },
  {
    name: 'refuses invalid keys and times',
    async run({ dispatcher }) {
      await assert.rejects(async () => dispatcher.wake(''));
      await assert.rejects(async () => dispatcher.wake(undefined as unknown as string));
      await assert.rejects(async () => dispatcher.wake('a', { afterMs: Number.NaN }));
      // A negative delay means now.
      await dispatcher.wake('a', { afterMs: -1 });
    },
  },
  {
    name: 'wakes the workers of other processes',
    isShared: true,
    async run({ dispatcher, another, startWorker }) {
      const worker = await startWorker({ on: await another() });
      await dispatcher.wake('a');
      await worker.until('a', () => worker.ended.includes('a'));
    },
  },
  {
    name: 'keeps wakes when the process that sent them is gone',
    isShared: true,
    async run({ another, startWorker }) {
      const sender = await another();
      await sender.wake('a');
      await sender.wake('b', { afterMs: SOON_MS });
      await sender.close();
      const worker = await startWorker();
      await worker.until('a and b', () => ['a', 'b'].every((key) => worker.ended.includes(key)));
    },
  },
];

/** Starts a worker whose handler waits with its first key, while other keys are queued. */
async function startWithQueue({
  dispatcher,
  startWorker,
}: Pick<DispatcherGround, 'dispatcher' | 'startWorker'>) {
  const { handler, letGo } = createHold();
  const worker = await startWorker({ handler });
  await dispatcher.wake('the first');
  await worker.until('the first began', () => worker.begun.length === 1);
  for (const key of ['a', 'b', 'c']) await dispatcher.wake(key);
  return { worker, letGo };
}
