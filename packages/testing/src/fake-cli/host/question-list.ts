// The questions that a fake CLI asks its host, and the answers. Every rule that an answer breaks becomes a problem of the
// run. Other parts decide what the fake does with an answer.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { RunState } from '../run-state.js';
import { findAnswerProblem, nameRequest, shortenValue } from './answer-check.js';

/** How a question ended. */
export type HostReply =
  | { readonly kind: 'success'; readonly response: unknown }
  | { readonly kind: 'failure'; readonly error: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'input ended' };

/** A question that has been sent. */
export interface HostQuestion {
  readonly id: string;
  readonly request: WireObject;
  reply: HostReply | undefined;
  /** Whether the question was withdrawn. An answer may still come, because the host may have sent it before that. */
  isWithdrawn: boolean;
  /** How often the request was sent. That many answers may come. */
  timesSent: number;
  timesAnswered: number;
  /** Whether the CLI can do without an answer. */
  isOptional: boolean;
}

export class QuestionList {
  readonly #questions = new Map<string, HostQuestion>();
  readonly #state: RunState;

  constructor(state: RunState) {
    this.#state = state;
  }

  add(id: string, request: WireObject, isOptional: boolean): HostQuestion {
    const counts = { timesSent: 1, timesAnswered: 0 };
    const question = { id, request, isOptional, reply: undefined, isWithdrawn: false, ...counts };
    this.#questions.set(id, question);
    return question;
  }

  /** Notes that the same request was sent once more. */
  noteRepeated(id: string): void {
    const question = this.#questions.get(id);
    if (question) question.timesSent += 1;
  }

  listOpen(): HostQuestion[] {
    return [...this.#questions.values()].filter(({ reply }) => reply === undefined);
  }

  /** Reads a `control_response` of the host. */
  take(frame: WireObject): void {
    const body = frame['response'];
    if (!isRecord(body) || typeof body['request_id'] !== 'string') {
      this.#state.complain(`a control_response without a request_id: ${shortenValue(frame)}`);
      return;
    }
    const question = this.#questions.get(body['request_id']);
    if (!question) {
      // A script that answers by hand may have written the request itself.
      if (this.#state.settings.isByHand) return;
      this.#state.complain(`an answer to a request that was never made: ${shortenValue(frame)}`);
      return;
    }
    const reply = this.#readReply(body, question);
    question.timesAnswered += 1;
    if (question.timesAnswered > question.timesSent) {
      this.#state.complain(`a second answer to ${nameRequest(question.request)}: ${shortenValue(frame)}`);
    } else if (question.reply?.kind === 'input ended') {
      this.#state.complain(`an answer to ${nameRequest(question.request)} after the input had ended`);
    }
    if (!question.isWithdrawn) question.reply ??= reply;
  }

  #readReply(body: WireObject, { request }: HostQuestion): HostReply {
    if (body['subtype'] === 'error') {
      if (typeof body['error'] === 'string') return { kind: 'failure', error: body['error'] };
      this.#state.complain(`an error answer without a text: ${shortenValue(body)}`);
      return { kind: 'failure', error: '' };
    }
    if (body['subtype'] !== 'success') {
      this.#state.complain(`a control_response of an unknown subtype: ${shortenValue(body)}`);
      return { kind: 'failure', error: 'malformed' };
    }
    const response = body['response'];
    const wrong = findAnswerProblem(request, response, this.#state.settings.isStrict);
    if (wrong !== undefined) {
      this.#state.complain(`the answer to ${nameRequest(request)} ${wrong}: ${shortenValue(response)}`);
    }
    return { kind: 'success', response };
  }
}
