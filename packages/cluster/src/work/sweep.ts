// Wakes conversations that no worker was woken for: a worker died, a wake was lost, a time has come. It does not wake one again and
// again while it waits for its turn.
import { clock } from '@inboard/core/util/system/clock.js';
import type { DueConversation } from '../journal/journal.js';
import { withinTime } from './host/within-time.js';
import type { WorkHost } from './host/work-host.js';

const LIMIT = 100;
/** Milliseconds before the same conversation is woken again. */
const AGAIN_MS = 5000;
/** Milliseconds after which a worker should have a conversation that was woken. */
const TAKEN_MS = 1000;

export interface SweepInput {
  host: WorkHost;
  /** Whether this process could work on one more conversation now; there may be places for recovered ones alone. */
  hasRoom: (recovered: boolean) => boolean;
  /** Looks at a conversation here, without a dispatcher. */
  look: (key: string, recovered: boolean) => void;
}

/** Looks for forgotten conversations. */
export class Sweep {
  readonly #input: SweepInput;
  /** When a conversation was woken, or looked at here. */
  readonly #woken = new Map<string, { at: number; isLooked: boolean }>();
  #isBusy = false;

  constructor(input: SweepInput) {
    this.#input = input;
  }

  /** One look. Never rejects; while one is under way, nothing. */
  async look(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const { host } = this.#input;
    try {
      const due = await withinTime(host.parts.journal.due(LIMIT), host.settings.leaseMs);
      this.#forgetOld(clock.performance.now());
      await Promise.all(due.map((conversation) => this.#wake(conversation)));
    } catch (error) {
      host.emit({ type: 'trouble', where: 'journal', error });
    } finally {
      this.#isBusy = false;
    }
  }

  async #wake({ key, recovered }: DueConversation): Promise<void> {
    const { host, hasRoom, look } = this.#input;
    const now = clock.performance.now();
    const woken = this.#woken.get(key);
    const sinceMs = woken === undefined ? Infinity : now - woken.at;
    // A recovered one that was woken where there was no place waits for the first that is free, here or elsewhere.
    if (sinceMs < TAKEN_MS && (woken?.isLooked || !recovered)) return;
    // What a dead worker left goes first, also before all that waits in the dispatcher. And where there is a place, and a wake led
    // to nothing, the dispatcher is away, or gives its wakes to a worker that has lost the journal.
    if (hasRoom(recovered) && (recovered || sinceMs < Infinity)) {
      this.#woken.set(key, { at: now, isLooked: true });
      look(key, recovered);
    } else if (sinceMs >= AGAIN_MS) {
      this.#woken.set(key, { at: now, isLooked: false });
      if (!(await host.wake(key, { urgent: recovered })) && hasRoom(recovered)) look(key, recovered);
    }
  }

  #forgetOld(now: number): void {
    for (const [key, { at }] of this.#woken) if (now - at >= 2 * AGAIN_MS) this.#woken.delete(key);
  }
}
