// The fake CLI's side of the control protocol: it asks and withdraws questions, sends or holds back answers to requests,
// and ends the process. Other parts decide what is asked and answered.
import { isRecord } from '@inboard/core/util/guards.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { encodeFailure, encodeRequest, encodeSuccess } from '@inboard/core/wire/protocol/encode-frame.js';
import type { FakePipes } from '../pipes/fake-pipes.js';
import { INTERRUPTION, OVER, type RunState } from '../run-state.js';
import type { Until } from '../script/fake-step.js';
import { nameRequest } from './answer-check.js';
import type { LineKind, LineWriter } from './line-writer.js';
import { QuestionList, type HostQuestion, type HostReply } from './question-list.js';

/** A question that has been asked. */
export interface AskedQuestion {
  readonly question: HostQuestion;
  /** Rejects only when the run ends or, for a question of a turn, when the turn is interrupted. */
  readonly reply: Promise<HostReply>;
}

/** The answer to a control request, and functions to call right before and after the answer is sent or held back. */
export interface ControlAnswer {
  readonly response?: unknown;
  readonly error?: { readonly message: string; readonly code?: string };
  /** No answer is sent at all. */
  readonly isSilent?: boolean;
  /** The answer is sent twice, the second time without content. */
  readonly isDoubled?: boolean;
  readonly before?: () => void;
  readonly after?: () => void;
}

export class HostConnection {
  readonly #state: RunState;
  readonly #pipes: FakePipes;
  readonly #lines: LineWriter;
  readonly #questions: QuestionList;
  /** The answers that are held back. Undefined while answers are sent at once. */
  #held: Array<() => void> | undefined;

  constructor(state: RunState, pipes: FakePipes, lines: LineWriter) {
    this.#state = state;
    this.#pipes = pipes;
    this.#lines = lines;
    this.#questions = new QuestionList(state);
  }

  ask(request: WireObject, { isOptional = false } = {}): AskedQuestion {
    const state = this.#state;
    const id = randomUUID();
    const question = this.#questions.add(id, request, isOptional);
    if (state.isInputEnded) {
      if (!isOptional && !state.settings.mayEndEarly) {
        state.complain(`the input ended before ${nameRequest(request)} could be asked`);
      }
      question.reply = { kind: 'input ended' };
    } else {
      this.#lines.write('request', encodeRequest(id, request));
    }
    const isPartOfTurn = request['subtype'] !== 'mcp_message' || isToolCall(request);
    const reply = state.until(() => {
      if (state.isOver) throw OVER;
      if (isPartOfTurn && state.isInterrupted) throw INTERRUPTION;
      return question.reply;
    });
    reply.catch(() => {});
    return { question, reply };
  }

  /** Reads a `control_response` of the host. */
  takeResponse(frame: WireObject): void {
    this.#questions.take(frame);
  }

  /** Stops waiting for the answer. The reply is `cancelled`, and an answer that still arrives is not a problem. */
  withdraw(question: HostQuestion): void {
    question.isWithdrawn = true;
    question.reply ??= { kind: 'cancelled' };
    this.#state.notify();
  }

  /** Withdraws a question with a `control_cancel_request`. */
  cancel(question: HostQuestion): void {
    if (question.reply !== undefined) return;
    const line = JSON.stringify({ type: 'control_cancel_request', request_id: question.id });
    this.#lines.write('request', line);
    this.withdraw(question);
  }

  /** Cancels a question as soon as a promise of the test resolves or rejects. */
  cancelWhen(question: HostQuestion, until: Until | undefined): void {
    if (!until) return;
    const cancel = (): void => this.cancel(question);
    void Promise.resolve(until).then(cancel, cancel);
  }

  /** Cancels all questions of a turn, except those to MCP servers. Those are cancelled by an MCP notification. */
  cancelTurn(): void {
    for (const question of this.#questions.listOpen()) {
      if (question.request['subtype'] !== 'mcp_message') this.cancel(question);
    }
  }

  answer(id: string, answer: ControlAnswer): void {
    answer.before?.();
    const send = (): void => {
      if (answer.isSilent) return;
      const line = answer.error
        ? encodeFailure(id, answer.error.message, answer.error.code)
        : encodeSuccess(id, answer.response);
      this.#lines.write('response', line);
      if (answer.isDoubled) this.#lines.write('response', encodeSuccess(id, undefined));
    };
    if (this.#held) this.#held.push(send);
    else send();
    answer.after?.();
  }

  holdAnswers(): void {
    this.#held ??= [];
  }

  releaseAnswers(order: 'kept' | 'reversed'): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const send of order === 'reversed' ? held.toReversed() : held) send();
  }

  /** Writes the last line of a kind again. */
  repeat(kind: LineKind): void {
    const frame = this.#lines.repeat(kind);
    if (kind === 'request') this.#questions.noteRepeated(String(frame['request_id']));
  }

  /** Notes that the host has closed the input. No open question can be answered any more. */
  endInput(): void {
    const state = this.#state;
    state.hasInputEnded = true;
    if (!state.isInputEnded) return;
    for (const question of this.#questions.listOpen()) {
      if (!question.isOptional && !question.isWithdrawn && !state.settings.mayEndEarly) {
        state.complain(`the input ended before ${nameRequest(question.request)} was answered`);
      }
      question.reply = { kind: 'input ended' };
    }
  }

  /** Ends the process. */
  leave({ code = 0, signal, stderr = '' }: { code?: number; signal?: string; stderr?: string }): void {
    if (this.#state.isOver) return;
    this.#state.hasLeft = true;
    if (stderr !== '') this.#pipes.stderr(stderr);
    this.#pipes.end(signal === undefined ? { exitCode: code } : { signal });
    this.#state.end();
  }

  /** The questions that the host still has to answer, as messages. */
  listOwed(): string[] {
    return this.#questions
      .listOpen()
      .filter(({ isOptional }) => !isOptional)
      .map(({ request }) => `${nameRequest(request)} has no answer`);
  }
}

function isToolCall({ message }: WireObject): boolean {
  return isRecord(message) && message['method'] === 'tools/call';
}
