// Works on one conversation for a while: takes its lease, runs the turns that are due, and gives the lease back, or keeps it with a
// warm CLI. Programs with their own scheduler use it.
import { AbortError } from '@inboard/core/errors.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { sleep } from '@inboard/core/util/timers.js';
import type { Journal } from '../journal/journal.js';
import type { HostParts } from './host/host-parts.js';
import type { TakenLease } from './host/lease-keeper.js';
import type { StepEnd, StepObstacle, StepOptions } from './host/work-options.js';
import { KeptRuns } from './kept-runs.js';
import { StepWork } from './step-work.js';
import type { RunEnd } from './turns/conversation-run.js';

const DEFAULT_WAIT_MS = 5000;
/** Milliseconds between two looks at a lease that another process has. */
const LOOK_EVERY_MS = 250;
/** How often a step looks again if a conversation changes while it looks. */
const MOST_LOOKS = 3;

/** Makes steps for one cluster. The caller that makes it closes it. */
export class Stepper {
  readonly #kept = new KeptRuns();

  /** Rejects if the journal cannot be reached, and with an AbortError once the signal aborts. */
  async step(parts: HostParts, key: string, options: StepOptions = {}): Promise<StepEnd> {
    demand(options.signal);
    const { turn } = options;
    const known = turn === undefined ? undefined : await parts.journal.turn(key, turn);
    if (turn !== undefined && !known) return { state: 'unknown' };
    if (known?.outcome) return { state: 'ended', outcome: known.outcome, turns: [] };
    const kept = await this.#kept.take(key, options);
    const end = kept && (await this.#closing(kept, () => this.#work(kept, options)));
    if (end) return end;
    const work = await StepWork.open(parts, key, options);
    return await this.#closing(work, () => this.#begin(work, options));
  }

  close(): Promise<void> {
    return this.#kept.close();
  }

  async #closing<T>(work: StepWork, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } finally {
      if (!this.#kept.has(work)) await work.close();
    }
  }

  async #begin(work: StepWork, options: StepOptions): Promise<StepEnd> {
    for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
      const taken = await takePatiently(work, options);
      if (taken.state === 'granted') work.start(taken);
      const end =
        taken.state === 'granted'
          ? await this.#work(work, options)
          : await describeRefusal(work, taken, options.turn);
      // A lease that was given back is asked for again: then the journal says why the turn cannot run.
      if (end) return end;
    }
    return describeBusy(work, 'held', LOOK_EVERY_MS);
  }

  /** Runs turns under the lease. Undefined if the turn that is wanted could not run. */
  async #work(work: StepWork, { signal, turn }: StepOptions): Promise<StepEnd | undefined> {
    const forget = signal && onAbort(signal, () => work.run?.handOver());
    let end: RunEnd | undefined;
    try {
      end = await work.run?.work(turn);
    } finally {
      forget?.();
    }
    const found = end === 'idle' && !signal?.aborted ? await describeEnd(work, turn) : undefined;
    if (end === 'idle' && !(found && this.#kept.add(work))) await work.leave();
    demand(signal);
    const { turns, run } = work;
    switch (end) {
      case 'parked':
        return { state: 'waiting', turn: run?.turnId ?? '', turns };
      case 'lost':
        return { state: 'lost', turns };
      case 'waiting':
        return describeBusy(work, 'budget', run?.retryAfterMs ?? LOOK_EVERY_MS);
      case 'failed':
      case 'handedOver':
        return describeBusy(work, 'failed', Math.max(LOOK_EVERY_MS, run?.retryAfterMs ?? 0));
      default:
        return found;
    }
  }
}

/** How a step ended that has nothing left to do. Undefined if the wanted turn has not ended. */
async function describeEnd(work: StepWork, turn: string | undefined): Promise<StepEnd | undefined> {
  const { turns, journal, key } = work;
  const outcome = turn === undefined ? turns.at(-1)?.outcome : (await journal.turn(key, turn))?.outcome;
  if (outcome) return { state: 'ended', outcome, turns };
  return turn === undefined ? { state: 'idle' } : undefined;
}

/** Asks for the lease, and waits for a while if another process has it. */
async function takePatiently(
  { host, key }: StepWork,
  { waitMs = DEFAULT_WAIT_MS, signal }: StepOptions,
): Promise<TakenLease> {
  const giveUpAt = clock.performance.now() + waitMs;
  for (;;) {
    demand(signal);
    const taken = await host.keeper.take(key);
    const leftMs = giveUpAt - clock.performance.now();
    if (taken.state !== 'held' || leftMs <= 0) return taken;
    await Promise.race([
      sleep(Math.min(leftMs, taken.forMs + 1, LOOK_EVERY_MS)),
      ...(signal ? [aborted(signal)] : []),
    ]);
  }
}

/** Why no lease was granted. Undefined if that has changed meanwhile. */
async function describeRefusal(
  work: StepWork,
  refused: Exclude<TakenLease, { state: 'granted' }>,
  turn: string | undefined,
): Promise<StepEnd | undefined> {
  const { journal, key, turns } = work;
  if (refused.state === 'unknown') return { state: 'unknown' };
  if (refused.state !== 'idle') return describeBusy(work, refused.state, refused.forMs);
  if (refused.afterMs !== undefined) return describeBusy(work, 'later', refused.afterMs);
  const waiting = await findParked(journal, key);
  if (waiting !== undefined) return { state: 'waiting', turn: waiting, turns };
  return await describeEnd(work, turn);
}

function describeBusy({ turns }: StepWork, why: StepObstacle, forMs: number): StepEnd {
  return { state: 'busy', until: clock.Date.now() + forMs, why, turns };
}

/** The id of the turn that waits for people or pending calls. */
async function findParked(journal: Journal, key: string): Promise<string | undefined> {
  const [question] = await journal.questions({ key, limit: 1 });
  return question?.turn;
}

function demand(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortError('The step was aborted', { cause: signal.reason });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, resolve));
}
