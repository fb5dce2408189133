// Messages that get no answer although the CLI is idle: it has read them together with others and named none, or drops
// one whose uuid it knows. A request written behind them shows that they were read, since the CLI reads in order and
// reports a turn it begins before it answers; if it is idle then, it is done with all of them.
import { afterReading } from '../../util/timers.js';
import type { TurnLedger } from './turn-ledger.js';

/**
 * How long a CLI that reports its state may be idle with a message open, where more may be written. A message that was just
 * written meets the `idle` of the turn before.
 */
const IDLE_MS = 1_000;
/** The same for the silence of a CLI that does not report its state, between turns: before a turn begins, hooks may run and servers connect. */
const SILENT_MS = 60_000;
/** The silence after which an idle CLI counts as having answered the request. */
const ANSWER_MS = 5_000;

export interface IdleCheckOptions {
  turns: TurnLedger;
  /** Whether more may be written or a callback runs, so that nothing waits for the answer. */
  isHeld(): boolean;
  /** Milliseconds since the CLI last sent something or was answered. */
  silentMs(): number;
  /** Sends a request that every CLI answers. */
  ask(): Promise<unknown>;
  /** What was open is done with; `uuids` are those of messages that the CLI has not taken up. */
  onDone(uuids: readonly string[]): void;
  /** One of its own requests no longer counts as open. */
  onSettled(): void;
}

/** One per live CLI. */
export class IdleCheck {
  readonly #options: IdleCheckOptions;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #openRequests = 0;
  #isStopped = false;

  constructor(options: IdleCheckOptions) {
    this.#options = options;
  }

  /** How many requests of its own have no answer. */
  get openRequests(): number {
    return this.#openRequests;
  }

  /** Looks whether there is something to find out; called whenever that may have changed. */
  look(): void {
    if (this.#isAsking || this.#isStopped || !this.#isIdleWithOpen()) return;
    const { turns } = this.#options;
    if (turns.state === 'idle' && turns.isAllRead) this.#conclude();
    else if (turns.state === 'idle' && !this.#options.isHeld()) this.#ask();
    else if (this.#timer === undefined) this.#arm(turns.state === 'idle' ? IDLE_MS : SILENT_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #isIdleWithOpen(): boolean {
    const { turns } = this.#options;
    return turns.unanswered > 0 && turns.isBetweenTurns;
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => this.#expire(), ms);
    this.#timer.unref();
  }

  #expire(): void {
    this.#timer = undefined;
    if (this.#isStopped || !this.#isIdleWithOpen()) return;
    const { turns } = this.#options;
    const missingMs = turns.state === 'idle' ? 0 : SILENT_MS - this.#options.silentMs();
    if (missingMs > 1) this.#arm(missingMs);
    else this.#ask();
  }

  #ask(): void {
    clearTimeout(this.#timer);
    this.#isAsking = true;
    const { turns } = this.#options;
    const count = turns.written;
    const waitFor = (ms: number): void => {
      this.#timer = setTimeout(() => afterReading(giveUp), ms).unref();
    };
    const giveUp = (): void => {
      if (!this.#isAsking || this.#isStopped) return;
      const missingMs = ANSWER_MS - this.#options.silentMs();
      if (missingMs > 1) waitFor(missingMs);
      else answered();
    };
    const answered = (): void => {
      if (!this.#isAsking || this.#isStopped) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#isAsking = false;
      turns.noteRead(count);
      if (turns.isAllRead && this.#isIdleWithOpen()) this.#conclude();
      else this.look();
    };
    // Counts as answered after so much silence: an idle CLI that does not answer has nothing to say about messages either.
    waitFor(ANSWER_MS);
    this.#openRequests += 1;
    const settled = (): void => {
      this.#openRequests -= 1;
      answered();
      // Lines that came together with the answer were looked at while it still counted as open.
      this.#options.onSettled();
    };
    this.#options.ask().then(settled, settled);
  }

  #conclude(): void {
    this.#options.onDone(this.#options.turns.dropOpen());
  }
}
