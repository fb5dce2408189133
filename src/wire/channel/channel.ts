// The control protocol in both directions: correlation, exactly one answer per request, nothing else.
// It is handed its answerers and a write function, does no I/O, and never throws out of `receiveLine`.
import { messageOf } from '../../util/message-of.js';
import { isThenable } from '../../util/guards.js';
import { AbortError, ControlRequestError, WireError, type InboardError } from '../../errors.js';
import { LEFT_OPEN, NOT_OURS, type Answerer } from '../protocol/answer.js';
import {
  decodeFrame,
  encodeCancel,
  encodeFailure,
  encodeMessage,
  encodeRequest,
  encodeSuccess,
  frameOf,
  type Frame,
  type WireObject,
} from '../protocol/codec.js';
import { onAbort } from '../../util/on-abort.js';
import { InboundRequests, type InboundRequest } from './inbound-requests.js';
import { PendingRequests } from './pending-requests.js';

/** The refusal of a request whose kind nobody here answers. */
const UNSUPPORTED_REQUEST = 'unsupported_request';
/** The questions that replies of the CLI list while they are open. */
const REPEATABLE: ReadonlySet<unknown> = new Set(['can_use_tool', 'request_user_dialog', 'elicitation']);

export interface ChannelOptions {
  /** Takes one line without its line feed. */
  write(line: string): void;
  /** By control subtype. */
  answerers: Readonly<Record<string, Answerer | undefined>>;
  /** Everything that is not control traffic, in order. `line` is the text it was decoded from. */
  onMessage(message: WireObject, line: string): void;
  onWarning(error: InboardError): void;
  /** A request was settled, withdrawn or left to others; the moment to ask whether the input may end. */
  onSettled?(): void;
  /** Whether the other side can be told that a request was given up; some CLIs end when they are. Default yes. */
  canWithdraw?(): boolean;
}

export interface RequestOptions {
  /** Gives the request up: the promise rejects with an AbortError, and the other side is told where it can be. */
  signal?: AbortSignal | undefined;
  requestId?: string | undefined;
}

