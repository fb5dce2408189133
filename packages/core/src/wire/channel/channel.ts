// The control protocol in both directions: matches replies to requests, and gives each request exactly one answer. Its
// owner hands it the answerers and a write function. It does no I/O, and `receiveLine` never throws.
import { messageOf } from '../../util/message-of.js';
import { isThenable } from '../../util/guards.js';
import { Later } from '../../util/later.js';
import { AbortError, ControlRequestError, WireError, type InboardError } from '../../errors.js';
import { LEFT_OPEN, NOT_OURS, WITHDRAWN, type Answerer } from '../protocol/answer.js';
import { decodeFrame, frameOf, withoutPadding, type Frame, type WireObject } from '../protocol/codec.js';
import {
  encodeCancel,
  encodeFailure,
  encodeMessage,
  encodeRequest,
  encodeSuccess,
  encodeSuccessSlowly,
} from '../protocol/encode-frame.js';
import { InboundRequests, type OpenRequest } from './inbound-requests.js';
import { describeMalformed, describePadding } from './malformed-line.js';
import { createRequestId, givenUp, OutboundRequests } from './outbound-requests.js';

/** The error code for a request that has no answerer here. */
const UNSUPPORTED_REQUEST = 'unsupported_request';
/** The requests that the CLI lists again in its replies while they are open. */
const REPEATABLE: ReadonlySet<unknown> = new Set(['can_use_tool', 'request_user_dialog', 'elicitation']);

/** What a channel needs from its owner. */
export interface ChannelOptions {
  /** Writes one line; the line feed is not part of it. */
  write(line: string): void;
  /** The answerers by control subtype. */
  answerers: Readonly<Record<string, Answerer | undefined>>;
  /** Everything that is not control traffic, in order. `line` is the text it was decoded from. */
  onMessage(message: WireObject, line: string): void;
  onWarning(error: InboardError): void;
  /** Called when a request was settled, withdrawn or left open, because the input may now be allowed to end. */
  onSettled?(): void;
  /** Whether requests may be cancelled on the wire; some CLIs exit when they receive a cancellation. Default true. */
  canWithdraw?(): boolean;
}

/** How a request is sent. */
export interface RequestOptions {
  /** Aborting rejects the promise with an AbortError, and cancels the request on the wire where that is possible. */
  signal?: AbortSignal | undefined;
  /** The id of the request. Default: a random one. */
  requestId?: string | undefined;
}

