// A transport without a process. Both ends are in memory, and it keeps the same rules as the real one. Lines from the
// peer are delivered while `send` runs. Lines to the peer arrive in a later microtask, because a real CLI never answers
// before `write` has returned.
import { InboardError, WireError } from '../../errors.js';
import type { EndSignal } from '../process/run/child.js';
import { Termination } from '../process/run/terminate.js';
import { createDeferred } from '../../util/deferred.js';
import type { TerminateOptions, Transport, TransportEnd, TransportReceiver } from './transport.js';

/** How the peer behaves. */
export interface MemoryTransportOptions {
  /** Whether the peer exits with code 0 when its input ends. Default: false; the test then calls `end`. */
  leavesAtEndOfInput?: boolean | undefined;
  /** Whether the peer ignores SIGTERM. SIGKILL still ends it. Default: false. */
  ignoresTerm?: boolean | undefined;
}

/** The other side of a memory transport. A test uses it to play the CLI. */
export interface MemoryPeer {
  /** Sets the listener for the lines written to the peer. Earlier lines are delivered at once. */
  onLine(listener: (line: string) => void): void;
  /** Every line written so far. */
  readonly received: readonly string[];
  /** Delivers one line. Before `open`, the line waits. After the end, it is dropped. */
  send(line: string): void;
  /** Ends the peer like a process that exits. A second call does nothing. */
  end(how?: Partial<TransportEnd>): void;
  /** Makes the pipe full, so that `write` returns false, or empty again. */
  setFull(isFull: boolean): void;
  /** Refuses further input, like a CLI that closed its stdin. The next line is reported as a fault. */
  breakInput(): void;
  /** Resolves when the transport's side has ended the input, or the peer itself has ended. */
  readonly inputEnded: Promise<void>;
  readonly isOpen: boolean;
  readonly isInputEnded: boolean;
  readonly isOver: boolean;
  /** The signals that the peer has received, in order. */
  readonly signals: readonly EndSignal[];
}

/** A connected pair: `transport` for the code under test, `peer` for the test, which plays the CLI. */
export interface MemoryTransport {
  transport: Transport;
  peer: MemoryPeer;
}

/** Creates a connected pair. Starts no process, so there is nothing to close. */
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
    const message = 'The CLI no longer reads its input; what was written since then is lost';
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

/** Delivers to the receiver in order, and never while `open` runs. */
class ReceiverQueue {
  #receiver: TransportReceiver | undefined;
  #isFlowing = false;
  readonly #waiting: Array<(receiver: TransportReceiver) => void> = [];

  get isOpen(): boolean {
    return this.#receiver !== undefined;
  }

  open(receiver: TransportReceiver): void {
    if (this.#receiver) {
      throw new InboardError(
        'ALREADY_OPEN',
        'This transport has already been opened; each can be used only once.',
      );
    }
    this.#receiver = receiver;
    queueMicrotask(() => {
      // If a delivery causes another one, that goes to the end of the queue.
      for (let deliver = this.#waiting.shift(); deliver; deliver = this.#waiting.shift()) deliver(receiver);
      this.#isFlowing = true;
    });
  }

  deliver(delivery: (receiver: TransportReceiver) => void): void {
    if (this.#receiver && this.#isFlowing) delivery(this.#receiver);
    else this.#waiting.push(delivery);
  }
}

/** The pipe to the peer: its lines, whether it is full, and its end. */
class PeerInbox {
  readonly received: string[] = [];
  isEnded = false;
  readonly #onEnd: () => void;
  readonly #end = createDeferred<void>();
  readonly ended = this.#end.promise;
  #listener: ((line: string) => void) | undefined;
  #delivered = 0;
  #state: 'open' | 'ended' | 'broken' | 'closed' = 'open';
  #isOpen = false;
  #isFilled = false;
  #isBreakReported = false;
  #waiters: Array<() => void> = [];

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isFull(): boolean {
    return this.#isFilled && this.#state === 'open';
  }

  open(): void {
    this.#isOpen = true;
    queueMicrotask(() => this.#deliverLines());
    if (this.#state === 'ended') queueMicrotask(() => this.#reportEnd());
  }

  take(line: string): 'taken' | 'dropped' | 'newly broken' {
    if (this.#state === 'broken' && !this.#isBreakReported) {
      this.#isBreakReported = true;
      return 'newly broken';
    }
    if (this.#state !== 'open') return 'dropped';
    this.received.push(line);
    queueMicrotask(() => this.#deliverLines());
    return 'taken';
  }

  listen(listener: (line: string) => void): void {
    this.#listener = listener;
    this.#deliverLines();
  }

  end(): void {
    if (this.#state !== 'open' && this.#state !== 'broken') return;
    this.#state = 'ended';
    this.isEnded = true;
    this.#release();
    // The end is reported in a microtask, as lines are delivered, so that it comes after them.
    if (this.#isOpen) queueMicrotask(() => this.#reportEnd());
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
    this.#isFilled = isFull;
    if (!isFull) this.#release();
  }

  drained(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  #deliverLines(): void {
    while (this.#isOpen && this.#listener && this.#state !== 'closed') {
      const line = this.received[this.#delivered];
      if (line === undefined) return;
      this.#delivered += 1;
      this.#listener(line);
    }
  }

  #reportEnd(): void {
    this.#end.resolve();
    this.#onEnd();
  }

  #release(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}
