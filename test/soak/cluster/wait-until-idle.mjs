// Waits until a cluster has nothing under way: no lease is held, and no worker has a CLI.
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a machine that does other things as well. What is not idle by then has a leak, and the measure shows it. */
const LONGEST_MS = 20_000;

/** Returns when nothing is warm, or after the longest wait: then what still lives is counted. */
export async function waitUntilIdle({ scene, workers }) {
  const until = performance.now() + LONGEST_MS;
  while (performance.now() < until) {
    const { leases } = await scene.journal.stats();
    if (leases === 0 && workers.every((worker) => worker.countChildren() === 0)) return;
    await sleep(100);
  }
}
