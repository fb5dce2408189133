// Clusters of a test: on the stand-in worker, closed when the test ends.
import { afterEach } from 'vitest';
import type { Cluster, ClusterInput } from '../../src/cluster.js';
import { checkClusterInput } from '../../src/check-input.js';
import { memoryDispatcher } from '../../src/dispatch/memory-dispatcher.js';
import { joinCluster } from '../../src/join-cluster.js';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import type { Agents } from '../../src/work/host/agents.js';
import { standIn, type Play } from './stand-in-worker.js';

const AGENTS = { support: () => ({}) };

/** Makes clusters; `play` says what their workers do. */
export function useClusters(): (input?: Partial<ClusterInput>, play?: Play) => Cluster {
  const open: Cluster[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((cluster) => cluster.close()));
  });
  return (given = {}, play) => {
    const input = {
      agents: AGENTS as Agents,
      journal: memoryJournal(),
      dispatcher: memoryDispatcher(),
      ...given,
    };
    checkClusterInput(input);
    const cluster = joinCluster(input, standIn(play));
    open.push(cluster);
    return cluster;
  };
}

/** The first so many of what is read; leaves the reader then. */
export async function take<T>(reader: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  if (count === 0) return taken;
  for await (const item of reader) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}
