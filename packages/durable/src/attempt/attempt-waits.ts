// Follows what the calls of an attempt do by the facts that are recorded about them.
import { isOpenPending, type KnownCalls } from '@inboard/core/record/calls/fold-facts.js';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';
import { OpenCalls } from './open-calls.js';

/** One per attempt. */
export class AttemptWaits {
  readonly calls = new OpenCalls();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Takes over the calls that an earlier attempt left pending. */
  recall(known: KnownCalls): void {
    for (const call of known.list()) {
      if (!isOpenPending(call)) continue;
      this.calls.begin(call.callKey, call);
      this.calls.pend(call.callKey, call.pending?.note);
    }
  }

  /** Notes a fact that is being recorded. */
  note(fact: CallFact): void {
    if (fact.type === 'covers') return;
    const { callKey } = fact;
    const { calls } = this;
    switch (fact.type) {
      case 'begun':
        calls.drop(callKey);
        calls.begin(callKey, fact);
        break;
      case 'waiting':
        calls.wait(callKey);
        break;
      case 'working':
        calls.goOn(callKey);
        break;
      case 'pending':
        calls.pend(callKey, fact.note);
        break;
      case 'ended':
      case 'left':
      case 'withdrawn':
        calls.drop(callKey);
        break;
      default:
        return;
    }
    this.#onChange();
  }
}
