// How a process works: how much at a time, and how long it waits for what.
import type { WorkerEvent } from './worker-event.js';

/** How a process works. */
export interface WorkOptions {
  /** Turns at a time. Default 4. */
  concurrency?: number | undefined;
  /** Conversations beyond `concurrency` that are taken over from workers that died, or hand them over, while all places are taken; as turns end, none begins until they are made up for. Default 0: they are first in line. */
  recoveryConcurrency?: number | undefined;
  /** Milliseconds a lease is valid, by the journal's clock. It is renewed after a third of them; without a renewal the CLI is killed half a second before the end. Default 3000, at least 1000. */
  leaseMs?: number | undefined;
  /** Milliseconds a CLI is kept while a person is asked; then it ends, and its place is free. Default 30 000. */
  holdApprovalMs?: number | undefined;
  /** Milliseconds an idle conversation keeps its CLI and its lease. Default 20 000; 0 for not at all. */
  keepWarmMs?: number | undefined;
  /** Milliseconds in which turns finish, or are handed over, when the worker is to end. Default 20 000. */
  drainMs?: number | undefined;
  /** Milliseconds between two looks for conversations that nobody was woken for. Default 600. */
  sweepMs?: number | undefined;
  /** How often a turn is tried whose agent, CLI or worker fails, or whose lease is lost, before it ends with a named error; parking and handing over do not count. Default 10: workers that are overloaded lose leases, too. */
  maxAttempts?: number | undefined;
  /** Names the worker in leases and lists. Default: host, process id and some letters by chance. */
  name?: string | undefined;
  /** What the worker does, as it does it. */
  onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** How one lease is worked on. */
export type StepOptions = Omit<WorkOptions, 'concurrency' | 'recoveryConcurrency' | 'sweepMs' | 'drainMs'> & {
  /** Ends the work early: the turn is handed over. */
  signal?: AbortSignal | undefined;
};

/** What became of one look at a conversation. */
export type StepOutcome =
  /** Turns that ended; `parked` when the last one waits for a person, `handedOver` when it was left for another worker, `lost` when another worker has it. */
  | { state: 'worked'; ended: number; left?: 'parked' | 'handedOver' | 'lost' | undefined }
  /** Somebody else has it, for at least so long. */
  | { state: 'held'; forMs: number }
  /** Nothing to do now; `afterMs` until there is. */
  | { state: 'idle'; afterMs?: number | undefined }
  | { state: 'paused'; forMs: number }
  | { state: 'unknown' };

/** A process that works. Whoever starts it closes it. */
export interface ClusterWorker extends AsyncDisposable {
  readonly name: string;
  /** What it is doing. */
  stats(): WorkerStats;
  /** Takes nothing new; resolves when all turns have finished or were handed over. */
  drain(): Promise<void>;
  /** Resolves when the process was told to end (SIGTERM or SIGINT) and the worker is drained; a second signal ends the process at once. */
  untilSignal(): Promise<void>;
  /** Ends at once: turns under way are left for others. */
  close(): Promise<void>;
}

/** What a worker is doing. */
export interface WorkerStats {
  /** Turns under way, and conversations whose CLI waits for more. */
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