/** A control channel over lines. Owned by whoever made it; `close` ends it once. */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #outbound = new PendingRequests();
  readonly #inbound = new InboundRequests();
  /** Answered while a reply was due, which may list them as open: it can have been written before the answer was read. */
  readonly #answeredMeanwhile = new Set<string>();
  #closedBy: Error | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** How many requests are open, in both directions. */
  get inFlight(): number {
    return this.#outbound.size + this.#inbound.size;
  }

  /** How many requests of ours have no answer yet. */
  get outboundInFlight(): number {
    return this.#outbound.size;
  }

  /** How many requests of the other side are being worked on here; one that was withdrawn or left to others is not. */
  get inboundAwaited(): number {
    return this.#inbound.awaited;
  }

  receiveLine(line: string): void {
    if (this.#closedBy) return;
    this.#receive(decodeFrame(line), line);
  }

  /** Writes a message that expects no answer of its own. */
  send(message: object): void {
    if (this.#closedBy) throw this.#closedBy;
    this.#options.write(encodeMessage(message));
  }

  /** Puts a request to the other side; resolves with the `response` of its reply. */
  request(request: { subtype: string }, options: RequestOptions = {}): Promise<unknown> {
    const { signal, requestId = createRequestId() } = options;
    return new Promise((resolve, reject) => {
      if (this.#closedBy) throw this.#closedBy;
      if (signal?.aborted) throw abortErrorFor(request.subtype, signal);
      const line = encodeRequest(requestId, request);
      const giveUp = (): void => {
        if (!this.#outbound.take(requestId)) return;
        if (this.#options.canWithdraw?.() ?? true) this.#options.write(encodeCancel(requestId));
        reject(abortErrorFor(request.subtype, signal));
        this.#options.onSettled?.();
      };
      let withoutSignal = (): void => {};
      const added = this.#outbound.add(requestId, {
        subtype: request.subtype,
        resolve: (response) => {
          withoutSignal();
          resolve(response);
        },
        reject: (error) => {
          withoutSignal();
          reject(error);
        },
      });
      if (!added) {
        throw new ControlRequestError(
          request.subtype,
          `A control request with the id "${requestId}" is already open; ids must differ while they are in flight`,
          'duplicate_request_id',
        );
      }
      if (signal) withoutSignal = onAbort(signal, giveUp);
      this.#options.write(line);
    });
  }

  /** Settles a request that its answerer left open; false when it is not open any more. */
  answer(requestId: string, response: unknown): boolean {
    return this.#writeAnswer(requestId, () => encodeSuccess(requestId, response));
  }

  /** Ends the channel: open requests reject with `error`, their signals fire, later lines are ignored. */
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
        this.#inbound.cancel(frame.requestId, new AbortError('The CLI withdrew the request'));
        this.#options.onSettled?.();
        return;
      case 'keep-alive':
        return;
      case 'malformed':
        this.#options.onWarning(
          new WireError(
            frame.reason.startsWith('it is not JSON') ? 'MALFORMED_LINE' : 'MALFORMED_FRAME',
            `A line from the CLI was left out: ${frame.reason}. It begins: ${JSON.stringify(line.slice(0, 200))}`,
          ),
        );
    }
  }

  #receiveReply(frame: Extract<Frame, { kind: 'success' | 'failure' }>): void {
    const open = this.#outbound.take(frame.requestId);
    // A reply nobody waits for may be old, and so may its list of open questions.
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
   * A reply can bring questions that still wait: as if they had just arrived, unless they are being worked on or
   * were answered. Those that were left open here are put again only where that was asked for.
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
          `The CLI used the request id "${requestId}" again while it was open; the copy was dropped`,
        ),
      );
    }
  }

  #dispatch(inbound: InboundRequest, request: WireObject): void {
    const { requestId } = inbound;
    const subtype = request['subtype'];
    const answerer =
      typeof subtype === 'string' && Object.hasOwn(this.#options.answerers, subtype)
        ? this.#options.answerers[subtype]
        : undefined;
    if (!answerer) {
      this.#writeAnswer(requestId, () =>
        encodeFailure(
          requestId,
          typeof subtype === 'string'
            ? `Unsupported control request subtype: ${subtype}`
            : 'The control request names no subtype',
          UNSUPPORTED_REQUEST,
        ),
      );
      return;
    }
    this.#runAnswerer(answerer, request, inbound);
  }

  #runAnswerer(answerer: Answerer, request: WireObject, inbound: InboundRequest): void {
    let answer: unknown;
    let isLater: boolean;
    try {
      answer = answerer(request, inbound);
      isLater = isThenable(answer);
    } catch (error) {
      this.#refuse(inbound.requestId, error);
      return;
    }
    // An answer that is there already is written at once: a microtask per call shows on the hot path.
    if (!isLater) this.#settle(inbound.requestId, answer);
    else {
      // Through `resolve`, since a foreign `then` may throw.
      Promise.resolve(answer).then(
        (value) => this.#settle(inbound.requestId, value),
        (error: unknown) => this.#refuse(inbound.requestId, error),
      );
    }
  }

  #settle(requestId: string, answer: unknown): void {
    if (answer === LEFT_OPEN) {
      this.#inbound.leaveOpen(requestId);
      this.#options.onSettled?.();
      return;
    }
    if (answer === NOT_OURS) {
      if (this.#inbound.close(requestId)) this.#options.onSettled?.();
      return;
    }
    this.#writeAnswer(requestId, () => encodeSuccess(requestId, answer));
  }

  #refuse(requestId: string, error: unknown): void {
    this.#writeAnswer(requestId, () => encodeFailure(requestId, messageOf(error)));
  }

  /** The single place where answers leave; an answer that cannot be written becomes a refusal. */
  #writeAnswer(requestId: string, encode: () => string): boolean {
    const inbound = this.#inbound.close(requestId);
    if (!inbound) return false;
    if (inbound.isRepeatable && this.#outbound.size > 0) this.#answeredMeanwhile.add(requestId);
    let line: string;
    try {
      line = encode();
    } catch (error) {
      line = encodeFailure(requestId, messageOf(error));
    }
    this.#options.write(line);
    this.#options.onSettled?.();
    return true;
  }
}

function abortErrorFor(subtype: string, signal: AbortSignal | undefined): AbortError {
  return new AbortError(`The control request "${subtype}" was given up by its caller`, {
    cause: signal?.reason,
  });
}

/** An id of our own space: the CLI's ids are UUIDs, these are short base-36 words. */
function createRequestId(): string {
  return Math.random().toString(36).slice(2, 13).padEnd(11, '0');
}
