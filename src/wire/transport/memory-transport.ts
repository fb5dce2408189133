// A transport without a process: both ends in memory, under the same rules as the real one. Lines from
// the peer are delivered while `send` runs; lines to the peer arrive in a later microtask, as a real CLI
// never answers before `write` has returned.
import { InboardError, WireError } from '../../errors.js';
import type { EndSignal } from '../process/run/child.js';
import { Termination } from '../process/run/terminate.js';
import { createDeferred } from '../../util/deferred.js';
import type { TerminateOptions, Transport, TransportEnd, TransportReceiver } from './transport.js';

/** How the peer behaves where nothing else is said. */
export interface MemoryTransportOptions {
  /** Leaves with exit code 0 when its input ends. Default false: whoever plays the peer calls `end`. */
  leavesAtEndOfInput?: boolean;
  /** Does not mind SIGTERM; SIGKILL still ends it. Default false. */
  ignoresTerm?: boolean;
}

/** The other side of a memory transport: plays the CLI. */
export interface MemoryPeer {
  /** Who gets the lines written to the peer; those that came before are handed over at once. */
  onLine(listener: (line: string) => void): void;
  /** Every line written so far. */
  readonly received: readonly string[];
  /** Delivers one line; before `open` it waits, after the end it is dropped. */
  send(line: string): void;
  /** Ends the peer as a process ends; a second call is a no-op. */
  end(how?: Partial<TransportEnd>): void;
  /** Makes the pipe full (`write` gives false) or empty again. */
  setFull(isFull: boolean): void;
  /** Refuses further input, as a CLI that closed its stdin: told to the transport's side as a fault at the next line. */
  breakInput(): void;
  /** Resolves when the transport's side ended the input, or the peer itself is over. */
  readonly inputEnded: Promise<void>;
  readonly isOpen: boolean;
  readonly isInputEnded: boolean;
  readonly isOver: boolean;
  /** Signals that came, in order. */
  readonly signals: readonly EndSignal[];
}

/** A connected pair: `transport` for the code under test, `peer` for whoever plays the CLI. */
export interface MemoryTransport {
  transport: Transport;
  peer: MemoryPeer;
}

/** Creates a connected pair; nothing is started, and nothing is left when it ends. */
export function createMemoryTransport(options: MemoryTransportOptions = {}): MemoryTransport {
  const outbox = new ReceiverQueue();
  const inbox = new PeerInbox(() => {
    if (options.leavesAtEndOfInput) end({ exitCode: 0 });
  });
  const over = createDeferred<void>();
  const signals: EndSignal[] = [];
  let isEndAsked = false;
  let isOver = false;

  const termination = new Termination({
    endInput: () => inbox.end(),
    signal(name) {
      signals.push(name);
      if (name === 'SIGKILL' || !options.ignoresTerm) end({ signal: name });
    },
    giveUp: () => undefined,
  });

  function end(how: Partial<TransportEnd>): void {
    if (isOver) return;
    isOver = true;
    termination.finish();
    inbox.close();
    outbox.deliver((receiver) => {
      receiver.closed({ exitCode: null, signal: null, stderrTail: '', ...how });
      over.resolve();
    });
  }

  function reportBrokenInput(): void {
    if (isEndAsked || isOver) return;
    const message = 'The CLI no longer reads its input; what was written since is lost';
    outbox.deliver((receiver) => receiver.fault(new WireError('INPUT_BROKEN', message)));
  }

  const transport: Transport = {
    pid: undefined,
    open(receiver) {
      outbox.open(receiver);
      if (isEndAsked) end({});
      else inbox.open();
    },
    write(line) {
      if (inbox.take(line) === 'newly broken') queueMicrotask(reportBrokenInput);
      return !inbox.isFull;
    },
    drained: () => inbox.drained(),
    endInput: () => inbox.end(),
    terminate(times: TerminateOptions = {}) {
      isEndAsked = true;
      if (!outbox.isOpen) return Promise.resolve();
      if (!isOver) termination.request(times);
      return over.promise;
    },
  };

  const peer: MemoryPeer = {
    onLine: (listener) => inbox.listen(listener),
    received: inbox.received,
    send(line) {
      if (!isOver) outbox.deliver((receiver) => receiver.line(line));
    },
    end: (how = {}) => end({ exitCode: how.signal === undefined ? 0 : null, ...how }),
    setFull: (isFull) => inbox.setFull(isFull),
    breakInput: () => inbox.break(),
    inputEnded: inbox.ended,
    get isOpen() {
      return outbox.isOpen;
    },
    get isInputEnded() {
      return inbox.isEnded;
    },
    get isOver() {
      return isOver;
    },
    signals,
  };

  return { transport, peer };
}

