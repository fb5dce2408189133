// The only place that decides when the CLI's input ends: when every prompt source has ended, every written message is
// answered, no background agent runs, no control request is open, in either direction, and the consumer is not at
// work on a result. Limits on silence, before and after the input ends, make sure that the CLI ends whatever it does;
// a stall within a turn is found by `silence-watch`.
import { afterReading } from '../../util/timers.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKResultMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { IdleCheck } from './idle-check.js';
import { TaskLedger } from './task-ledger.js';
import { TurnLedger } from './turn-ledger.js';

/**
 * Silence between turns after which the CLI counts as done although a message seems unanswered. A message that waits starts
 * its turn within milliseconds of the last result.
 */
const BETWEEN_TURNS_SILENCE_MS = 5_000;
/**
 * The same while a control request of ours is open. With the time to linger after it, a CLI is gone within ten seconds of its
 * last sign of life.
 */
const REQUEST_SILENCE_MS = 7_000;
/** The same for a request whose answer may wait for a person, a model, a tool or the network. */
const LONG_REQUEST_SILENCE_MS = 60_000;
/** Silence after a result, in the middle of something, after which nothing more is expected. The CLI's own limit for background work is the same. */
const WORKING_SILENCE_MS = 600_000;
/** Silence after the end of input in which a CLI with nothing left to do should have gone. */
const LINGER_SILENCE_MS = 10_000;
/** The same for a CLI that has left a request unanswered for so long that its input was ended. */
const DEAD_LINGER_MS = 2_000;
/** The same where a prompt suggestion may be under way, for which the CLI itself waits 30 s. */
const SUGGESTION_LINGER_MS = 40_000;

export interface InputLifetimeOptions {
  openSources(): number;
  /** Control requests of ours that have no answer yet. */
  openRequests(): number;
  /** Those among them whose answer may wait for a person, a model, a tool or the network. */
  openLongRequests(): number;
  /** Questions of the CLI that the caller's callbacks are working on. */
  callbacksAtWork(): number;
  /** Whether anyone here answers the CLI's questions: tools, hooks, permissions. */
  answersQuestions: boolean;
  /** A prompt suggestion may come after a result; the CLI sends it also when its input has ended. */
  expectsSuggestion: boolean;
  /** For how many milliseconds from now the consumer may still answer what it was given. */
  consumerHoldMs(): number;
  /** Sends a request that every CLI answers at once. */
  ask(): Promise<unknown>;
  /** The CLI is idle and has not taken these messages up. */
  onIgnored(uuids: readonly string[]): void;
  endInput(): void;
  /** The input ended and the CLI stayed, silent; one that `seemsDead` had already left a request unanswered before. */
  onLingering(seemsDead: boolean): void;
}

/** One per live CLI; is notified of everything written and read. */
export class InputLifetime {
  readonly #options: InputLifetimeOptions;
  readonly #turns = new TurnLedger();
  readonly #tasks = new TaskLedger();
  readonly #idleCheck: IdleCheck;
  #inputEnded = false;
  #stopped = false;
  /** The last shell ended while the CLI was idle: it starts a turn unasked, or reports once more that it is idle. */
  #owesTurn = false;
  #lastActivity = 0;
  /** Its input was ended because it left a request open; false again once it shows a sign of life. */
  #seemsDead = false;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;
  /** Set while only the consumer keeps the input open. */
  #holdTimer: NodeJS.Timeout | undefined;

