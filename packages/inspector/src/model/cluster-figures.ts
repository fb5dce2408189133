// What is known of a cluster as a whole: for the head of its fleet. Types only.
import type { JournalStats, Pause, WorkerRecord } from '@inboard/cluster/journal/records.js';

/** A cluster in numbers, as its journal has them. */
export interface ClusterFigures {
  stats: JournalStats;
  /** Those that reported within the last minute, also those that are silent since; undefined where only one tenant is shown, to which none belongs. */
  workers: readonly WorkerRecord[] | undefined;
  pauses: readonly Pause[];
  /** Why there are conversations that are not listed; undefined when all are. */
  leftOut: string | undefined;
  /** Why the journal cannot be read now: the figures are those of the last time. */
  trouble: string | undefined;
}

/** Whose a conversation is, and who has it. */
export interface ConversationFigures {
  agent: string;
  tenant: string | undefined;
  /** The worker that has it. */
  owner: string | undefined;
  /** Messages that wait to begin. */
  queued: number;
}
