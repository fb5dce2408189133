// Answers the CLI's requests. Each request goes to its answerer, and gets at most one answer, whatever the answerer does.
// `inbound-requests` knows which requests are open.
import { WireError, type InboardError } from '../../errors.js';
import { isThenable } from '../../util/guards.js';
import { Later } from '../../util/later.js';
import { messageOf } from '../../util/message-of.js';
import { LEFT_OPEN, NOT_OURS, type Answerer } from '../protocol/answer.js';
import type { Frame, WireObject } from '../protocol/codec.js';
import { encodeFailure, encodeSuccess, encodeSuccessSlowly } from '../protocol/encode-frame.js';
import { InboundRequests, type OpenRequest } from './inbound-requests.js';
import type { OutboundRequests } from './outbound-requests.js';

/** The error code for a request that has no answerer here. */
const UNSUPPORTED_REQUEST = 'unsupported_request';
/** The kinds of requests that the CLI lists again in its replies while they are open. */
const REPEATABLE: ReadonlySet<unknown> = new Set(['can_use_tool', 'request_user_dialog', 'elicitation']);

/** What `InboundAnswers` needs from the channel's owner. */
export interface AnswerPort {
  /** Writes one line; the line feed is not part of it. */
  write(line: string): void;
  /** The answerers by control subtype. */
  answerers: Readonly<Record<string, Answerer | undefined>>;
  onWarning(error: InboardError): void;
  /** Called when a request was settled, withdrawn or left open, because the CLI's input may now be allowed to end. */
  onSettled?(): void;
}

/** Answers the requests that arrive on one channel. */
export class InboundAnswers {
  readonly #port: AnswerPort;
  readonly #outbound: Pick<OutboundRequests, 'size'>;
  /** The open requests. */
  readonly requests = new InboundRequests();
  /**
   * Requests that were answered while a reply of the CLI was due. The reply may still list them, because the CLI may have
   * written it before it read the answer.
   */
  readonly #answeredMeanwhile = new Set<string>();

  /** `outbound` says whether a reply of the CLI is due. */
  constructor(port: AnswerPort, outbound: Pick<OutboundRequests, 'size'>) {
    this.#port = port;
    this.#outbound = outbound;
  }

  /** Called when no reply is due any more, so that none can list a request that was answered meanwhile. */
  forgetAnswered(): void {
    this.#answeredMeanwhile.clear();
  }

  /**
   * Answers a request by its id, even while its answerer is at work. The answerer's signal then aborts with `notice`, if
   * that is given. False if the request is no longer open.
   */
  answer(requestId: string, response: unknown, notice?: Error): boolean {
    const inbound = notice && this.requests.find(requestId);
    const isWritten = this.#writeAnswer(requestId, response);
    if (isWritten) inbound?.cancel(notice);
    return isWritten;
  }

  /**
   * Handles a request that a reply lists as unanswered. It counts as new, unless it is being worked on or was answered. A
   * request that was left open goes to its answerer again only if `isAskedFor`: the reply is that of a handshake.
   */
  receiveAgain(frame: Frame, isAskedFor: boolean): void {
    if (frame.kind !== 'request' || this.#answeredMeanwhile.has(frame.requestId)) return;
    const { requestId } = frame;
    const { subtype } = frame.request;
    const inbound = isAskedFor
      ? this.requests.addAgain(requestId, subtype)
      : this.requests.add(requestId, true, subtype);
    if (inbound) this.#dispatch(inbound, frame.request);
  }

  /** Handles a new request of the CLI. */
  receive(requestId: string, request: WireObject): void {
    const { subtype } = request;
    const inbound = this.requests.add(requestId, REPEATABLE.has(subtype), subtype);
    if (inbound) this.#dispatch(inbound, request);
    else {
      this.#port.onWarning(
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
      typeof subtype === 'string' && Object.hasOwn(this.#port.answerers, subtype)
        ? this.#port.answerers[subtype]
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

  /** Writes an answer that is no promise at once, because a microtask for each call takes measurable time. */
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

  /** Settles this request object only: a late answerer must not settle a later request with the same id. */
  #settle(inbound: OpenRequest, answer: unknown): void {
    if (answer === LEFT_OPEN || answer === NOT_OURS || inbound.isLong) {
      this.#settleSpecially(inbound, answer);
      return;
    }
    if (this.requests.take(inbound)) this.#encodeAnswer(inbound, answer);
  }

  #settleSpecially(inbound: OpenRequest, answer: unknown): void {
    const { requestId } = inbound;
    if (!this.requests.has(inbound)) return;
    if (answer === LEFT_OPEN) this.requests.leaveOpen(requestId);
    else if (answer === NOT_OURS) this.requests.close(requestId);
    else {
      void this.#settleSlowly(inbound, answer);
      return;
    }
    this.#port.onSettled?.();
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
    if (!this.requests.has(inbound) || !this.#close(inbound.requestId)) return;
    this.#port.write(line);
    this.#port.onSettled?.();
  }

  #refuse(inbound: OpenRequest, error: unknown): void {
    if (this.requests.has(inbound)) this.#writeRefusal(inbound.requestId, messageOf(error));
  }

  /** Answers a request that is open. */
  #writeAnswer(requestId: string, answer: unknown): boolean {
    const inbound = this.requests.close(requestId);
    if (inbound) this.#encodeAnswer(inbound, answer);
    return inbound !== undefined;
  }

  /** Answers a request that is no longer in the table. An answer that cannot be encoded becomes an error. */
  #encodeAnswer(inbound: OpenRequest, answer: unknown): void {
    const { requestId, isRepeatable } = inbound;
    if (isRepeatable) this.#noteAnswered(requestId);
    let line: string;
    try {
      line = encodeSuccess(requestId, answer);
    } catch (error) {
      line = encodeFailure(requestId, messageOf(error));
    }
    this.#port.write(line);
    this.#port.onSettled?.();
  }

  #writeRefusal(requestId: string, problem: string, code?: string): void {
    if (!this.#close(requestId)) return;
    this.#port.write(encodeFailure(requestId, problem, code));
    this.#port.onSettled?.();
  }

  /** Closes a request before its answer is written, so that it gets at most one. `#settle` calls `take` for that. */
  #close(requestId: string): boolean {
    const inbound = this.requests.close(requestId);
    if (!inbound) return false;
    if (inbound.isRepeatable) this.#noteAnswered(requestId);
    return true;
  }

  #noteAnswered(requestId: string): void {
    if (this.#outbound.size > 0) this.#answeredMeanwhile.add(requestId);
  }
}
