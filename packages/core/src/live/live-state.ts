// Holds what a live CLI and its parts both need to know about their process. It is made first and handed to both, so that
// neither holds the other. It consists of small objects, most of which have a view for code that only reads.
import type { ErrorPhase } from '../errors.js';
import { createQuietDeferred, type Deferred } from '../util/deferred.js';
import type { TerminateOptions, Transport } from '../wire/transport/transport.js';
import type { EndCause } from './ending.js';
import { FirstPrompt, IgnoredMessages, InputHolds } from './input/input-state.js';
import { LiveVersion } from './live-version.js';
import type { WireTap } from './watch/inspected-session.js';

/** What the owner of a live CLI decides before the start. */
export interface LiveStateOptions {
  /** Whether text streams are wanted from the start. */
  wantsText: boolean;
  /** Whether the reader of the messages also gets partial ones that come only for text streams. */
  readsPartials: boolean;
  /** Called for each message that the CLI did not take up. */
  onIgnored: (uuid: string) => void;
  /** Called when the version was learned after the start. Gets undefined if the CLI did not say. */
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

  /** Fails the requests that still wait for the start, the prompt or the version, because the CLI ends. */
  failWaiting(error: unknown): void {
    this.progress.fail(error);
    this.prompt.fail(error);
    this.version.end();
  }
}

/**
 * The connection to the CLI. The start opens it, the inspector taps it, the channel writes to it, and the end closes
 * it.
 */
export class Connection {
  /**
   * Hears everything that passes. Undefined while no inspector listens. Only inspect-live.ts sets it. It is a plain
   * field because it is read for each line.
   */
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

  /** Sets the transport, just before it is opened. */
  connect(transport: Transport): void {
    this.#transport = transport;
  }

  /** Writes a line to the CLI. The line is dropped if no CLI has been started. */
  write(line: string): void {
    if (this.tap !== undefined) this.tap.line('out', line);
    this.#hasRoom = this.#transport?.write(line) ?? true;
  }

  /** Ends the CLI's input after everything that was written. */
  endInput(): void {
    this.tap?.mark('input-end');
    this.#transport?.endInput();
  }

  /** Begins to end the CLI. A later call may shorten the time it has left. */
  terminate(options: TerminateOptions): void {
    if (!this.#isTerminating) this.tap?.mark('terminate');
    this.#isTerminating = true;
    this.#transport?.terminate(options).catch(() => {});
  }
}

/** For parts that only ask about the connection. */
export type ConnectionView = Readonly<Pick<Connection, 'transport' | 'tap' | 'hasRoom'>>;

/**
 * The CLI's progress from launch to work. The start advances it. The channel and the handshake note that the CLI
 * works.
 */
export class Progress {
  #phase: ErrorPhase = 'launch';
  readonly #launched: Deferred<void> = createQuietDeferred();
  #isLaunched = false;

  get phase(): ErrorPhase {
    return this.#phase;
  }

  /** Resolves when control requests can be sent. Rejects if that will never be possible. */
  get launched(): Promise<void> {
    return this.#launched.promise;
  }

  /** Whether `launched` has resolved. A sender then need not wait, not even for a microtask. */
  get isLaunched(): boolean {
    return this.#isLaunched;
  }

  /** Notes that the CLI is connected. The handshake comes next. */
  noteConnected(): void {
    this.#phase = 'handshake';
  }

  /** Notes that control requests can be sent from now on. */
  noteLaunched(): void {
    this.#isLaunched = true;
    this.#launched.resolve();
  }

  /** Notes that the CLI has begun to work, perhaps before it answered the handshake. */
  noteRunning(): void {
    if (this.#phase === 'handshake') this.#phase = 'running';
  }

  /** Fails the control requests that still wait for the start. */
  fail(error: unknown): void {
    this.#launched.reject(error);
  }
}

/** For parts that only ask how far the CLI has got. */
export type ProgressView = Pick<Progress, 'phase' | 'launched' | 'isLaunched'>;

/** Whether and why the CLI ends. `LiveEnd` decides it. Every part may ask for the end. */
export class EndState {
  #cause: EndCause | undefined;
  #isOver = false;
  #onRequest: (cause: EndCause) => void = () => {};

  /** Why the CLI ends. Undefined until that is decided, and for a CLI that ends on its own. */
  get cause(): EndCause | undefined {
    return this.#cause;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the CLI has ended or is ending. */
  get isEnding(): boolean {
    return this.#isOver || this.#cause !== undefined;
  }

  /** Asks `LiveEnd` to end the CLI. */
  request(cause: EndCause): void {
    this.#onRequest(cause);
  }

  /** Sets the one listener of `request`. */
  onRequest(listener: (cause: EndCause) => void): void {
    this.#onRequest = listener;
  }

  /** Sets the reason for the end, unless there is one already. */
  decide(cause: EndCause): void {
    this.#cause ??= cause;
  }

  noteOver(): void {
    this.#isOver = true;
  }
}

/** For parts that ask for the end, or ask whether it has come. */
export type EndView = Pick<EndState, 'cause' | 'isOver' | 'isEnding' | 'request'>;

/**
 * Whether partial messages are wanted, and by whom. The caller asks for text, and the start decides what the CLI is
 * told.
 */
export class PartialMessages {
  #wantsText: boolean;
  readonly #areRead: boolean;
  #areHidden = false;

  constructor(wantsText: boolean, areRead: boolean) {
    this.#wantsText = wantsText;
    this.#areRead = areRead;
  }

  /** Whether partial messages come only for text streams, so that the reader of the messages gets none. */
  get areHidden(): boolean {
    return this.#areHidden;
  }

  /** Notes that the caller wants text streams. It has an effect only before the CLI is started. */
  wantText(): void {
    this.#wantsText = true;
  }

  /**
   * Decides, at the start, whether the CLI must be told to send partial messages although the options do not ask for
   * them.
   */
  decide(doOptionsAsk: boolean): boolean {
    const isForText = this.#wantsText && !doOptionsAsk;
    this.#areHidden = isForText && !this.#areRead;
    return isForText;
  }
}