  constructor(options: InputLifetimeOptions) {
    this.#options = options;
    this.#idleCheck = new IdleCheck({
      turns: this.#turns,
      isHeld: () => this.#isHeld(),
      silentMs: () => this.silentMs,
      ask: () => options.ask(),
      onDone: (uuids) => {
        if (uuids.length > 0) options.onIgnored(uuids);
        this.reconsider();
      },
      onSettled: () => this.reconsider(),
    });
  }

  /** Milliseconds since the CLI last sent something, or was answered; 0 while a callback runs. */
  get silentMs(): number {
    return this.#options.callbacksAtWork() > 0 ? 0 : performance.now() - this.#lastActivity;
  }

  /** Whether the CLI is idle, as far as it tells. */
  get isBetweenTurns(): boolean {
    return this.#turns.isBetweenTurns;
  }

  /** How many requests the check for idleness has open; no caller waits for them. */
  get openChecks(): number {
    return this.#idleCheck.openRequests;
  }

  get inputEnded(): boolean {
    return this.#inputEnded;
  }

  get hasWritten(): boolean {
    return this.#turns.written > 0;
  }

  get unanswered(): number {
    return this.#turns.unanswered;
  }

  /** Whether a turn is under way or due, or background work is. */
  get isAtWork(): boolean {
    const { unanswered, isInTurn } = this.#turns;
    return unanswered > 0 || isInTurn || this.#tasks.agents + this.#tasks.shells > 0 || this.#owesTurn;
  }

  get lastResult(): SDKResultMessage | undefined {
    return this.#turns.lastResult;
  }

  wrote(message: SDKUserMessage): void {
    this.#turns.wrote(message);
    this.#lastActivity = performance.now();
    this.#idleCheck.look();
  }

  observe(message: WireObject): void {
    this.#noteLife();
    const hadShells = this.#tasks.shells > 0;
    this.#turns.observe(message);
    this.#tasks.observe(message);
    const ignored = this.#turns.takeIgnored();
    if (ignored) this.#options.onIgnored(ignored);
    if (message['subtype'] === 'session_state_changed') this.#owesTurn = false;
    else if (hadShells && this.#tasks.shells === 0) this.#owesTurn = this.#turns.state === 'idle';
    this.reconsider();
  }

  /** The CLI sent a message that changes nothing here. */
  heard(): void {
    this.#noteLife();
  }

  /** A control request of ours is about to be sent: the CLI has its full time for the first that is open. */
  asks(): void {
    if (this.#openRequests() === 0) this.#lastActivity = performance.now();
  }

  /** A control request was settled, in either direction. Silence counts from now: until now, one side waited. */
  settled(): void {
    this.#noteLife();
    // Nearly all questions come in the midst of a turn, where there is nothing to reconsider.
    if (!this.#turns.isUnderWay) this.reconsider();
  }

  /** Checks again; called whenever one of the conditions may have become true. */
  reconsider(): void {
    if (this.#stopped || this.#inputEnded) return;
    this.#idleCheck.look();
    if (this.#stopped || this.#inputEnded || this.#isHeld()) return;
    if (this.#isDone() && this.#openRequests() === 0) this.#endOrHold();
    else this.#watchSilence(this.#silenceAllowed());
  }

  /** The consumer took a message, or asked for more: where only it keeps the input open, that may be over now. */
  consumerMoved(): void {
    if (this.#holdTimer !== undefined) this.reconsider();
  }

  /** Decides nothing more: the CLI is ended by other means. */
  stop(): void {
    this.#stopped = true;
    this.#clearTimers();
  }

  #noteLife(): void {
    this.#lastActivity = performance.now();
    this.#seemsDead = false;
  }

  /** While more may be written, or a callback runs, silence of the CLI means nothing. */
  #isHeld(): boolean {
    return this.#options.openSources() > 0 || this.#options.callbacksAtWork() > 0;
  }

  #openRequests(): number {
    return this.#options.openRequests() - this.#idleCheck.openRequests;
  }

  #isDone(): boolean {
    return (
      this.#turns.unanswered === 0 &&
      !this.#isTaskHolding() &&
      !this.#isTurnDue() &&
      this.#turns.isBetweenTurns
    );
  }

  /** A shell holds the input only where its end can lead to questions; an agent always does. */
  #isTaskHolding(): boolean {
    return this.#tasks.agents > 0 || (this.#options.answersQuestions && this.#tasks.shells > 0);
  }

  #isTurnDue(): boolean {
    return this.#options.answersQuestions && this.#owesTurn;
  }

  /** Undefined while the CLI is at work on something that has not had a result yet. */
  #silenceAllowed(): number | undefined {
    if (!this.#turns.resultSinceWrite) return undefined;
    if (this.#isTaskHolding()) return WORKING_SILENCE_MS;
    if (this.#leavesRequestsOpen) return REQUEST_SILENCE_MS;
    if (!this.#turns.isBetweenTurns) return WORKING_SILENCE_MS;
    return this.#openRequests() > 0 ? LONG_REQUEST_SILENCE_MS : BETWEEN_TURNS_SILENCE_MS;
  }

  /** Whether it has requests open that it would answer at once, also while it works, and no turn is under way. */
  get #leavesRequestsOpen(): boolean {
    const isLong = this.#options.openLongRequests() > 0;
    return this.#openRequests() > 0 && !isLong && !this.#turns.isInTurn;
  }

  /** Everything is done; a consumer that has the result before it may have more to say. */
  #endOrHold(): void {
    clearTimeout(this.#holdTimer);
    this.#holdTimer = undefined;
    const holdMs = this.#options.consumerHoldMs();
    if (holdMs === 0) {
      this.#endInput();
      return;
    }
    this.#holdTimer = setTimeout(() => {
      this.#holdTimer = undefined;
      this.reconsider();
    }, holdMs);
    this.#holdTimer.unref();
  }

  #endInput(): void {
    this.#inputEnded = true;
    this.#clearTimers();
    this.#seemsDead = this.#leavesRequestsOpen;
    this.#options.endInput();
    this.#lastActivity = performance.now();
    this.#watchSilence(this.#lingerAllowed());
  }

  #clearTimers(): void {
    this.#idleCheck.stop();
    clearTimeout(this.#timer);
    clearTimeout(this.#holdTimer);
    this.#timer = undefined;
    this.#holdTimer = undefined;
  }

  /** A CLI that still has work, or waits for a shell, may be silent for long. */
  #lingerAllowed(): number {
    if (this.#seemsDead) return DEAD_LINGER_MS;
    if (!this.#isDone() || this.#tasks.shells > 0) return WORKING_SILENCE_MS;
    return this.#options.expectsSuggestion ? SUGGESTION_LINGER_MS : LINGER_SILENCE_MS;
  }

  /** One timer at a time; activity does not move it, but when it fires the length of the silence is checked. */
  #watchSilence(allowedMs: number | undefined): void {
    if (allowedMs === undefined || this.#stopped) return;
    if (this.#timer !== undefined && this.#timerMs <= allowedMs) return;
    clearTimeout(this.#timer);
    this.#timerMs = allowedMs;
    const elapsed = performance.now() - this.#lastActivity;
    const check = (): void => {
      if (this.#timer === timer) this.#checkSilence(allowedMs);
    };
    const timer = setTimeout(() => afterReading(check), Math.max(1, allowedMs - elapsed));
    // The child keeps the host alive; the timer alone must not.
    timer.unref();
    this.#timer = timer;
  }

  #checkSilence(allowedMs: number): void {
    this.#timer = undefined;
    const isSilent = performance.now() - this.#lastActivity >= allowedMs - 1;
    if (this.#inputEnded) {
      if (isSilent) this.#options.onLingering(this.#seemsDead);
      else this.#watchSilence(this.#lingerAllowed());
      return;
    }
    // What was true when the timer was set may have changed: more may have been written since.
    const isStillDue = !this.#isHeld() && this.#silenceAllowed() === allowedMs;
    if (!isSilent || !isStillDue) {
      this.reconsider();
      return;
    }
    // What was silently folded into another turn has had its answer, and does not count as unanswered.
    if (allowedMs === BETWEEN_TURNS_SILENCE_MS) this.#turns.settle();
    this.#endOrHold();
  }
}
