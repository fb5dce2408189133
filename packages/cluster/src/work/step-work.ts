// What one step works with: its lease and CLI, the turns that end in it, and the caller's listener. A step that keeps its CLI leaves all
// of this to the next one.
import type { Journal } from '../journal/journal.js';
import type { HostParts } from './host/host-parts.js';
import type { TakenLease } from './host/lease-keeper.js';
import { WorkHost } from './host/work-host.js';
import type { SteppedTurn, StepOptions, WorkOptions } from './host/work-options.js';
import { ConversationRun } from './turns/conversation-run.js';

/** The work of one step, or of several that share a CLI. The caller that opens it closes it. */
export class StepWork {
  readonly key: string;
  readonly host: WorkHost;
  /** The turns that have ended in the step. */
  turns: SteppedTurn[] = [];
  run: ConversationRun | undefined;
  readonly #settings: string;
  #onEvent: WorkOptions['onEvent'];

  static async open(parts: HostParts, key: string, options: StepOptions): Promise<StepWork> {
    const work = new StepWork(parts, key, options);
    await work.host.hub.open();
    return work;
  }

  private constructor(parts: HostParts, key: string, options: StepOptions) {
    this.key = key;
    this.#settings = nameSettings(options);
    this.#onEvent = options.onEvent;
    const { turn: _turn, waitMs: _wait, signal: _signal, onEvent, ...settings } = options;
    const told: HostParts = {
      ...parts,
      onTurnEnding: (turn) => {
        const settle = parts.onTurnEnding?.(turn);
        return (outcome) => {
          if (outcome) this.turns.push({ id: turn.id, outcome });
          settle?.(outcome);
        };
      },
    };
    this.host = new WorkHost(told, {
      ...settings,
      keepWarmMs: settings.keepWarmMs ?? 0,
      ...(onEvent && { onEvent: (event) => this.#onEvent?.(event) }),
    });
  }

  get journal(): Journal {
    return this.host.parts.journal;
  }

  start(taken: Extract<TakenLease, { state: 'granted' }>): void {
    this.run = new ConversationRun(this.host, taken);
  }

  /** Whether a step with these options can go on with the same lease and CLI. */
  fits(options: StepOptions): boolean {
    const { run } = this;
    return run?.isWarm === true && !run.isOver && this.#settings === nameSettings(options);
  }

  /** Makes this the work of the next step. */
  goOn({ onEvent }: StepOptions): void {
    this.turns = [];
    this.#onEvent = onEvent;
  }

  /** Ends the CLI and gives the lease back, unless that has happened. */
  async leave(): Promise<void> {
    if (this.run?.isOver === false) await this.run.leave();
  }

  /** A step that failed after its turns, as when the journal is away, still has a CLI and a lease. */
  async close(): Promise<void> {
    await this.leave().catch(() => {});
    await this.host.close();
  }
}

/** The options that a CLI and a lease keep for good. */
function nameSettings({
  leaseMs,
  suspendAfterMs,
  suspendWithServers,
  keepWarmMs,
  maxAttempts,
  ...more
}: StepOptions): string {
  const isHeard = more.onEvent !== undefined;
  return JSON.stringify([
    leaseMs,
    suspendAfterMs,
    suspendWithServers,
    keepWarmMs,
    maxAttempts,
    more.name,
    isHeard,
  ]);
}
