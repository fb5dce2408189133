// Conformance cases for dispatchers: workers, and closing.
import assert from 'node:assert/strict';
import { createHold, settle, type DispatcherCheck } from './dispatcher-check.js';

/** Cases for `work()` and `close()`. */
export const WORK_CASES: readonly DispatcherCheck[] = [
  {
    name: 'runs as many handlers at a time as allowed, and no more',
    async run({ dispatcher, startWorker }) {
      const { handler, letGo } = createHold();
      const worker = await startWorker({ concurrency: 3, handler });
      const keys = Array.from({ length: 8 }, (_, index) => `key ${index}`);
      for (const key of keys) await dispatcher.wake(key);
      await worker.until('3 at a time', () => worker.begun.length >= 3);
      letGo();
      await worker.until('all', () => worker.ended.length >= keys.length);
      assert.equal(worker.most, 3);
    },
  },
  {
    name: 'never runs the same key twice at a time in a worker, however often it is woken',
    async run({ dispatcher, startWorker }) {
      const { handler, letGo } = createHold();
      const worker = await startWorker({ concurrency: 4, handler });
      await dispatcher.wake('a');
      await worker.until('a began', () => worker.begun.length === 1);
      await dispatcher.wake('a');
      await dispatcher.wake('a', { urgent: true });
      await dispatcher.wake('a', { afterMs: 1 });
      // By the time `b` begins, a second run of `a` would have begun too.
      await dispatcher.wake('b');
      await worker.until('b began', () => worker.begun.includes('b'));
      letGo();
      await worker.until('a ran again', () => worker.ended.filter((key) => key === 'a').length >= 2);
      await settle(dispatcher, worker, 'the last');
      assert.equal(worker.mostOfOneKey, 1);
    },
  },
  {
    name: 'shares wakes between workers',
    async run({ dispatcher, startWorker }) {
      const holds = [createHold(), createHold()];
      const workers = [];
      for (const { handler } of holds) workers.push(await startWorker({ handler }));
      const [one, other] = workers;
      assert.ok(one && other);
      // Each worker has a concurrency of 1, so neither can take both.
      await dispatcher.wake('a');
      await dispatcher.wake('b');
      await one.until('the first worker has one', () => one.begun.length === 1);
      await other.until('the second worker has the other', () => other.begun.length === 1);
      for (const { letGo } of holds) letGo();
      await one.until('it ended', () => one.ended.length >= 1);
      await other.until('it ended', () => other.ended.length >= 1);
      assert.deepEqual([...one.begun, ...other.begun].toSorted(), ['a', 'b']);
    },
  },
  {
    name: 'reports a handler that rejects, and wakes its key again',
    async run({ dispatcher, startWorker }) {
      const failure = new Error('the handler failed');
      let calls = 0;
      const worker = await startWorker({
        handler: async () => {
          calls += 1;
          if (calls === 1) throw failure;
        },
      });
      await dispatcher.wake('a');
      await worker.until('the report', () => worker.errors.length > 0);
      assert.ok(worker.errors.includes(failure), 'the error is another one');
      await worker.until('a ran again', () => worker.ended.length >= 2);
    },
  },
  {
    name: 'does the same for a handler that throws',
    async run({ dispatcher, startWorker }) {
      const failure = new Error('the handler failed at once');
      let calls = 0;
      const worker = await startWorker({
        handler: () => {
          calls += 1;
          if (calls === 1) throw failure;
          return Promise.resolve();
        },
      });
      await dispatcher.wake('a');
      await worker.until('a ran again', () => worker.ended.length >= 2);
      assert.ok(worker.errors.includes(failure), 'it was not reported');
    },
  },
  {
    name: 'takes no new work while it is paused, and lets running handlers finish',
    async run({ dispatcher, startWorker }) {
      const { handler, letGo } = createHold();
      let wasAborted = false;
      const worker = await startWorker({
        concurrency: 2,
        handler: async (key, signal) => {
          await handler(key, signal);
          wasAborted = signal.aborted;
        },
      });
      await dispatcher.wake('a');
      await worker.until('a began', () => worker.begun.length === 1);
      await worker.work.pause();
      assert.equal(worker.ended.length, 0, 'pause() waited for the handler');
      await dispatcher.wake('b');
      const other = await startWorker();
      await other.until('another worker has b', () => other.ended.includes('b'));
      letGo();
      await worker.until('a ended', () => worker.ended.includes('a'));
      assert.deepEqual({ begun: worker.begun, wasAborted }, { begun: ['a'], wasAborted: false });
    },
  },
  {
    name: 'aborts handlers when it is closed, and waits for them',
    async run({ dispatcher, startWorker }) {
      const { handler } = createHold();
      const worker = await startWorker({ concurrency: 2, handler });
      await dispatcher.wake('a');
      await dispatcher.wake('b');
      await worker.until('both began', () => worker.begun.length === 2);
      await worker.work.close();
      assert.deepEqual(worker.ended.toSorted(), ['a', 'b']);
      // Closing twice is not an error.
      await worker.work.close();
      await worker.work[Symbol.asyncDispose]();
    },
  },
  {
    name: 'leaves a key that is woken while its worker closes to other workers',
    async run({ dispatcher, startWorker }) {
      const { handler } = createHold();
      const worker = await startWorker({ handler });
      await dispatcher.wake('a');
      await worker.until('a began', () => worker.begun.length === 1);
      await dispatcher.wake('a');
      await worker.work.close();
      const other = await startWorker();
      await other.until('a', () => other.ended.includes('a'));
      assert.deepEqual(worker.begun, ['a']);
    },
  },
  {
    name: 'refuses invalid handlers and numbers of handlers',
    async run({ dispatcher }) {
      await assert.rejects(async () => dispatcher.work(undefined as never, { concurrency: 1 }));
      for (const concurrency of [0, -1, 1.5, Number.NaN, undefined as unknown as number]) {
        await assert.rejects(async () => dispatcher.work(async () => {}, { concurrency }));
      }
    },
  },
  {
    name: 'closes with all its workers, and refuses to be used afterwards',
    async run({ dispatcher, startWorker }) {
      const { handler } = createHold();
      const worker = await startWorker({ handler });
      await dispatcher.wake('a');
      await worker.until('a began', () => worker.begun.length === 1);
      await dispatcher.close();
      assert.deepEqual(worker.ended, ['a']);
      await assert.rejects(async () => dispatcher.wake('b'));
      await assert.rejects(async () => dispatcher.work(async () => {}, { concurrency: 1 }));
      await dispatcher.close();
    },
  },
];
