// Makes a caller's transport keep the rules of transports. Even if it throws, rejects, forgets a report or reports twice,
// the wrapped transport fails with a typed error, ends once, and ends in time. Inboard's own transports need no wrapper.
import { InboardError, InvalidOptionsError, WireError } from '../../errors.js';
import { callListener } from '../../util/call-listener.js';
import { createDeferred } from '../../util/deferred.js';
import { isRecord, isThenable } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import { endsWithin } from '../process/run/terminate.js';
import type { TerminateOptions, Transport, TransportEnd, TransportReceiver } from './transport.js';

/** Called when a method of a transport threw or rejected. */
export type OnTransportFault = (method: string, cause: unknown) => void;

const METHODS = ['open', 'write', 'drained', 'endInput', 'terminate'] as const;
/** How long a transport may take to report its end after `terminate` has resolved. */
const LATE_REPORT_MS = 1_000;

/** Wraps a transport of the caller. Throws an InvalidOptionsError for an object that is not a transport. */
export function guardTransport(given: Transport, onFault: OnTransportFault): Transport {
  const lacking = METHODS.filter(
    (name) => typeof (given as Partial<Transport> | undefined)?.[name] !== 'function',
  );
  if (lacking.length > 0) {
    throw new InvalidOptionsError(
      ['transport'],
      `The option "transport" must be or return an object with ${METHODS.join(', ')}; it lacks ${lacking.join(', ')}`,
    );
  }
  return new GuardedTransport(given, onFault);
}

class GuardedTransport implements Transport {
  readonly #given: Transport;
  readonly #onFault: OnTransportFault;
  readonly #over = createDeferred<void>();
  #receiver: TransportReceiver | undefined;
  #stage: 'unopened' | 'opening' | 'open' | 'closed' = 'unopened';
  /** Events that the transport reported while `open` ran. They are delivered after `open` has returned. */
  #early: (() => void)[] = [];
  #isInputBroken = false;
  #endsAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** The error that `terminate` threw or rejected with. */
  #refusal: unknown;

  constructor(given: Transport, onFault: OnTransportFault) {
    this.#given = given;
    this.#onFault = onFault;
  }

  get claudeCodeVersion(): string | undefined {
    return this.#given.claudeCodeVersion;
  }

  get pid(): number | undefined {
    return this.#given.pid;
  }

