// Parks a turn that waits only for people and pending calls. Its questions stay in the journal, and its CLI and place become
// free.
import { clock } from '@inboard/core/util/system/clock.js';
import type { EventPublisher } from './event-publisher.js';
import type { LeasedTurn } from './leased-turn.js';

/** Decides when to park a turn, and parks it. The caller that makes this object ends it with the turn. */
export class TurnParking {
  readonly #state: LeasedTurn;
  readonly #publisher: EventPublisher;
  #isParking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(state: LeasedTurn, publisher: EventPublisher) {
    this.#state = state;
    this.#publisher = publisher;
  }

  /**
   * Decides again whether the turn can be parked. Call it when calls or questions have changed, or when the CLI has said
   * something.
   */
  review(): void {
    clock.clearTimeout(this.#timer);
    const state = this.#state;
    const { session, host } = state.context;
    if (this.#isParking || !session || !state.isUnderWay || session.calls.open.working > 0) return;
    if (state.isDraining) {
      if (session.onlyWaits) void this.#park();
      else if (session.openQuestions.length === 0 && session.calls.heldBack > 0)
        state.leave({ why: 'handedOver' });
    } else if (session.onlyWaits) {
      this.#timer = clock.setTimeout(() => void this.#parkUnlessKept(), host.settings.suspendAfterMs);
    }
  }

  end(): void {
    clock.clearTimeout(this.#timer);
  }

  /** A worker that drains does not ask about servers, because its CLIs end in any case. */
  async #parkUnlessKept(): Promise<void> {
    if ((await this.#state.context.session?.keepsServers()) !== true) await this.#park();
  }

  async #park(): Promise<void> {
    const state = this.#state;
    const { session, host, lease } = state.context;
    const { id: turn } = state.record;
    if (this.#isParking || !state.isUnderWay || state.held.isStopping || session?.onlyWaits !== true) return;
    this.#isParking = true;
    // Answers that come now are held back. If the turn is parked, the worker that continues it finds them. Otherwise this CLI
    // gets them.
    const questions = session.hold();
    try {
      await this.#publisher.settled();
      const turnCostUsd = await state.readCost();
      const { journal } = host.parts;
      const isParked = await lease.write(() => journal.park(lease.fence, turn, { questions, turnCostUsd }));
      if (isParked) {
        host.emit({ type: 'turn-parked', key: lease.fence.key, turn, questions: questions.length });
        state.leave({ why: 'parked' });
      } else if (state.isDraining) state.leave({ why: 'handedOver' });
      else {
        session.goOn();
        // One of the questions may have an answer of which no waiter was told.
        host.hub.tell({ key: lease.fence.key, kind: 'answer' });
        this.#isParking = false;
        this.review();
      }
    } catch (error) {
      state.leave({ why: 'failed', error });
    }
  }
}
