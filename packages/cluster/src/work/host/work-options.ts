// The options of a worker and of a step, and their results. Types only.
import type { WorkerEvent } from './worker-event.js';

/** How a process works. */
export interface WorkOptions {
  /** How many turns run at the same time. Default 4. */
  concurrency?: number | undefined;
  /**
   * How many conversations beyond `concurrency` may be taken over from workers that died or hand them over, while all places
   * are taken. No new turn begins until enough turns have ended to make up for them. Default 0: they are first in line.
   */
  recoveryConcurrency?: number | undefined;
  /**
   * Milliseconds a lease is valid, by the journal's clock. It is renewed after a third of that time. If it cannot be renewed,
   * the CLI is killed half a second before the end. Default 3000, at least 1000.
   */
  leaseMs?: number | undefined;
  /** Milliseconds a CLI is kept while a person is being asked. Then it is ended, and its place becomes free. Default 30 000. */
  holdApprovalMs?: number | undefined;
  /** Milliseconds an idle conversation keeps its CLI and its lease. Default 20 000; 0 means not at all. */
  keepWarmMs?: number | undefined;
  /** Milliseconds that turns have to finish, or be handed over, when the worker is to end. Default 20 000. */
  drainMs?: number | undefined;
  /** Milliseconds between two sweeps for conversations that no worker was woken for. Default 600. */
  sweepMs?: number | undefined;
  /**
   * How often a turn is tried if its agent, CLI or worker fails or its lease is lost, before it ends with a named error.
   * Parking and handing over do not count. Default 10, because overloaded workers lose leases as well.
   */
  maxAttempts?: number | undefined;
  /** The name of the worker in leases and lists. Default: host, process id and some random letters. */
  name?: string | undefined;
  /** Called for everything the worker does, as it happens. */
  onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** How one lease is worked on. */
export type StepOptions = Omit<WorkOptions, 'concurrency' | 'recoveryConcurrency' | 'sweepMs' | 'drainMs'> & {
  /** Ends the work early: the turn is handed over. */
  signal?: AbortSignal | undefined;
};

/** The result of working on a conversation once. */
export type StepOutcome =
  /**
   * `ended` counts the turns that ended. `left` is `parked` when the last one waits for a person, `handedOver` when it was left
   * for another worker, and `lost` when another worker has it.
   */
  | { state: 'worked'; ended: number; left?: 'parked' | 'handedOver' | 'lost' | undefined }
  /** Another worker has it, for at least this long. */
  | { state: 'held'; forMs: number }
  /** Nothing to do now; `afterMs` until there is. */
  | { state: 'idle'; afterMs?: number | undefined }
  | { state: 'paused'; forMs: number }
  | { state: 'unknown' };

/** A worker process. Close it when you are done. */
export interface ClusterWorker extends AsyncDisposable {
  readonly name: string;
  /** What it is doing. */
  stats(): WorkerStats;
  /** Takes on nothing new; resolves when all turns have finished or been handed over. */
  drain(): Promise<void>;
  /**
   * Resolves when the process was told to end (SIGTERM or SIGINT) and the worker is drained. A second signal ends the process
   * at once. Rejects with a ClusterError JOURNAL_VERSION when the worker has ended by itself, because the journal needs a newer
   * version of this package.
   */
  untilSignal(): Promise<void>;
  /** Ends at once: turns under way are left for others. */
  close(): Promise<void>;
}

/** What a worker is doing. */
export interface WorkerStats {
  /** Turns in progress, and conversations whose CLI is waiting for more. */
  running: number;
  warm: number;
  /** Leases since the start, those taken over from dead workers, and those lost. */
  leases: number;
  takeovers: number;
  lost: number;
  turns: number;
  parked: number;
  handedOver: number;
}
