// Everything that a page knows about one session. Its only input is the events. Each ledger holds one aspect, and knows
// neither the other ledgers nor the page or the server. What several of them say is in the facts, which all of them read.
import type { NumberedEvent } from '../stream/inspector-event.js';
import { CostLedger } from './cost/cost-ledger.js';
import { KnownFacts } from './facts/known-facts.js';
import { SummaryLedger } from './summary-ledger.js';
import { Story } from './story/story.js';
import { TimeLedger } from './time/time-ledger.js';
import { ToolLedger } from './tools/tool-ledger.js';
import { WireLedger } from './wire/wire-ledger.js';

/** One session, as far as its events were read. */
export class SessionModel {
  readonly id: string;
  readonly #facts = new KnownFacts();
  readonly summary: SummaryLedger;
  readonly story = new Story(this.#facts);
  readonly wire = new WireLedger();
  readonly time = new TimeLedger(this.#facts);
  readonly tools = new ToolLedger(this.#facts);
  readonly cost = new CostLedger(this.#facts);
  /** The calls and errors of each turn. */
  readonly tally = this.#facts.tally;
  /** The number of the last event. */
  last = 0;
  #isCutOff = false;

  constructor(id: string) {
    this.id = id;
    this.summary = new SummaryLedger(id, this.#facts);
  }

  /** Takes the next event, and the line it was decoded from if the caller has it. Ignores an event that was taken before. */
  push(event: NumberedEvent, line?: string): void {
    if (event.n <= this.last) return;
    this.last = event.n;
    // The facts come first, because the ledgers read them.
    this.#facts.push(event.event);
    this.summary.push(event);
    this.story.push(event);
    this.wire.push(event, line);
    this.time.push(event);
    this.tools.push(event);
    this.cost.push(event);
  }

  /** Whether it was ended without an event that says so. If the session goes on after all, it has to be read again. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** Ends a session that has no end: a recording, or one whose program is gone. What was open is cut off in every view. */
  cutOff(): void {
    if (this.#isCutOff) return;
    this.#isCutOff = true;
    const over = { n: this.last, s: this.id, event: { type: 'over', t: this.#facts.t } } as const;
    this.#facts.push(over.event);
    this.summary.cutOff();
    this.story.cutOff();
    for (const ledger of [this.time, this.tools, this.cost]) ledger.push(over);
  }
}
