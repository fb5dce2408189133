// The permission questions of a session that wait for an answer. A callback that returns null leaves its
// question here, where anyone in the process can answer it by its id, hours later.
import { LEFT_OPEN, type AnswerContext, type Answerer } from '../../wire/protocol/answer.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  CanUseToolRequest,
  PermissionResult,
} from '../../wire/protocol/control/permissions.js';
import { createPermissionAnswerer, describeAsked, encodeDecision } from './answer-permission.js';

/** A question that waits, as plain data that can be written down: all that a permission callback is told. */
export interface PendingPermission extends Omit<CanUseToolOptions, 'signal'> {
  toolName: string;
  input: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  askedAt: number;
}

interface OpenQuestion {
  asked: CanUseToolRequest;
  askedAt: number;
}

/** Every desk that has a question open, by the question's id: ids of the CLI are unique over all sessions. */
const desks = new Map<string, PermissionQuestions>();

/** Answers a permission question that waits, in whichever session of this process; false when none with that id does. */
export function answerPermission(requestId: string, result: PermissionResult): boolean {
  return desks.get(requestId)?.settle(requestId, result) ?? false;
}

export interface PermissionDeskOptions {
  canUseTool: CanUseTool | undefined;
  /** Writes the answer to a request that is open; false when it is not any more. */
  write(requestId: string, response: unknown): boolean;
}

/** One per session. */
export class PermissionQuestions {
  readonly #write: PermissionDeskOptions['write'];
  readonly #answerer: Answerer;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: PermissionDeskOptions) {
    this.#write = (requestId, response) => options.write(requestId, response);
    this.#answerer = createPermissionAnswerer(options.canUseTool);
  }

  /** Everything that waits, oldest first: for a callback that is at work, or for an answer by id. */
  get pending(): PendingPermission[] {
    return [...this.#open].map(([requestId, { asked, askedAt }]) => ({
      toolName: asked.tool_name,
      input: asked.input,
      ...withoutUndefined(describeAsked(asked, requestId)),
      askedAt,
    }));
  }

  /** The answerer for `can_use_tool`. */
  readonly answer: Answerer = (request, context) => {
    const { requestId } = context;
    this.#open.set(requestId, { asked: request as unknown as CanUseToolRequest, askedAt: Date.now() });
    desks.set(requestId, this);
    return this.#decide(request, context);
  };

  /** Answers a question that waits; false when it does not any more. */
  settle(requestId: string, result: PermissionResult): boolean {
    const question = this.#open.get(requestId);
    if (!question) return false;
    this.#forget(requestId);
    return this.#write(requestId, encodeDecision(question.asked, result));
  }

  /** The session is over: nothing here can be answered any more. */
  close(): void {
    for (const requestId of this.#open.keys()) this.#forget(requestId);
  }

  #decide(request: WireObject, context: AnswerContext): unknown {
    const { requestId } = context;
    const decision = this.#answerer(request, context);
    if (!(decision instanceof Promise)) {
      this.#forget(requestId);
      return decision;
    }
    return decision.then((answer: unknown) => {
      if (answer === LEFT_OPEN)
        context.signal.addEventListener('abort', () => this.#forget(requestId), { once: true });
      else this.#forget(requestId);
      return answer;
    });
  }

  #forget(requestId: string): void {
    this.#open.delete(requestId);
    if (desks.get(requestId) === this) desks.delete(requestId);
  }
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
