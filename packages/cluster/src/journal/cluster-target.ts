// The view of a cluster that an inspector gets: its journal, and a way to wake workers.
import type { Journal } from './journal.js';

/** A cluster, as an inspector gets it. */
export interface ClusterTarget {
  journal: Journal;
  /** Has a worker look at a conversation soon. */
  wake?: ((key: string) => Promise<void>) | undefined;
}
