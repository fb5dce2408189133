// What several views say about a session: its turns, tokens, cost, calls and errors. Each is decided here, once, so that no
// two views can differ.
import { CallFates } from '@inboard/core/record/trace/timeline/call-fates.js';
import { ErrorCount } from '@inboard/core/record/trace/timeline/error-count.js';
import { TimeReader } from '@inboard/core/record/trace/timeline/readable-step.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { InspectorEvent } from '../../stream/inspector-event.js';
import { TokenMeter } from './token-meter.js';
import { TurnCounter } from './turn-counter.js';
import { TurnTally } from './turn-tally.js';

/** The facts of one session, as of the last event. */
export class KnownFacts {
  readonly turns = new TurnCounter();
  readonly tokens = new TokenMeter();
  readonly calls = new CallFates();
  readonly errors = new ErrorCount(this.calls);
  readonly tally = new TurnTally();
  readonly #times = new TimeReader();
  /** The time of the last event. */
  t = 0;
  /** When the last turn began. */
  #turnT = 0;

  push(event: InspectorEvent): void {
    this.t = this.#times.readOf(event);
    const wasOpen = this.turns.isOpen;
    this.turns.push(event);
    if (this.turns.hasBegun) this.#turnT = this.t;
    this.calls.push(event);
    this.errors.push(event);
    this.tally.push(this.turns, this.calls, this.errors);
    if (wasOpen && this.turns.hasBegun) this.tokens.giveUpTurn();
    if (event.type === 'header') this.tokens.startOver();
    if (event.type === 'frame' && event.dir === 'in' && isRecord(event.frame)) this.tokens.take(event.frame);
  }

  /**
   * How long the last turn has taken, from its prompt on. The CLI's own figure, `reported`, leaves out what came before it, such as
   * its start, so that the time would shrink at the end. Only where the prompt was not seen may the CLI know more.
   */
  turnTime(reported: number): number {
    const seen = this.t - this.#turnT;
    return this.turns.isPrompted ? seen : Math.max(seen, reported);
  }
}

/** The facts that a ledger reads. Without `given`, it keeps facts of its own, which get each event through it. */
export function useFacts(given: KnownFacts | undefined): {
  facts: KnownFacts;
  push: (event: InspectorEvent) => void;
} {
  if (given) return { facts: given, push: () => {} };
  const facts = new KnownFacts();
  return { facts, push: (event) => facts.push(event) };
}
