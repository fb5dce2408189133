// The permission questions of a live CLI that wait for an answer. A callback that returns null leaves its question here,
// where any code of the process can answer it by its id, even hours later.
import type { PermissionUnavailableError } from '../../errors.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import { onAbort } from '../../util/on-abort.js';
import { OpenTable } from '../../util/open-table.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import { LEFT_OPEN, type AnswerContext, type Answerer } from '../../wire/protocol/answer.js';
import type { IdentifyCall } from '../../wire/protocol/call-identity.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  CanUseToolRequest,
  PermissionResult,
} from '../../wire/protocol/control/permission-question.js';
import {
  createPermissionAnswerer,
  describeAsked,
  encodeDecision,
  isUnavailable,
  namedCall,
  type OnPermissionFailure,
} from './answer-permission.js';

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
  /** Set while nobody can answer: asks again at once when it is called. */
  wake?: () => void;
}

/** Milliseconds before a callback that could not answer is asked again, where its error does not say; doubled each time. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;

/** Who has a question open, by its id, which is unique across CLIs. */
const owners = new OpenTable<string, PermissionQuestions>();

/** Answers a permission question that waits in any session of this process; false when none with that id does. */
export function answerPermission(requestId: string, result: PermissionResult): boolean {
  return owners.get(requestId)?.settle(requestId, result) ?? false;
}

/** What connects the questions with their live CLI. */
export interface PermissionQuestionsOptions {
  canUseTool: CanUseTool | undefined;
  /** Names the call a question is about. */
  identify: IdentifyCall;
  /** Tells the host that nobody can answer for a while; the question stays open. */
  onUnavailable?: ((error: Error, toolName: string) => void) | undefined;
  /** Tells the host that the callback threw, or gave no answer the CLI could read. */
  onFailure: OnPermissionFailure;
  /** Sends the answer to an open request; false when it is no longer open. */
  write(requestId: string, response: unknown): boolean;
}

/** The open questions of one live CLI; its owner calls `close`. */
export class PermissionQuestions {
  readonly #options: PermissionQuestionsOptions;
  readonly #answerer: Answerer;
  readonly #open = new OpenTable<string, OpenQuestion>();

  constructor(options: PermissionQuestionsOptions) {
    this.#options = options;
    this.#answerer = createPermissionAnswerer(options.canUseTool, options.identify, options.onFailure);
  }

  /** All questions that wait, for their callback or for an answer by id; oldest first. */
  get pending(): PendingPermission[] {
    return this.#open.entries().map(([requestId, { asked, askedAt }]) => ({
      toolName: asked.tool_name,
      input: asked.input,
      ...withoutUndefined(describeAsked(asked, requestId)),
      ...this.#options.identify(namedCall(asked)),
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
    return this.#options.write(requestId, encodeDecision(question.asked, result, this.#options.onFailure));
  }

  /** Forgets all questions: once the CLI has ended, none can be answered. */
  close(): void {
    for (const [requestId] of this.#open.entries()) this.#forget(requestId);
  }

  #decide(request: WireObject, context: AnswerContext): unknown {
    let decision: unknown;
    try {
      decision = this.#answerer(request, context);
    } catch (error) {
      return this.#askAgain(request, context, error as PermissionUnavailableError);
    }
    if (!(decision instanceof Promise)) {
      this.#forget(context.requestId);
      return decision;
    }
    return decision.then(
      (answer: unknown) => this.#note(answer, context),
      (error: unknown) => this.#askAgain(request, context, error as PermissionUnavailableError),
    );
  }

  #note(answer: unknown, context: AnswerContext): unknown {
    const { requestId } = context;
    // Only here is the signal read, which creates it.
    if (answer === LEFT_OPEN) onAbort(context.signal, () => this.#forget(requestId));
    else this.#forget(requestId);
    return answer;
  }

  /** The question stays open: the callback is asked until it answers, or until the question is answered or withdrawn. */
  async #askAgain(
    request: WireObject,
    context: AnswerContext,
    first: PermissionUnavailableError,
  ): Promise<unknown> {
    const { requestId } = context;
    const stopWatching = onAbort(context.signal, () => this.#forget(requestId));
    try {
      this.#options.onUnavailable?.(first, String(request['tool_name']));
      let error = first;
      for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS)) {
        await this.#rest(requestId, error.retryAfterMs ?? delayMs);
        // Answered by its id, or withdrawn; in either case nothing that is returned here is written.
        if (!this.#open.get(requestId)) return LEFT_OPEN;
        try {
          return this.#note(await this.#answerer(request, context), context);
        } catch (thrown) {
          if (!isUnavailable(thrown)) throw thrown;
          error = thrown;
        }
      }
    } finally {
      stopWatching();
    }
  }

  /** Waits, or less long when the question is over. */
  async #rest(requestId: string, ms: number): Promise<void> {
    const question = this.#open.get(requestId);
    if (!question) return;
    const over: Deferred<void> = createDeferred();
    question.wake = over.resolve;
    const timer = ms < Infinity ? setTimeout(over.resolve, Math.min(ms, LONGEST_TIMER_MS)) : undefined;
    await over.promise;
    clearTimeout(timer);
  }

  #forget(requestId: string): void {
    const question = this.#open.get(requestId);
    this.#open.delete(requestId);
    question?.wake?.();
    if (owners.get(requestId) === this) owners.delete(requestId);
  }
}