/** What goes to the receiver: in order, and never while `open` runs. */
class ReceiverQueue {
  #receiver: TransportReceiver | undefined;
  #isFlowing = false;
  readonly #waiting: Array<(receiver: TransportReceiver) => void> = [];

  get isOpen(): boolean {
    return this.#receiver !== undefined;
  }

  open(receiver: TransportReceiver): void {
    if (this.#receiver) {
      throw new InboardError('ALREADY_OPEN', 'This transport was opened before; each serves once.');
    }
    this.#receiver = receiver;
    queueMicrotask(() => {
      // What a delivery itself sends goes to the end of the line.
      for (let deliver = this.#waiting.shift(); deliver; deliver = this.#waiting.shift()) deliver(receiver);
      this.#isFlowing = true;
    });
  }

  deliver(delivery: (receiver: TransportReceiver) => void): void {
    if (this.#receiver && this.#isFlowing) delivery(this.#receiver);
    else this.#waiting.push(delivery);
  }
}

/** What goes to the peer: the lines, the fill level of the pipe, and its end. */
class PeerInbox {
  readonly received: string[] = [];
  readonly ended: Promise<void>;
  isEnded = false;
  readonly #onEnd: () => void;
  readonly #end = createDeferred<void>();
  #listener: ((line: string) => void) | undefined;
  #handedOver = 0;
  #state: 'open' | 'ended' | 'broken' | 'closed' = 'open';
  #isOpen = false;
  #isStuffed = false;
  #isBreakTold = false;
  #waiters: Array<() => void> = [];

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.ended = this.#end.promise;
  }

  get isFull(): boolean {
    return this.#isStuffed && this.#state === 'open';
  }

  open(): void {
    this.#isOpen = true;
    queueMicrotask(() => this.#handOver());
    if (this.#state === 'ended') queueMicrotask(() => this.#tellEnd());
  }

  take(line: string): 'taken' | 'dropped' | 'newly broken' {
    if (this.#state === 'broken' && !this.#isBreakTold) {
      this.#isBreakTold = true;
      return 'newly broken';
    }
    if (this.#state !== 'open') return 'dropped';
    this.received.push(line);
    queueMicrotask(() => this.#handOver());
    return 'taken';
  }

  listen(listener: (line: string) => void): void {
    this.#listener = listener;
    this.#handOver();
  }

  end(): void {
    if (this.#state !== 'open' && this.#state !== 'broken') return;
    this.#state = 'ended';
    this.isEnded = true;
    this.#release();
    // After the lines before it, each of which is on its way in a microtask.
    if (this.#isOpen) queueMicrotask(() => this.#tellEnd());
  }

  break(): void {
    if (this.#state === 'open') this.#state = 'broken';
    this.#release();
  }

  close(): void {
    this.#state = 'closed';
    this.#release();
    this.#end.resolve();
  }

  setFull(isFull: boolean): void {
    this.#isStuffed = isFull;
    if (!isFull) this.#release();
  }

  drained(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  #handOver(): void {
    while (this.#isOpen && this.#listener && this.#state !== 'closed') {
      const line = this.received[this.#handedOver];
      if (line === undefined) return;
      this.#handedOver += 1;
      this.#listener(line);
    }
  }

  #tellEnd(): void {
    this.#end.resolve();
    this.#onEnd();
  }

  #release(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}
