// The types of the options and results of a worker and of a step.
import type { WorkerEvent } from './worker-event.js';

/** How a process works. */
export interface WorkOptions {
  /** How many turns run at the same time. Default 4. */
  concurrency?: number | undefined;
  /**
   * How many conversations beyond `concurrency` may be taken over from workers that died or handed them over, while all places
   * are taken. No new turn begins until as many turns have ended. Default 0: such conversations wait, but get the next free
   * place.
   */
  recoveryConcurrency?: number | undefined;
  /**
   * How many milliseconds a lease is valid, by the journal's clock. It is renewed after a third of that time. If it cannot be
   * renewed, the CLI is killed half a second before the end. Default 3000, at least 1000.
   */
  leaseMs?: number | undefined;
  /**
   * How many milliseconds a CLI is kept while its turn waits only for people and pending calls. Then it ends, and its place
   * becomes free, until an answer lets the turn go on. Default 30 000.
   */
  suspendAfterMs?: number | undefined;
  /**
   * Also ends the CLI of a waiting turn where stdio MCP servers end with it. Default false: the CLI is kept, and the warning
   * `CLI_KEPT_WAITING` says so, once for each session.
   */
  suspendWithServers?: boolean | undefined;
  /**
   * How many milliseconds an idle conversation keeps its CLI and its lease. Default 20 000. With 0, it gives them up at once.
   */
  keepWarmMs?: number | undefined;
  /** How many milliseconds turns have to finish when the worker is to end. After that they are handed over. Default 20 000. */
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
  /** Called for each event of the worker, as it happens. */
  onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** How one lease is worked on. */
export type StepOptions = Omit<WorkOptions, 'concurrency' | 'recoveryConcurrency' | 'sweepMs' | 'drainMs'> & {
  /** Ends the work early. The turn is handed over. */
  signal?: AbortSignal | undefined;
};

/** The result of working on a conversation once. */
export type StepOutcome =
  /**
   * `ended` counts the turns that ended. `left` is `parked` when the last one waits for a person, `handedOver` when it was left
   * for another worker, and `lost` when the lease was lost.
   */
  | { state: 'worked'; ended: number; left?: 'parked' | 'handedOver' | 'lost' | undefined }
  /** Another worker has the lease for at least `forMs` milliseconds more. */
  | { state: 'held'; forMs: number }
  /** There is nothing to do now. `afterMs` is the time until the next turn may begin. */
  | { state: 'idle'; afterMs?: number | undefined }
  | { state: 'paused'; forMs: number }
  | { state: 'unknown' };

/** A worker process. Close it when you are done. */
export interface ClusterWorker extends AsyncDisposable {
  readonly name: string;
  /** The numbers of its work, now and since its start. */
  stats(): WorkerStats;
  /** Takes on nothing new. Resolves when all turns have finished or been handed over. */
  drain(): Promise<void>;
  /**
   * Resolves when the process was told to end (SIGTERM or SIGINT) and the worker is drained. A second signal ends the process
   * at once. Rejects with a ClusterError JOURNAL_VERSION when the worker has ended by itself, because the journal needs a newer
   * version of this package.
   */
  untilSignal(): Promise<void>;
  /** Ends at once. Turns under way are left for other workers. */
  close(): Promise<void>;
}

/** The numbers of a worker: what it is doing now, and what it has done since its start. */
export interface WorkerStats {
  /** Turns in progress, and conversations whose CLI is waiting for more. */
  running: number;
  warm: number;
  /**
   * All leases since the start, those taken over from dead workers, and those lost. The other numbers also count since the
   * start.
   */
  leases: number;
  takeovers: number;
  lost: number;
  turns: number;
  parked: number;
  handedOver: number;
}
