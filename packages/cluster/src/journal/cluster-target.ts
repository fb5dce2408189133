// The view of a cluster that an inspector gets: its journal, and a way to wake workers.
import type { Journal } from './journal.js';

/** The conversations of a cluster, for an inspector. */
export interface ClusterTarget {
  journal: Journal;
  /** Has a worker look at a conversation soon. */
  wake?: ((key: string) => Promise<void>) | undefined;
}
