// The control protocol in both directions. It matches the CLI's replies to our requests, and gives each request of the
// CLI at most one answer (`inbound-answers`). Its owner gives it the answerers and a write function. It does no I/O, and
// `receiveLine` never throws.
import { AbortError, ControlRequestError } from '../../errors.js';
import { WITHDRAWN } from '../protocol/answer.js';
import { decodeFrame, frameOf, withoutPadding, type Frame, type WireObject } from '../protocol/codec.js';
import { encodeCancel, encodeMessage, encodeRequest } from '../protocol/encode-frame.js';
import { InboundAnswers, type AnswerPort } from './inbound-answers.js';
import type { OpenRequest } from './inbound-requests.js';
import { describeMalformed, describePadding } from './malformed-line.js';
import { createRequestId, givenUp, OutboundRequests } from './outbound-requests.js';

/** What a channel needs from its owner. */
export interface ChannelOptions extends AnswerPort {
  /** Called with every message that is not part of the control protocol, in order. `line` is its text. */
  onMessage(message: WireObject, line: string): void;
  /** Whether requests may be cancelled on the wire; some CLIs exit when they receive a cancellation. Default true. */
  canWithdraw?(): boolean;
}

/** How a request is sent. */
export interface RequestOptions {
  /** Aborting rejects the promise with an AbortError, and tells the CLI to cancel the request if `canWithdraw` allows it. */
  signal?: AbortSignal | undefined;
  /** The id of the request. Default: a random one. */
  requestId?: string | undefined;
}

/** A control channel over lines. Its creator closes it. */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #outbound = new OutboundRequests();
  readonly #inbound: InboundAnswers;
  #closedBy: Error | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#inbound = new InboundAnswers(options, this.#outbound);
  }

  /** How many requests are open, in both directions. */
  get inFlight(): number {
    return this.#outbound.size + this.#inbound.requests.size;
  }

  /** How many requests of ours are unanswered. */
  get outboundInFlight(): number {
    return this.#outbound.size;
  }

  /** How many unanswered requests of ours have a subtype of this kind. */
  countOutbound(isKind: (subtype: string) => boolean): number {
    return this.#outbound.count(isKind);
  }

  /** How many requests of the CLI are being worked on here. Requests that were withdrawn or left open do not count. */
  get inboundAwaited(): number {
    return this.#inbound.requests.awaited;
  }

  /** The requests of the CLI that are open, oldest first. Those that it has withdrawn are left out. */
  get openRequests(): OpenRequest[] {
    return this.#inbound.requests.list();
  }

  /** Takes an open request out of the channel. Nothing is written for it, and its signal does not abort with the channel. */
  detach(requestId: string): OpenRequest | undefined {
    return this.#inbound.requests.close(requestId);
  }

  /** Handles one line of the CLI. After `close`, lines are ignored. */
  receiveLine(line: string): void {
    if (this.#closedBy) return;
    const frame = decodeFrame(line);
    if (frame.kind === 'request') this.#inbound.receive(frame.requestId, frame.request);
    else this.#receive(frame, line);
  }

  /** Whether the channel is closed, so that lines are ignored. */
  get isClosed(): boolean {
    return this.#closedBy !== undefined;
  }

  /**
   * The message in a line that was not passed to `receiveLine`. NUL bytes around it do not matter. Undefined if there is
   * none; a malformed line is reported.
   */
  readMessage(line: string): WireObject | undefined {
    const decoded = decodeFrame(line);
    // The message is returned and not received, because its place is that of the line and not after later messages.
    const frame = decoded.kind === 'malformed' ? this.#readPadded(decoded.reason, line)?.frame : decoded;
    return frame?.kind === 'message' ? frame.message : undefined;
  }

  /** Writes a message that has no reply. */
  send(message: object): void {
    if (this.#closedBy) throw this.#closedBy;
    this.#options.write(encodeMessage(message));
  }

  /** Sends a request; resolves with the `response` of its reply. */
  request(request: { subtype: string }, options: RequestOptions = {}): Promise<unknown> {
    const { signal, requestId = createRequestId() } = options;
    const { subtype } = request;
    return new Promise((resolve, reject) => {
      if (this.#closedBy) throw this.#closedBy;
      if (signal?.aborted) throw givenUp(subtype, signal);
      const line = encodeRequest(requestId, request);
      const onGivenUp = (): void => {
        if (this.#options.canWithdraw?.() ?? true) this.#options.write(encodeCancel(requestId));
        this.#options.onSettled?.();
      };
      this.#outbound.add({ requestId, subtype, signal, resolve, reject, onGivenUp });
      this.#options.write(line);
    });
  }

  /** Gives up a request of ours. Its promise rejects with `error`, and the CLI is told if `canWithdraw` allows it. */
  expire(requestId: string, error: Error): void {
    const open = this.#outbound.take(requestId);
    open?.reject(error);
    open?.onGivenUp();
  }

  /**
   * Answers a request of the CLI by its id, even while its answerer is at work. The answerer's signal then aborts with
   * `notice`, if that is given. False if the request is no longer open.
   */
  answer(requestId: string, response: unknown, notice?: Error): boolean {
    return this.#inbound.answer(requestId, response, notice);
  }

  /**
   * Ends the channel. Our open requests reject with `error`, the signals of the CLI's open requests abort, and later lines
   * are ignored.
   */
  close(error: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = error;
    this.#outbound.rejectAll(error);
    this.#inbound.requests.cancelAll(error);
  }

  #receive(frame: Frame, line: string): void {
    switch (frame.kind) {
      case 'message':
        this.#options.onMessage(frame.message, line);
        return;
      case 'request':
        this.#inbound.receive(frame.requestId, frame.request);
        return;
      case 'success':
      case 'failure':
        this.#receiveReply(frame);
        this.#options.onSettled?.();
        return;
      case 'cancel':
        this.#inbound.requests.cancel(
          frame.requestId,
          new AbortError('The CLI withdrew the request', { cause: WITHDRAWN }),
        );
        this.#options.onSettled?.();
        return;
      case 'keep-alive':
        return;
      case 'malformed': {
        const padded = this.#readPadded(frame.reason, line);
        if (padded) this.#receive(padded.frame, padded.text);
      }
    }
  }

  /** The frame in a malformed line that is whole except for NUL bytes around it. Undefined for another line. Reports both. */
  #readPadded(reason: string, line: string): { frame: Frame; text: string } | undefined {
    const text = withoutPadding(line);
    const frame = text === undefined ? undefined : decodeFrame(text);
    if (text === undefined || frame === undefined || frame.kind === 'malformed') {
      this.#options.onWarning(describeMalformed(reason, line));
      return undefined;
    }
    this.#options.onWarning(describePadding(line.length - text.length));
    return { frame, text };
  }

  #receiveReply(frame: Extract<Frame, { kind: 'success' | 'failure' }>): void {
    const open = this.#outbound.take(frame.requestId);
    // A reply without an open request may be old. Its list of open requests may then be old, too.
    if (!open) return;
    if (frame.kind === 'success') open.resolve(frame.response);
    else {
      const reason =
        frame.error || `The CLI refused the control request "${open.subtype}" and gave no reason`;
      open.reject(new ControlRequestError(open.subtype, reason, frame.errorCode));
    }
    const isAskedFor = open.subtype === 'initialize';
    for (const value of frame.pending) this.#inbound.receiveAgain(frameOf(value), isAskedFor);
    if (this.#outbound.size === 0) this.#inbound.forgetAnswered();
  }
}
