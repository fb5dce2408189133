// The cluster of a journal, for commands that only list and answer. It starts nothing, and the caller that opened the journal closes it.
import { createCluster } from '@inboard/inboard/cluster.js';
import type { Cluster } from '@inboard/cluster/cluster.js';
import type { Journal } from '@inboard/cluster/journal/journal.js';

/** A cluster without agents of its own. */
export function clusterOf(journal: Journal): Pick<Cluster, 'approvals' | 'calls' | 'audit' | 'prune'> {
  return createCluster({ agents: { none: () => ({}) }, journal });
}
