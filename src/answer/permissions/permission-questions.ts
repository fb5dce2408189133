// The permission questions of a live CLI that wait for an answer. A callback that returns null leaves its question here,
// where any code of the process can answer it by its id, even hours later.
import { withoutUndefined } from '../../util/without-undefined.js';
import { LEFT_OPEN, type AnswerContext, type Answerer } from '../../wire/protocol/answer.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  CanUseToolRequest,
  PermissionResult,
} from '../../wire/protocol/control/permission-question.js';
import { createPermissionAnswerer, describeAsked, encodeDecision } from './answer-permission.js';

/** A question that waits: what a permission callback receives, as plain data that can be stored. */
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

/** Who has a question open, by its id, which is unique across CLIs. */
const owners = new Map<string, PermissionQuestions>();

/** Answers a permission question that waits in any session of this process; false when none with that id does. */
export function answerPermission(requestId: string, result: PermissionResult): boolean {
  return owners.get(requestId)?.settle(requestId, result) ?? false;
}

/** What connects the questions with their live CLI. */
export interface PermissionQuestionsOptions {
  canUseTool: CanUseTool | undefined;
  /** Sends the answer to an open request; false when it is no longer open. */
  write(requestId: string, response: unknown): boolean;
}

/** The open questions of one live CLI; its owner calls `close`. */
export class PermissionQuestions {
  readonly #write: PermissionQuestionsOptions['write'];
  readonly #answerer: Answerer;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: PermissionQuestionsOptions) {
    this.#write = (requestId, response) => options.write(requestId, response);
    this.#answerer = createPermissionAnswerer(options.canUseTool);
  }

  /** All questions that wait, for their callback or for an answer by id; oldest first. */
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
    owners.set(requestId, this);
    return this.#decide(request, context);
  };

  /** Answers a question that waits; false when it no longer does. */
  settle(requestId: string, result: PermissionResult): boolean {
    const question = this.#open.get(requestId);
    if (!question) return false;
    this.#forget(requestId);
    return this.#write(requestId, encodeDecision(question.asked, result));
  }

  /** Forgets all questions: once the CLI has ended, none can be answered. */
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
    if (owners.get(requestId) === this) owners.delete(requestId);
  }
}
