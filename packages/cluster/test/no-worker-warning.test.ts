// A cluster in memory without a worker says so, once, where the developer looks; all others are silent.
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { memoryDispatcher } from '../src/dispatch/memory-dispatcher.js';
import { SAY_AFTER_MS } from '../src/no-worker-warning.js';
import { useClusters } from './support/test-cluster.js';

const START = { agent: 'support' };

describe('a cluster in memory', () => {
  const make = useClusters();
  let warn: MockInstance<typeof process.emitWarning>;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.useRealTimers();
    warn.mockRestore();
  });
  const pass = async (ms = SAY_AFTER_MS): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
  };

  it('says once that a message waits and nobody works, and how to', async () => {
    const cluster = make();
    await cluster.conversation('a', START).send('Hello');
    await pass(SAY_AFTER_MS - 1);
    expect(warn).not.toHaveBeenCalled();
    await pass(1);
    await cluster.conversation('b', START).send('Hello');
    await pass();
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /This cluster has no worker.*"a" has been waiting for 5 seconds.*await cluster\.work\(\)/,
        ),
        { code: 'INBOARD_CLUSTER_NOBODY_WORKS' },
      ],
    ]);
    await make().conversation('a', START).send('Hello');
    await pass();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('waits for a message whose time has not come', async () => {
    await make()
      .conversation('a', START)
      .send('Hello', { notBefore: Date.now() + 60_000 });
    await pass(60_000 - 1);
    expect(warn).not.toHaveBeenCalled();
    await pass(2 * SAY_AFTER_MS);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('says it when the last worker has ended and something waits', async () => {
    const cluster = make();
    const worker = await cluster.work();
    await cluster.conversation('a', START).send('Hello');
    await pass();
    await worker.close();
    await pass();
    expect(warn).not.toHaveBeenCalled();
    await cluster.conversation('a', START).send('Hello');
    await pass();
    expect(warn).toHaveBeenCalledOnce();
  });

  it('is silent where a worker of another cluster, or a scheduler of one’s own, uses the same journal', async () => {
    const shared = { journal: memoryJournal(), dispatcher: memoryDispatcher() };
    const hanging = (): Promise<never> => new Promise(() => {});
    const [web, workers] = [make(shared), make(shared, hanging)];
    await workers.step('unknown');
    await web.conversation('a', START).send('Hello');
    await pass(2 * SAY_AFTER_MS);
    const journal = memoryJournal();
    await journal.reportWorker({ name: 'w', concurrency: 1, running: 1, warm: 0, draining: false });
    await make({ journal }).conversation('a', START).send('Hello');
    await pass(2 * SAY_AFTER_MS);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is silent once it is closed, and where workers are elsewhere', async () => {
    const cluster = make();
    await cluster.conversation('a', START).send('Hello');
    await cluster.close();
    await make({ journal: { ...memoryJournal() } })
      .conversation('a', START)
      .send('Hello');
    await pass(2 * SAY_AFTER_MS);
    expect(warn).not.toHaveBeenCalled();
  });
});
