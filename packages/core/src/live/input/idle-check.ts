// Finds messages that an idle CLI will not answer any more. The CLI may have read them together with others without
// naming them, or may have dropped one whose uuid it knows. To find out, a request is written behind them. The CLI reads in
// order, and reports a turn before it answers. So if it is idle when it answers, it is done with all of these messages.
import { afterReading } from '../../util/timers.js';
import type { TurnLedger } from './turn-ledger.js';

/**
 * How long a CLI that reports its state may be idle while a message is open and more may be written. Just after a message
 * was written, the last report may still be the `idle` of the turn before.
 */
const IDLE_MS = 1_000;
/**
 * How long a CLI that does not report its state may be silent between turns while a message is open. Hooks may run and
 * servers may connect before a turn begins.
 */
const SILENT_MS = 60_000;
/** The silence after which an idle CLI counts as having answered the request. */
const ANSWER_MS = 5_000;

export interface IdleCheckOptions {
  turns: TurnLedger;
  /** Whether more may be written or a callback runs. The check is not urgent then. */
  isHeld(): boolean;
  /** Milliseconds since the CLI last sent something or was answered. */
  silentMs(): number;
  /** Sends a request that every CLI answers. */
  ask(): Promise<unknown>;
  /** Called when the CLI is done with all open messages. `uuids` names those that the CLI has not taken up. */
  onDone(uuids: readonly string[]): void;
  /** Called when one of the check's own requests no longer counts as open. */
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

  /** How many of the check's own requests have no answer. */
  get openRequests(): number {
    return this.#openRequests;
  }

  /** Checks whether any message must be asked about. Called whenever that may have changed. */
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
    // An idle CLI that stays silent this long counts as having answered. It will not answer the messages either.
    waitFor(ANSWER_MS);
    this.#openRequests += 1;
    const settled = (): void => {
      this.#openRequests -= 1;
      answered();
      // Lines that came together with the answer were handled while the request still counted as open.
      this.#options.onSettled();
    };
    this.#options.ask().then(settled, settled);
  }

  #conclude(): void {
    this.#options.onDone(this.#options.turns.dropOpen());
  }
}
