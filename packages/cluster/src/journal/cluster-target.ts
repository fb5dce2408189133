// What an inspector needs of a cluster: its conversations, and a way to have them looked at.
import type { Journal } from './journal.js';

/** The conversations of a cluster, as a public object leads an inspector to them. */
export interface ClusterTarget {
  journal: Journal;
  /** Has a worker look at a conversation soon. */
  wake?: ((key: string) => Promise<void>) | undefined;
}
