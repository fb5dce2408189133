// The types of the options and results of a worker and of a step.
import type { TurnOutcome } from '../../journal/records.js';
import type { RetentionOptions } from '../../journal/retention.js';
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
  /**
   * How many milliseconds turns have to finish when the worker is to end. A turn that needs another tool call is handed over
   * before it, the others after that time. Default 20 000.
   */
  drainMs?: number | undefined;
  /** Milliseconds between two sweeps for conversations that no worker was woken for. Default 600. */
  sweepMs?: number | undefined;
  /**
   * Removes what is older than this policy says, once a day by default, in one worker at a time. Default: nothing is removed.
   */
  retention?: RetentionOptions | undefined;
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

/** How one conversation is worked on for a while. */
export type StepOptions = Omit<
  WorkOptions,
  'concurrency' | 'recoveryConcurrency' | 'sweepMs' | 'drainMs' | 'retention'
> & {
  /**
   * The id of a turn that was sent. The step works up to the end of this turn, and leaves later turns for later steps. Default: all
   * turns that may run now.
   */
  turn?: string | undefined;
  /**
   * Milliseconds to wait while another process has the conversation. If that process has died, its lease runs out in this time.
   * Default 5000, which is longer than a lease lasts by default.
   */
  waitMs?: number | undefined;
  /** Leaves the turn as a crash would, and gives the lease back. The step then rejects with an AbortError. */
  signal?: AbortSignal | undefined;
  /**
   * How many milliseconds the CLI is kept in this process after the step, with the lease, for the next step of the conversation. It
   * does nothing by itself, and is ended sooner if there is work that no step of this process takes. Default 0.
   */
  keepWarmMs?: number | undefined;
};

/** A turn that has ended in a step. */
export interface SteppedTurn {
  id: string;
  outcome: TurnOutcome;
}

/** Why a step could not go on. */
export type StepObstacle =
  /** Another process has the conversation. */
  | 'held'
  /** New turns are put off, because the model is busy. */
  | 'paused'
  /** Running turns have reserved what is left of a budget. A step before `until` may succeed, once one of them has ended. */
  | 'budget'
  /** The next turn was sent with a `notBefore`. */
  | 'later'
  /** The turn failed, and is to be tried again. `onEvent` tells the error. */
  | 'failed';

/** How a step ended, without what is awaited. */
export type StepEnd =
  | { state: 'ended'; outcome: TurnOutcome; turns: SteppedTurn[] }
  | { state: 'waiting'; turn: string; turns: SteppedTurn[] }
  | { state: 'busy'; until: number; why: StepObstacle; turns: SteppedTurn[] }
  | { state: 'lost'; turns: SteppedTurn[] }
  | { state: 'idle' }
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
