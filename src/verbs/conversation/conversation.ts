// The turns of a long session: messages wait here, are written when it is their turn, and get their answers;
// readers get every message. Which process answers is the business of the session's CLI.
import { randomUUID } from 'node:crypto';
import { InvalidOptionsError, SessionClosedError, TurnLostError } from '../../errors.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import { UsageLedger } from '../../record/usage/usage-ledger.js';
import { Broadcast, encodeOnce } from '../../util/broadcast.js';
import { onAbort } from '../../util/on-abort.js';
import { checkMessage } from '../../live/input/check-message.js';
import { IdleWatch } from './idle-watch.js';
import type { Launch } from '../../live/launch.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { RestartPolicy } from './restart-policy.js';
import { ConversationCli } from './conversation-cli.js';
import { ConversationControls } from './conversation-controls.js';
import type { CrashedEvent, SessionEvent } from './conversation-event.js';
import { TaskLedger } from '../../live/input/task-ledger.js';
import { createOutputReader, type OutputReader } from '../../live/output/structured-output.js';
import { OpenTurn, type Turn } from './turn.js';
import type { TurnGate } from './turn-gate.js';
import { TurnTracker } from './turn-tracker.js';
import { toUserMessage, type MessageInput } from '../../live/input/user-message.js';
import { Withdrawals } from './withdrawals.js';

export interface ConversationOptions {
  options: QueryOptions;
  restart: RestartPolicy | undefined;
  oneByOne: boolean;
  suspendAfterMs: number | undefined;
  launch?: Launch | undefined;
  gate?: TurnGate | undefined;
}

/** How one message is sent. */
export interface SendOptions {
  /** Withdraws the message while it waits; interrupts its turn once it runs. */
  signal?: AbortSignal;
}

/** A long session from the inside. */
export class Conversation {
  readonly cli: ConversationCli;
  readonly controls: ConversationControls;
  readonly messages: Broadcast<SDKMessage>;
  readonly events = new Broadcast<SessionEvent>();
  readonly #given: ConversationOptions;
  readonly usage: UsageLedger;
  readonly #output: OutputReader<unknown> | undefined;
  readonly #tracker = new TurnTracker();
  readonly #known = new Set<string>();
  readonly #entered = new WeakSet<OpenTurn>();
  #tasks = new TaskLedger();
  #waiting: OpenTurn[] = [];
  #isWriting = false;
  #isOver = false;
  #endedBy: unknown;
  readonly #withdrawals: Withdrawals;
  readonly #idle: IdleWatch;

