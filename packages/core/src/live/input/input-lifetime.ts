// Decides when the CLI's input ends. It ends when every prompt source has ended, every written message is answered, no
// background task needs it, no control request of ours is open, no callback runs, and the consumer is not working on a result.
// If the CLI is silent for too long after a result, the input ends all the same. If it is then silent for too long without
// exiting, the CLI is ended. `silence-limits` says how long that is; `silence-watch` detects a CLI that stalls within a turn.
import { afterReading } from '../../util/timers.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKResultMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { IdleCheck } from './idle-check.js';
import { BETWEEN_TURNS_SILENCE_MS, limitLinger, limitOpenSilence } from './silence-limits.js';
import { TaskLedger } from './task-ledger.js';
import { TurnLedger } from './turn-ledger.js';

export interface InputLifetimeOptions {
  openSources(): number;
  /** The number of our control requests that have no answer yet. */
  openRequests(): number;
  /** The number of those requests whose answer may wait for a person, a model, a tool or the network. */
  openLongRequests(): number;
  /** The number of the CLI's questions that the caller's callbacks are working on. */
  callbacksAtWork(): number;
  /** Whether anyone here answers the CLI's questions: tools, hooks, permissions. */
  answersQuestions: boolean;
  /** Whether a prompt suggestion may come after a result. The CLI sends it even after its input has ended. */
  expectsSuggestion: boolean;
  /** For how many more milliseconds the consumer may answer the messages it was given. */
  consumerHoldMs(): number;
  /** Sends a request that every CLI answers at once. */
  ask(): Promise<unknown>;
  /** Called for messages that the CLI has not taken up and will not take up. */
  onIgnored(uuids: readonly string[]): void;
  endInput(): void;
  /**
   * Called when the input has ended and the CLI stays silent without exiting. `seemsDead` says that it had left a request
   * unanswered before.
   */
  onLingering(seemsDead: boolean): void;
}

/** One per live CLI. It is told of everything that is written and read. */
export class InputLifetime {
  readonly #options: InputLifetimeOptions;
  readonly #turns = new TurnLedger();
  readonly #tasks = new TaskLedger();
  readonly #idleCheck: IdleCheck;
  #inputEnded = false;
  #stopped = false;
  /**
   * Set when the last shell ends while the CLI is idle. The CLI then starts a turn by itself, or reports once more that it is
   * idle.
   */
  #owesTurn = false;
  #lastActivity = 0;
  /** Set when the input was ended because the CLI left a request open. A sign of life clears it. */
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

  /** Milliseconds since the CLI last sent something or was answered. 0 while a callback runs. */
  get silentMs(): number {
    return this.#options.callbacksAtWork() > 0 ? 0 : performance.now() - this.#lastActivity;
  }

  /** Whether the CLI is idle, as far as it reports. */
  get isBetweenTurns(): boolean {
    return this.#turns.isBetweenTurns;
  }

  /** How many requests the idle check has open. No caller waits for them. */
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

  /** Whether a turn or background work is under way, or a turn is due. */
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

  /** Notes that the CLI sent a message that changes nothing here. */
  heard(): void {
    this.#noteLife();
  }

  /** Notes that a control request of ours is about to be sent. The CLI gets its full time for the first open request. */
  asks(): void {
    if (this.#openRequests() === 0) this.#lastActivity = performance.now();
  }

  /**
   * Notes that a control request was settled, in either direction. Silence counts from now, because one side was waiting
   * before.
   */
  settled(): void {
    this.#noteLife();
    // Nearly all questions come in the middle of a turn, when the input cannot end.
    if (!this.#turns.isUnderWay) this.reconsider();
  }

  /** Checks whether the input can end. Called whenever one of the conditions may have become true. */
  reconsider(): void {
    if (this.#stopped || this.#inputEnded) return;
    this.#idleCheck.look();
    if (this.#stopped || this.#inputEnded || this.#isHeld()) return;
    if (this.#isDone() && this.#openRequests() === 0) this.#endOrHold();
    else this.#watchSilence(this.#silenceAllowed());
  }

  /**
   * Notes that the consumer took a message or asked for more. If only the consumer kept the input open, it may end
   * now.
   */
  consumerMoved(): void {
    if (this.#holdTimer !== undefined) this.reconsider();
  }

  /** Stops all decisions, because the CLI is being ended in another way. */
  stop(): void {
    this.#stopped = true;
    this.#clearTimers();
  }

  #noteLife(): void {
    this.#lastActivity = performance.now();
    this.#seemsDead = false;
  }

  /** Whether more may be written or a callback runs. The CLI's silence means nothing then. */
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

  /** An agent always holds the input. A shell holds it only if its end can lead to questions. */
  #isTaskHolding(): boolean {
    return this.#tasks.agents > 0 || (this.#options.answersQuestions && this.#tasks.shells > 0);
  }

  #isTurnDue(): boolean {
    return this.#options.answersQuestions && this.#owesTurn;
  }

  /** How long the CLI may be silent. Undefined until a result follows the last written message. */
  #silenceAllowed(): number | undefined {
    if (!this.#turns.resultSinceWrite) return undefined;
    return limitOpenSilence({
      isTaskHolding: this.#isTaskHolding(),
      leavesRequestsOpen: this.#leavesRequestsOpen,
      isBetweenTurns: this.#turns.isBetweenTurns,
      openRequests: this.#openRequests(),
    });
  }

  /** Whether the CLI leaves requests open that it should answer at once. False during a turn, or if one may take long. */
  get #leavesRequestsOpen(): boolean {
    const isLong = this.#options.openLongRequests() > 0;
    return this.#openRequests() > 0 && !isLong && !this.#turns.isInTurn;
  }

  /** Ends the input, or holds it open for a consumer that may still answer the last result. */
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

  #lingerAllowed(): number {
    const { expectsSuggestion } = this.#options;
    const isAtWork = !this.#isDone() || this.#tasks.shells > 0;
    return limitLinger({ seemsDead: this.#seemsDead, isAtWork, expectsSuggestion });
  }

  /**
   * Keeps one timer at a time. Activity does not move the timer. The length of the silence is checked when the timer
   * fires.
   */
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
    // The conditions may have changed since the timer was set. For example, more may have been written.
    const isStillDue = !this.#isHeld() && this.#silenceAllowed() === allowedMs;
    if (!isSilent || !isStillDue) {
      this.reconsider();
      return;
    }
    // The CLI may have answered a message together with another without saying so. No message counts as unanswered then.
    if (allowedMs === BETWEEN_TURNS_SILENCE_MS) this.#turns.settle();
    this.#endOrHold();
  }
}
