// The figures of a cluster, which the head of the fleet view shows, and of one conversation. Types only.
import type { JournalStats, Pause, WorkerRecord } from '@inboard/cluster/journal/records.js';

/** A cluster in numbers, as its journal has them. */
export interface ClusterFigures {
  stats: JournalStats;
  /**
   * The workers that reported within the last minute, even if they are silent now. Undefined if only one tenant
   * is shown, because workers belong to no tenant.
   */
  workers: readonly WorkerRecord[] | undefined;
  pauses: readonly Pause[];
  /** Why some conversations are not listed; undefined if all are. */
  leftOut: string | undefined;
  /** Why the journal cannot be read now. Then the figures are those of the last successful reading. */
  trouble: string | undefined;
}

/** What the journal knows of a conversation besides its events. */
export interface ConversationFigures {
  agent: string;
  tenant: string | undefined;
  /** The worker that works on it; undefined if none does. */
  owner: string | undefined;
  /** Messages that wait to begin. */
  queued: number;
}