  open(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    this.#stage = 'opening';
    try {
      const opened: unknown = this.#given.open({
        line: (text) => this.#deliver(() => this.#takeLine(text)),
        fault: (error) => this.#deliver(() => receiver.fault(asFault(error))),
        closed: (end) => this.#deliver(() => this.#close(readEnd(end))),
      });
      if (isThenable(opened)) Promise.resolve(opened).catch((cause: unknown) => this.#fail('open', cause));
    } catch (error) {
      this.#stage = 'closed';
      this.#over.resolve();
      // With this code, another session has opened the transport. That session ends it.
      const isForeign = error instanceof InboardError && error.code === 'ALREADY_OPEN';
      if (!isForeign) this.#try('terminate', () => this.#given.terminate({ graceMs: 0 }));
      throw error;
    }
    queueMicrotask(() => {
      if (this.#stage === 'opening') this.#stage = 'open';
      for (const deliver of this.#early.splice(0)) deliver();
    });
  }

  write(line: string): boolean {
    if (this.#stage === 'closed') return true;
    const breakInput = (cause: unknown): void => this.#breakInput(cause);
    let hasRoom: unknown;
    callListener(() => (hasRoom = this.#given.write(line)), breakInput);
    return hasRoom !== false;
  }

  async drained(): Promise<void> {
    try {
      await this.#given.drained();
    } catch (cause) {
      this.#onFault('drained', cause);
    }
  }

  guarded(): Promise<void> | undefined {
    try {
      return this.#given.guarded?.()?.catch((cause: unknown) => this.#onFault('guarded', cause));
    } catch (cause) {
      this.#onFault('guarded', cause);
      return undefined;
    }
  }

  endInput(): void {
    this.#try('endInput', () => this.#given.endInput());
  }

  terminate(times: TerminateOptions = {}): Promise<void> {
    const isOpen = this.#stage === 'open' || this.#stage === 'opening';
    if (isOpen) this.#endWithin(endsWithin(times));
    if (this.#stage === 'closed') return this.#over.promise;
    const refuse = (cause: unknown): void => {
      this.#refusal = cause;
      this.#onFault('terminate', cause);
    };
    callListener(async () => {
      await this.#given.terminate(times);
      // The transport has ended. Only the report of its end may still be missing.
      this.#endWithin(LATE_REPORT_MS);
    }, refuse);
    return isOpen ? this.#over.promise : Promise.resolve();
  }

  #deliver(delivery: () => void): void {
    const deliverOpen = (): void => {
      if (this.#stage === 'open') delivery();
    };
    if (this.#stage === 'opening') this.#early.push(deliverOpen);
    else deliverOpen();
  }

  #takeLine(text: unknown): void {
    if (typeof text === 'string') this.#receiver?.line(text);
    else {
      const message = `The transport delivered a line of type ${typeof text} instead of a string; it was left out`;
      this.#receiver?.fault(new WireError('MALFORMED_LINE', message));
    }
  }

  #try(method: string, run: () => unknown): void {
    callListener(run, (cause) => this.#onFault(method, cause));
  }

  /** Reports a broken input once, and never while `write` runs. */
  #breakInput(cause: unknown): void {
    this.#onFault('write', cause);
    if (this.#isInputBroken) return;
    this.#isInputBroken = true;
    const message = `The transport could not write to the CLI: ${messageOf(cause)}`;
    const error = new WireError('INPUT_BROKEN', message, { cause });
    queueMicrotask(() => this.#deliver(() => this.#receiver?.fault(error)));
  }

  #fail(method: string, cause: unknown): void {
    if (this.#stage === 'closed') return;
    const message = `The method "${method}" of the transport failed: ${messageOf(cause)}`;
    this.#close({ ...NO_END, error: new InboardError('TRANSPORT_FAILED', message, { cause }) });
    this.#try('terminate', () => this.#given.terminate({ graceMs: 0 }));
  }

  /**
   * Closes the transport after `ms` at the latest. Another call can only shorten the time. The timer keeps the host alive
   * on purpose, like that of `Termination`.
   */
  #endWithin(ms: number): void {
    if (this.#stage === 'closed') return;
    const endsAt = performance.now() + ms;
    if (endsAt >= this.#endsAt) return;
    this.#endsAt = endsAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), Math.min(ms, LONGEST_TIMER_MS));
  }

  #giveUp(): void {
    const refusal = this.#refusal === undefined ? '' : `; it failed: ${messageOf(this.#refusal)}`;
    const message = `The transport did not report its end in time after terminate(), and was abandoned${refusal}`;
    const facts = { phase: 'shutdown', cause: this.#refusal } as const;
    this.#close({ ...NO_END, error: new InboardError('TRANSPORT_STUCK', message, facts) });
  }

  #close(end: TransportEnd): void {
    if (this.#stage === 'closed') return;
    this.#stage = 'closed';
    clearTimeout(this.#timer);
    this.#receiver?.closed(end);
    this.#over.resolve();
  }
}

const NO_END = { exitCode: null, signal: null, stderrTail: '' };

function asFault(error: unknown): InboardError {
  return error instanceof InboardError
    ? error
    : new InboardError('TRANSPORT_FAULT', messageOf(error), { cause: error });
}

function readEnd(given: unknown): TransportEnd {
  const { exitCode, signal, stderrTail, error } = isRecord(given) ? given : {};
  return {
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? signal : null,
    stderrTail: typeof stderrTail === 'string' ? stderrTail : '',
    ...(error !== undefined && error !== null && { error: asFault(error) }),
  };
}
