// What a live CLI and its parts both need to know about the one process they serve. It is made before either of them
// and handed to both, so that neither holds the other. It consists of small objects: each alone changes its own fields,
// says who calls the methods that do, and has a view for those who only read.
import type { ErrorPhase } from '../errors.js';
import { createQuietDeferred, type Deferred } from '../util/deferred.js';
import type { TerminateOptions, Transport } from '../wire/transport/transport.js';
import type { EndCause } from './ending.js';
import { FirstPrompt, IgnoredMessages, InputHolds } from './input/input-state.js';
import { LiveVersion } from './live-version.js';
import type { WireTap } from './watch/inspected-session.js';

/** What the owner of a live CLI decides before there is one. */
export interface LiveStateOptions {
  /** Whether text streams are wanted from the start. */
  wantsText: boolean;
  /** Whether the reader of the messages takes partial ones too, asked for or not, and tells them apart. */
  readsPartials: boolean;
  /** Called for each message that the CLI did not take up. */
  onIgnored: (uuid: string) => void;
  /** Called when the version was found out after the start; with undefined where the CLI gave none. */
  onVersionLearned: (found: string | undefined) => void;
}

/** One per live CLI. */
export class LiveState {
  readonly connection = new Connection();
  readonly progress = new Progress();
  readonly end = new EndState();
  readonly prompt = new FirstPrompt();
  readonly holds = new InputHolds();
  readonly version: LiveVersion;
  readonly partials: PartialMessages;
  readonly ignored: IgnoredMessages;

  constructor({ wantsText, readsPartials, onIgnored, onVersionLearned }: LiveStateOptions) {
    this.version = new LiveVersion(onVersionLearned);
    this.partials = new PartialMessages(wantsText, readsPartials);
    this.ignored = new IgnoredMessages(onIgnored);
  }
}

/** The way to the CLI. The start opens it, the inspector taps it, the channel writes to it, and the ending closes it. */
export class Connection {
  /** Hears everything that passes; undefined while no inspector listens. Only `inspect-live` sets it. A field, since each line asks for it. */
  tap: WireTap | undefined;
  #transport: Transport | undefined;
  #hasRoom = true;
  #isTerminating = false;

  /** Undefined until the CLI is started. */
  get transport(): Transport | undefined {
    return this.#transport;
  }

  /** Whether the pipe had room left after the last line. */
  get hasRoom(): boolean {
    return this.#hasRoom;
  }

  /** The CLI is started, and this leads to it. */
  connect(transport: Transport): void {
    this.#transport = transport;
  }

  /** Writes a line to the CLI; dropped when none has been started. */
  write(line: string): void {
    if (this.tap !== undefined) this.tap.line('out', line);
    this.#hasRoom = this.#transport?.write(line) ?? true;
  }

  /** Ends the CLI's input, after what was written. */
  endInput(): void {
    this.tap?.mark('input-end');
    this.#transport?.endInput();
  }

  /** Begins to end the CLI, or ends it sooner. */
  terminate(options: TerminateOptions): void {
    if (!this.#isTerminating) this.tap?.mark('terminate');
    this.#isTerminating = true;
    this.#transport?.terminate(options).catch(() => {});
  }
}

/** For parts that only ask about the connection. */
export type ConnectionView = Readonly<Pick<Connection, 'transport' | 'tap' | 'hasRoom'>>;

/** How far the CLI has come. The start moves it on; the channel and the handshake note that the CLI works. */
export class Progress {
  #phase: ErrorPhase = 'launch';
  readonly #launched: Deferred<void> = createQuietDeferred();
  #isLaunched = false;

  get phase(): ErrorPhase {
    return this.#phase;
  }

  /** Resolves when control requests can be sent; rejects when none ever can. */
  get launched(): Promise<void> {
    return this.#launched.promise;
  }

  /** Whether `launched` has resolved: a sender need not wait then, not even for a microtask. */
  get isLaunched(): boolean {
    return this.#isLaunched;
  }

  /** The CLI is connected: the handshake comes next. */
  noteConnected(): void {
    this.#phase = 'handshake';
  }

  /** From now on control requests can be sent. */
  noteLaunched(): void {
    this.#isLaunched = true;
    this.#launched.resolve();
  }

  /** The CLI has begun to work, perhaps before it answered the handshake. */
  noteRunning(): void {
    if (this.#phase === 'handshake') this.#phase = 'running';
  }

  /** Control requests that still wait for the start will never be sent. */
  fail(error: unknown): void {
    this.#launched.reject(error);
  }
}

/** For parts that only ask how far the CLI has come. */
export type ProgressView = Pick<Progress, 'phase' | 'launched' | 'isLaunched'>;

/** Whether and why the CLI ends. `LiveEnd` decides it; every part may ask for it. */
export class EndState {
  #cause: EndCause | undefined;
  #isOver = false;
  #onRequest: (cause: EndCause) => void = () => {};

  /** Why it ends, once that was decided; undefined for a CLI that ends by itself. */
  get cause(): EndCause | undefined {
    return this.#cause;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it is over, or on its way there. */
  get isEnding(): boolean {
    return this.#isOver || this.#cause !== undefined;
  }

  /** Asks `LiveEnd` to end the CLI. */
  request(cause: EndCause): void {
    this.#onRequest(cause);
  }

  /** The one listener of `request`. */
  onRequest(listener: (cause: EndCause) => void): void {
    this.#onRequest = listener;
  }

  /** The CLI is to end for this reason, unless there is one already. */
  decide(cause: EndCause): void {
    this.#cause ??= cause;
  }

  noteOver(): void {
    this.#isOver = true;
  }
}

/** For parts that ask for the end, or whether it has come. */
export type EndView = Pick<EndState, 'cause' | 'isOver' | 'isEnding' | 'request'>;

/** Who wants partial messages. The caller wishes for text, and the start decides what the CLI is told. */
export class PartialMessages {
  #wantsText: boolean;
  readonly #areRead: boolean;
  #areHidden = false;

  constructor(wantsText: boolean, areRead: boolean) {
    this.#wantsText = wantsText;
    this.#areRead = areRead;
  }

  /** Whether they come for the sake of text streams only, so that the reader of the messages gets none. */
  get areHidden(): boolean {
    return this.#areHidden;
  }

  /** Text streams are wanted of the CLI, if it is not started yet. */
  wantText(): void {
    this.#wantsText = true;
  }

  /** The CLI is started now: whether it must be told to send them, beyond what the options say. */
  decide(doOptionsAsk: boolean): boolean {
    const isForText = this.#wantsText && !doOptionsAsk;
    this.#areHidden = isForText && !this.#areRead;
    return isForText;
  }
}
