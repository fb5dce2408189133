// The questions a fake CLI asks its host, and whether the answers keep to the protocol. Every broken rule
// becomes a problem of the run; what the fake does with an answer is decided elsewhere.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { RunState } from '../run-state.js';

/** How a question ended. */
export type Reply =
  | { readonly kind: 'success'; readonly response: unknown }
  | { readonly kind: 'failure'; readonly error: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'input ended' };

/** A question that has been sent. */
export interface Question {
  readonly id: string;
  readonly request: WireObject;
  reply: Reply | undefined;
  /** Withdrawn: an answer may still come, because it may have been sent before. */
  isWithdrawn: boolean;
  /** How often the request was sent, and so how many answers may come. */
  timesSent: number;
  timesAnswered: number;
  /** Whether the CLI can do without an answer. */
  isOptional: boolean;
}

export class QuestionList {
  readonly #questions = new Map<string, Question>();
  readonly #state: RunState;

  constructor(state: RunState) {
    this.#state = state;
  }

  add(id: string, request: WireObject, isOptional: boolean): Question {
    const question = {
      id,
      request,
      reply: undefined,
      isWithdrawn: false,
      timesSent: 1,
      timesAnswered: 0,
      isOptional,
    };
    this.#questions.set(id, question);
    return question;
  }

  /** The same request was sent once more. */
  noteRepeated(id: string): void {
    const question = this.#questions.get(id);
    if (question) question.timesSent += 1;
  }

  listOpen(): Question[] {
    return [...this.#questions.values()].filter(({ reply }) => reply === undefined);
  }

  /** Takes a `control_response` of the host. */
  take(frame: WireObject): void {
    const body = frame['response'];
    if (!isRecord(body) || typeof body['request_id'] !== 'string') {
      this.#state.complain(`a control_response without a request_id: ${shorten(frame)}`);
      return;
    }
    const question = this.#questions.get(body['request_id']);
    if (!question) {
      this.#state.complain(`an answer to a request that was never made: ${shorten(frame)}`);
      return;
    }
    const reply = this.#readReply(body, question);
    question.timesAnswered += 1;
    if (question.timesAnswered > question.timesSent) {
      this.#state.complain(`a second answer to ${nameRequest(question.request)}: ${shorten(frame)}`);
    } else if (question.reply?.kind === 'input ended') {
      this.#state.complain(`an answer to ${nameRequest(question.request)} after the input had ended`);
    }
    if (!question.isWithdrawn) question.reply ??= reply;
  }

  #readReply(body: WireObject, { request }: Question): Reply {
    if (body['subtype'] === 'error') {
      if (typeof body['error'] === 'string') return { kind: 'failure', error: body['error'] };
      this.#state.complain(`an error answer without a text: ${shorten(body)}`);
      return { kind: 'failure', error: '' };
    }
    if (body['subtype'] !== 'success') {
      this.#state.complain(`a control_response of an unknown subtype: ${shorten(body)}`);
      return { kind: 'failure', error: 'malformed' };
    }
    const response = body['response'];
    const wrong = findWrong(request, response, this.#state.settings.isStrict);
    if (wrong !== undefined) {
      this.#state.complain(`the answer to ${nameRequest(request)} ${wrong}: ${shorten(response)}`);
    }
    return { kind: 'success', response };
  }
}

/** What a request is called in a sentence. */
export function nameRequest(request: WireObject): string {
  const subtype = String(request['subtype']);
  const { message } = request;
  if (subtype === 'mcp_message' && isRecord(message)) return `mcp_message ${String(message['method'])}`;
  if (subtype === 'can_use_tool') return `can_use_tool ${String(request['tool_name'])}`;
  return subtype;
}

/** A value as JSON, short enough for a sentence. */
export function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What is wrong with a successful answer, as the end of a sentence; undefined when nothing is. */
function findWrong(request: WireObject, response: unknown, isStrict: boolean): string | undefined {
  switch (request['subtype']) {
    case 'can_use_tool':
      return findWrongDecision(response, isStrict);
    case 'mcp_message':
      return findWrongMcpAnswer(request['message'], response);
    case 'hook_callback':
      return response === undefined || isRecord(response) ? undefined : 'is no object';
    case 'elicitation':
      return isRecord(response) && ['accept', 'decline', 'cancel'].includes(String(response['action']))
        ? undefined
        : 'has no action that is accept, decline or cancel';
    default:
      return undefined;
  }
}

function findWrongDecision(response: unknown, isStrict: boolean): string | undefined {
  if (!isRecord(response)) return 'is no object';
  const { behavior, updatedInput, message, interrupt } = response;
  if (updatedInput === null || interrupt === null) return 'has a null key, which the CLI refuses';
  if (isStrict) {
    const empty = Object.keys(response).find((key) => response[key] === null);
    if (empty !== undefined) return `has "${empty}": null`;
  }
  if (behavior === 'deny') return typeof message === 'string' ? undefined : 'denies without a message';
  if (behavior !== 'allow') return 'is neither allow nor deny';
  if (updatedInput === undefined) {
    return isStrict ? 'allows without updatedInput, which older CLIs refuse' : undefined;
  }
  return isRecord(updatedInput) ? undefined : 'has an updatedInput that is no object';
}

function findWrongMcpAnswer(message: unknown, response: unknown): string | undefined {
  if (!isRecord(response)) return 'has no response, which makes the CLI give up the server';
  const asked = isRecord(message) ? message : {};
  const answer = response['mcp_response'];
  // What acknowledges a notification may be anything, as long as it is there.
  if (asked['id'] === undefined || asked['method'] === undefined) return undefined;
  if (!isRecord(answer)) return 'has no mcp_response';
  if (answer['jsonrpc'] !== '2.0') return 'is not JSON-RPC 2.0';
  if (answer['id'] !== asked['id']) return `has another JSON-RPC id than ${shorten(asked['id'])}`;
  const { result, error } = answer;
  if ((result === undefined) === (error === undefined)) return 'must have either a result or an error';
  if (result !== undefined) return isRecord(result) ? undefined : 'has a result that is no object';
  return isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string'
    ? undefined
    : 'has an error without code and message';
}
