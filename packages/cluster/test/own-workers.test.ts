// What a cluster object keeps of its workers: those that work, and names, of which it needs not many.
import { expect, it } from 'vitest';
import { OwnWorkers } from '../src/own-workers.js';
import type { ClusterWorker } from '../src/work/host/work-options.js';
import { useClusters } from './support/test-cluster.js';

function workerOf(name: string, close = async (): Promise<void> => {}): ClusterWorker {
  return { name, close } as unknown as ClusterWorker;
}

it('lets workers go that have ended, and keeps a thousand names', async () => {
  const workers = new OwnWorkers();
  const closed: string[] = [];
  for (let index = 0; index < 1500; index += 1) {
    const worker = workerOf(`w${index}`, async () => void closed.push(`w${index}`));
    workers.add(worker);
    if (index !== 7) workers.remove(worker);
  }
  expect(workers.size).toBe(1);
  expect([workers.names.size, workers.names.has('w499'), workers.names.has('w500')]).toEqual([
    1000,
    false,
    true,
  ]);
  await workers.close();
  expect(closed).toEqual(['w7']);
});

const make = useClusters();

it('closes with a cluster only what still works', async () => {
  const cluster = make();
  const ended = await cluster.work();
  const working = await cluster.work();
  const closes = { ended: 0, working: 0 };
  const count = (worker: ClusterWorker, name: keyof typeof closes): void => {
    const close = worker.close.bind(worker);
    worker.close = () => {
      closes[name] += 1;
      return close();
    };
  };
  count(ended, 'ended');
  count(working, 'working');
  await ended.close();
  await cluster.close();
  expect(closes).toEqual({ ended: 1, working: 1 });
});
