// Keeps idle conversations with their CLI and lease for a while. If there are too many, the one that has rested longest is
// ended first.
import { clock } from '@inboard/core/util/system/clock.js';
import type { ConversationRun } from './turns/conversation-run.js';

export interface WarmRunsInput {
  keepMs: number;
  limit: number;
  /** Called when a conversation may have something to do. */
  onWork: (run: ConversationRun) => void;
  /** Called when a conversation has rested long enough. */
  onCold: (run: ConversationRun) => void;
}

interface Rest {
  timer: NodeJS.Timeout;
  /** When the rest began. If a conversation wakes up but ends no turn, its earlier rest goes on. */
  since: number;
  ended: number;
}

/** The warm conversations of a worker. */
export class WarmRuns {
  readonly #input: WarmRunsInput;
  readonly #resting = new Map<ConversationRun, Rest>();
  readonly #before = new WeakMap<ConversationRun, Rest>();
  #isClosed = false;

  constructor(input: WarmRunsInput) {
    this.#input = input;
  }

  get size(): number {
    return this.#resting.size;
  }

  /** Lets a conversation rest. False if it may not. */
  add(run: ConversationRun): boolean {
    const { keepMs, limit, onWork } = this.#input;
    const before = this.#before.get(run);
    const since = before?.ended === run.ended ? before.since : clock.performance.now();
    const leftMs = since + keepMs - clock.performance.now();
    if (this.#isClosed || keepMs <= 0 || leftMs <= 0 || limit <= 0) return false;
    const timer = clock.setTimeout(() => this.#endRest(run, this.#input.onCold), leftMs);
    this.#resting.set(run, { timer, since, ended: run.ended });
    run.onWork = () => this.#endRest(run, onWork);
    const [oldest] = this.#resting.keys();
    if (this.#resting.size > limit && oldest) this.#endRest(oldest, this.#input.onCold);
    return true;
  }

  /** Ends all rests. */
  close(): void {
    this.#isClosed = true;
    for (const run of this.#resting.keys()) this.#endRest(run, this.#input.onCold);
  }

  #endRest(run: ConversationRun, then: (run: ConversationRun) => void): void {
    const rest = this.#resting.get(run);
    if (!rest) return;
    clock.clearTimeout(rest.timer);
    this.#resting.delete(run);
    this.#before.set(run, rest);
    run.onWork = undefined;
    then(run);
  }
}