/** A control channel over lines. Its creator closes it. */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #outbound = new OutboundRequests();
  readonly #inbound = new InboundRequests();
  /**
   * Requests answered while a reply was due. The reply may still list them, because the CLI wrote it before it read the
   * answer.
   */
  readonly #answeredMeanwhile = new Set<string>();
  #closedBy: Error | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** How many requests are open, in both directions. */
  get inFlight(): number {
    return this.#outbound.size + this.#inbound.size;
  }

  /** How many requests of ours are unanswered. */
  get outboundInFlight(): number {
    return this.#outbound.size;
  }

  /** How many of them have a subtype of this kind. */
  countOutbound(isKind: (subtype: string) => boolean): number {
    return this.#outbound.count(isKind);
  }

  /** How many requests of the CLI are being worked on here, without those that were withdrawn or left open. */
  get inboundAwaited(): number {
    return this.#inbound.awaited;
  }

  /** Takes in one line of the CLI; after `close` it is ignored. */
  receiveLine(line: string): void {
    if (this.#closedBy) return;
    const frame = decodeFrame(line);
    if (frame.kind === 'request') this.#receiveRequest(frame.requestId, frame.request);
    else this.#receive(frame, line);
  }

  /** Whether the channel is closed, so that lines are ignored. */
  get isClosed(): boolean {
    return this.#closedBy !== undefined;
  }

  /** The message in a line that was not received before. Undefined when there is none, which is reported. */
  readMessage(line: string): WireObject | undefined {
    const frame = decodeFrame(line);
    if (frame.kind === 'message') return frame.message;
    if (frame.kind === 'malformed') this.#receiveMalformed(frame.reason, line);
    return undefined;
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

  /** Gives up a request of ours. Its promise rejects with `error`, and the CLI is told where that is possible. */
  expire(requestId: string, error: Error): void {
    const open = this.#outbound.take(requestId);
    open?.reject(error);
    open?.onGivenUp();
  }

  /**
   * Settles a request that its answerer left open. False when it is no longer open. The signal of an answerer that is
   * still at work aborts with `notice`.
   */
  answer(requestId: string, response: unknown, notice?: Error): boolean {
    const inbound = notice && this.#inbound.find(requestId);
    const isWritten = this.#writeAnswer(requestId, response);
    if (isWritten) inbound?.cancel(notice);
    return isWritten;
  }

  /** Ends the channel. Open requests reject with `error`, their signals abort, and later lines are ignored. */
  close(error: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = error;
    this.#outbound.rejectAll(error);
    this.#inbound.cancelAll(error);
  }

  #receive(frame: Frame, line: string): void {
    switch (frame.kind) {
      case 'message':
        this.#options.onMessage(frame.message, line);
        return;
      case 'request':
        this.#receiveRequest(frame.requestId, frame.request);
        return;
      case 'success':
      case 'failure':
        this.#receiveReply(frame);
        this.#options.onSettled?.();
        return;
      case 'cancel':
        this.#inbound.cancel(
          frame.requestId,
          new AbortError('The CLI withdrew the request', { cause: WITHDRAWN }),
        );
        this.#options.onSettled?.();
        return;
      case 'keep-alive':
        return;
      case 'malformed':
        this.#receiveMalformed(frame.reason, line);
    }
  }

  #receiveMalformed(reason: string, line: string): void {
    const bare = withoutPadding(line);
    const frame = bare === undefined ? undefined : decodeFrame(bare);
    if (bare !== undefined && frame !== undefined && frame.kind !== 'malformed') {
      this.#options.onWarning(describePadding(line.length - bare.length));
      this.#receive(frame, bare);
      return;
    }
    this.#options.onWarning(describeMalformed(reason, line));
  }

  #receiveReply(frame: Extract<Frame, { kind: 'success' | 'failure' }>): void {
    const open = this.#outbound.take(frame.requestId);
    // A reply to no open request may be old, and so may its list of open requests.
    if (!open) return;
    if (frame.kind === 'success') open.resolve(frame.response);
    else {
      const reason =
        frame.error || `The CLI refused the control request "${open.subtype}" and gave no reason`;
      open.reject(new ControlRequestError(open.subtype, reason, frame.errorCode));
    }
    const isAskedFor = open.subtype === 'initialize';
    for (const value of frame.pending) this.#receiveAgain(frameOf(value), isAskedFor);
    if (this.#outbound.size === 0) this.#answeredMeanwhile.clear();
  }

  /**
   * A reply can list requests that are still unanswered. Each counts as new, unless it is being worked on or was
   * answered. A request that was left open goes to its answerer again only after the handshake.
   */
  #receiveAgain(frame: Frame, isAskedFor: boolean): void {
    if (frame.kind !== 'request' || this.#answeredMeanwhile.has(frame.requestId)) return;
    const { requestId } = frame;
    const inbound = isAskedFor ? this.#inbound.addAgain(requestId) : this.#inbound.add(requestId, true);
    if (inbound) this.#dispatch(inbound, frame.request);
  }

  #receiveRequest(requestId: string, request: WireObject): void {
    const inbound = this.#inbound.add(requestId, REPEATABLE.has(request['subtype']));
    if (inbound) this.#dispatch(inbound, request);
    else {
      this.#options.onWarning(
        new WireError(
          'MALFORMED_FRAME',
          `The CLI used the request id "${requestId}" again while it was open; the second request was dropped`,
        ),
      );
    }
  }

  #dispatch(inbound: OpenRequest, request: WireObject): void {
    const { requestId } = inbound;
    const subtype = request['subtype'];
    const answerer =
      typeof subtype === 'string' && Object.hasOwn(this.#options.answerers, subtype)
        ? this.#options.answerers[subtype]
        : undefined;
    if (!answerer) {
      const problem =
        typeof subtype === 'string'
          ? `Unsupported control request subtype: ${subtype}`
          : 'The control request names no subtype';
      this.#writeRefusal(requestId, problem, UNSUPPORTED_REQUEST);
      return;
    }
    let answer: unknown;
    try {
      answer = answerer(request, inbound);
    } catch (error) {
      this.#refuse(inbound, error);
      return;
    }
    if (answer instanceof Later) answer.take((value) => this.#follow(inbound, value));
    else this.#follow(inbound, answer);
  }

  /** Writes an answer in the same step, because a microtask per call is measurable on the hot path. */
  #follow(inbound: OpenRequest, answer: unknown): void {
    let isPromise: boolean;
    try {
      isPromise = isThenable(answer);
    } catch (error) {
      this.#refuse(inbound, error);
      return;
    }
    if (!isPromise) this.#settle(inbound, answer);
    else {
      // `resolve` catches what a foreign `then` may throw.
      Promise.resolve(answer).then(
        (value) => this.#settle(inbound, value),
        (error: unknown) => this.#refuse(inbound, error),
      );
    }
  }

  // Only the same request object is settled: a late answerer must not settle a later request with the same id.
  #settle(inbound: OpenRequest, answer: unknown): void {
    if (answer === LEFT_OPEN || answer === NOT_OURS || inbound.isLong) {
      this.#settleSpecially(inbound, answer);
      return;
    }
    if (this.#inbound.take(inbound)) this.#encodeAnswer(inbound, answer);
  }

  #settleSpecially(inbound: OpenRequest, answer: unknown): void {
    const { requestId } = inbound;
    if (!this.#inbound.has(inbound)) return;
    if (answer === LEFT_OPEN) this.#inbound.leaveOpen(requestId);
    else if (answer === NOT_OURS) this.#inbound.close(requestId);
    else {
      void this.#settleSlowly(inbound, answer);
      return;
    }
    this.#options.onSettled?.();
  }

  /** Encodes a long answer in pieces, so that the rest of the process need not wait for it. */
  async #settleSlowly(inbound: OpenRequest, answer: unknown): Promise<void> {
    let line: string;
    try {
      line = await encodeSuccessSlowly(inbound.requestId, answer);
    } catch (error) {
      this.#refuse(inbound, error);
      return;
    }
    if (!this.#inbound.has(inbound) || !this.#close(inbound.requestId)) return;
    this.#options.write(line);
    this.#options.onSettled?.();
  }

  #refuse(inbound: OpenRequest, error: unknown): void {
    if (this.#inbound.has(inbound)) this.#writeRefusal(inbound.requestId, messageOf(error));
  }

  /** Answers a request that is open. */
  #writeAnswer(requestId: string, answer: unknown): boolean {
    const inbound = this.#inbound.close(requestId);
    if (inbound) this.#encodeAnswer(inbound, answer);
    return inbound !== undefined;
  }

  /** Answers a request that was taken out of the table. An answer that cannot be encoded becomes an error. */
  #encodeAnswer(inbound: OpenRequest, answer: unknown): void {
    const { requestId, isRepeatable } = inbound;
    if (isRepeatable) this.#noteAnswered(requestId);
    let line: string;
    try {
      line = encodeSuccess(requestId, answer);
    } catch (error) {
      line = encodeFailure(requestId, messageOf(error));
    }
    this.#options.write(line);
    this.#options.onSettled?.();
  }

  #writeRefusal(requestId: string, problem: string, code?: string): void {
    if (!this.#close(requestId)) return;
    this.#options.write(encodeFailure(requestId, problem, code));
    this.#options.onSettled?.();
  }

  /** Closes a request before its answer is written, so that each gets at most one. `#settle` does the same by `take`. */
  #close(requestId: string): boolean {
    const inbound = this.#inbound.close(requestId);
    if (!inbound) return false;
    if (inbound.isRepeatable) this.#noteAnswered(requestId);
    return true;
  }

  #noteAnswered(requestId: string): void {
    if (this.#outbound.size > 0) this.#answeredMeanwhile.add(requestId);
  }
}