  constructor(given: ConversationOptions) {
    this.#given = given;
    const { restart, suspendAfterMs, launch, gate } = given;
    // Budgets are the session's, not those of each CLI it has.
    const { usage, ...options } = given.options;
    this.usage = new UsageLedger({ onFault: (error) => warnOfFault(options, error), ...usage });
    this.#output = options.output === undefined ? undefined : createOutputReader(options.output);
    this.#idle = new IdleWatch({ afterMs: suspendAfterMs, onIdle: () => this.#fallAsleep() });
    this.messages = new Broadcast({ maxBytes: options.maxBufferedBytes });
    this.cli = new ConversationCli({
      options,
      restart,
      launch,
      beforeStart: gate && (() => gate.beforeStart()),
      onGone: gate && (() => gate.onGone()),
      onMessage: (message) => this.#receive(message),
      introduce: (live) => this.controls.introduce(live),
      onReady: () => {
        this.#tasks = new TaskLedger();
        this.#idle.touch();
        this.#idle.start();
        gate?.onChange();
      },
      onCut: (error, goesOn) => this.#cut(error, goesOn),
      onEvent: (event) => this.#tell(event),
      onOver: (error) => this.#finish(error),
    });
    this.controls = new ConversationControls({
      source: this.cli,
      dropWaiting: (uuid) => this.#dropWaiting(uuid),
      onSettled: () => {
        this.#idle.touch();
        gate?.onChange();
      },
    });
    this.#withdrawals = new Withdrawals({
      tracker: this.#tracker,
      takeWaiting: (turn) => this.#takeWaiting(turn),
      request: (request) => this.controls.request(request),
      onWithdrawn: () => void this.#writeWaiting(),
    });
  }

  /** Turns that wait here. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a message was given to the CLI and has no answer yet. */
  get isAnswering(): boolean {
    return this.#tracker.size > 0;
  }

  /** Whether the CLI could be put to sleep without anybody losing anything; what waits here is not lost. */
  get isQuiet(): boolean {
    return this.#isBetweenTurns && this.#taskCount === 0;
  }

  get #taskCount(): number {
    return this.#tasks.agents + this.#tasks.shells;
  }

  /** For how many milliseconds there was nothing but background tasks, and no word of those; 0 where there is more. */
  get silentMs(): number {
    return this.#isBetweenTurns ? this.#idle.silentMs : 0;
  }

  get #isBetweenTurns(): boolean {
    const { persistSession, transport } = this.#given.options;
    // What is not written down cannot be resumed, nor can what cannot be started again.
    if (persistSession === false || typeof transport === 'object') return false;
    return !this.#tracker.isInTurn && !this.controls.isAsked;
  }

  /** Whether, beyond that, nothing waits for the CLI. */
  get isIdle(): boolean {
    return this.isQuiet && this.#waiting.length === 0;
  }

  send(input: MessageInput, { signal }: SendOptions = {}): Turn {
    const message = toUserMessage(input);
    // The CLI drops a second message with the same id without a word.
    if (this.#known.has(message.uuid)) {
      throw new InvalidOptionsError(['uuid'], `A message with the uuid ${message.uuid} was sent before`);
    }
    this.#known.add(message.uuid);
    const turn = new OpenTurn({
      message,
      output: this.#output,
      maxBytes: this.#given.options.maxBufferedBytes,
      onCancel: (each, reason) => this.#withdrawals.withdraw(each, reason),
    });
    if (this.#isOver) {
      turn.fail(this.#closedError());
      return turn;
    }
    const forget = signal && onAbort(signal, () => void this.#withdrawals.stop(turn, signal.reason));
    turn.onOver = () => {
      forget?.();
      this.#withdrawals.forget(turn);
      if (this.#entered.has(turn)) this.#given.gate?.leave(turn);
    };
    this.#waiting.push(turn);
    if (signal?.aborted) void this.#withdrawals.stop(turn, signal.reason);
    this.#idle.touch();
    void this.#writeWaiting();
    return turn;
  }

  /** Ends the CLI until it is needed again; false when somebody would lose something. */
  async suspend(): Promise<boolean> {
    if (this.#isOver || !this.isIdle) return false;
    return await this.cli.suspend();
  }

  /** The same whatever waits here, and at the cost of background tasks; for who knows that nothing else is lost. */
  async sleep(): Promise<void> {
    await this.cli.suspend(this.#taskCount);
  }

  async close(): Promise<void> {
    this.#failAll(undefined);
    await this.cli.close();
  }

  async #writeWaiting(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      for (let turn = this.#waiting[0]; turn && this.#mayWrite(); turn = this.#waiting[0]) {
        await this.#write(turn);
      }
    } finally {
      this.#isWriting = false;
    }
  }

  /** A CLI that says nothing of single messages gets one at a time, as no result of it could be told from another. */
  #mayWrite(): boolean {
    if (this.#isOver) return false;
    return this.#tracker.size === 0 || (this.#tracker.reports && !this.#given.oneByOne && !this.#given.gate);
  }

  async #write(turn: OpenTurn): Promise<void> {
    const { gate } = this.#given;
    if (gate && !this.#entered.has(turn)) {
      this.#entered.add(turn);
      await gate.enter(turn);
      if (turn.isOver) return;
    }
    const live = await this.cli.whenReady().catch(() => undefined);
    // Much can have happened since: the CLI may be gone, the message withdrawn.
    const isCurrent = live !== undefined && live === this.cli.live && this.cli.isReady;
    if (!isCurrent || this.#waiting[0] !== turn || !this.#mayWrite()) return;
    this.#waiting.shift();
    try {
      checkMessage(turn.message, live.version);
    } catch (error) {
      turn.fail(error);
      return;
    }
    this.#tracker.wrote(turn);
    // What cannot be written is cut with the CLI it was written to.
    await this.cli.write(live, turn.message).catch(() => {});
  }

  #receive(message: SDKMessage): void {
    this.usage.observe(message);
    this.#idle.touch();
    this.#tasks.observe(message);
    const encode = encodeOnce(message);
    const answered = this.#tracker.observe(message, encode);
    if (answered > 0 && message.type === 'result') this.cli.noteAnswer();
    this.messages.push(message, encode);
    this.#withdrawals.interruptBegun();
    this.#given.gate?.onChange();
    void this.#writeWaiting();
  }

  #cut(error: unknown, goesOn: boolean): Pick<CrashedEvent, 'lost' | 'resent'> {
    const again: OpenTurn[] = [];
    const lost: string[] = [];
    for (const turn of this.#tracker.drain()) {
      const hasBegun = turn.state === 'running';
      if (turn.withdrawal && !hasBegun) {
        turn.fail(turn.withdrawal);
      } else if (goesOn && (!hasBegun || this.#isResendable(turn))) {
        turn.resent ||= hasBegun;
        turn.state = 'waiting';
        // Under the old id the CLI might take it for one it has.
        turn.message = { ...turn.message, uuid: randomUUID() };
        again.push(turn);
      } else {
        const { uuid, resent, toolsUsed } = turn;
        lost.push(uuid);
        turn.fail(new TurnLostError({ uuid, resent, toolsUsed, sessionGoesOn: goesOn }, { cause: error }));
      }
    }
    this.#waiting.unshift(...again);
    void this.#writeWaiting();
    return { lost, resent: again.map(({ uuid }) => uuid) };
  }

  #isResendable({ resent, toolsUsed, withdrawal }: OpenTurn): boolean {
    const rule = this.#given.restart?.resend ?? 'never';
    // Once only: a message that ends every CLI it is given to must not end the session.
    return !resent && !withdrawal && (rule === 'unanswered' || (rule === 'untouched' && !toolsUsed));
  }

  #takeWaiting(turn: OpenTurn): boolean {
    const index = this.#waiting.indexOf(turn);
    if (index !== -1) this.#waiting.splice(index, 1);
    return index !== -1;
  }

  #dropWaiting(uuid: string | undefined): boolean {
    const dropped = this.#waiting.filter((turn) => uuid === undefined || turn.uuid === uuid);
    for (const turn of dropped) void this.#withdrawals.withdraw(turn, undefined);
    return dropped.length > 0;
  }

  #fallAsleep(): boolean {
    if (this.cli.state === 'suspended') return true;
    if (!this.isIdle) return false;
    void this.suspend();
    return true;
  }

  /** Kept in memory: there are few, and an error does not survive being written down. */
  #tell(event: SessionEvent): void {
    this.events.push(event, () => '');
  }

  #closedError(): SessionClosedError {
    return new SessionClosedError(undefined, this.#endedBy === undefined ? {} : { cause: this.#endedBy });
  }

  #failAll(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#endedBy = error;
    this.#idle.stop();
    const open = [...this.#tracker.drain(), ...this.#waiting];
    this.#waiting = [];
    for (const turn of open) turn.fail(this.#closedError());
  }

  #finish(error: unknown): void {
    this.#failAll(error);
    this.#tell({ type: 'closed', ...(error === undefined ? {} : { error }) });
    this.events.end();
    if (error === undefined) this.messages.end();
    else this.messages.fail(error);
  }
}

function warnOfFault(options: QueryOptions, cause: unknown): void {
  options.onWarning?.({
    code: 'WARNING',
    message: 'A callback of the option "usage" threw',
    error: new Error('A callback of the option "usage" threw', { cause }),
  });
}
