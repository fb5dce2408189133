// The workers of a desk, and the button that kills one: a process of its own each (kill -9), or without a database a worker in
// this process, which is ended at once. Another takes its place after a while.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WorkOptions } from 'inboard/cluster';
import type { Desk, DeskSettings } from './desk.ts';

export const WORK: WorkOptions = { concurrency: 4, leaseMs: 3000, suspendAfterMs: 5000, keepWarmMs: 10_000 };
/** How long a place stays empty after a kill, so that one sees the others take over. */
const REPLACE_MS = 6000;

/** Starts that many workers, and sees to it that there are as many later. */
export async function startWorkers(desk: Desk, settings: DeskSettings, count: number) {
  const start = settings.databaseUrl ? startProcess : startHere;
  const places = new Map<string, { alive: boolean; end: (isKilled: boolean) => Promise<unknown> }>();
  let [started, isClosed] = [0, false];

  async function fill(): Promise<void> {
    if (isClosed) return;
    const name = `worker ${(started += 1)}`;
    places.set(name, { alive: true, end: await start(name, desk, settings) });
  }
  await Promise.all(Array.from({ length: count }, fill));
  return {
    list: () => [...places].map(([name, { alive }]) => ({ name, alive })),
    /** False when there is no such worker any more. */
    async kill(name: string): Promise<boolean> {
      const place = places.get(name);
      if (!place?.alive) return false;
      place.alive = false;
      await place.end(true);
      setTimeout(() => void (places.delete(name) && fill()), REPLACE_MS);
      return true;
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...places.values()].map(async ({ alive, end }) => alive && (await end(false))));
    },
  };
}

export type Workers = Awaited<ReturnType<typeof startWorkers>>;

async function startProcess(name: string, _desk: Desk, settings: DeskSettings) {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [name], {
    execArgv: ['--import', 'jiti/register'],
    env: { ...process.env, DESK_SETTINGS: JSON.stringify(settings) },
  });
  const gone = once(child, 'exit');
  await Promise.race([once(child, 'message'), gone]);
  return (isKilled: boolean) => (child.kill(isKilled ? 'SIGKILL' : 'SIGTERM'), gone);
}

async function startHere(name: string, { cluster }: Desk) {
  const worker = await cluster.work({ ...WORK, name });
  return () => worker.close();
}
