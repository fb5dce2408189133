// Keeps the open permission questions of a live CLI. If a callback returns null, its question stays open here, and any
// code of the process can answer it by its id, even hours later.
import type { PermissionUnavailableError } from '../../errors.js';
import { BackOff } from '../../util/back-off.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import { isThenable } from '../../util/guards.js';
import { Later } from '../../util/later.js';
import { onAbort } from '../../util/on-abort.js';
import { OpenTable } from '../../util/open-table.js';
import { clock } from '../../util/system/clock.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import { LEFT_OPEN, type AnswerContext, type Answerer } from '../../wire/protocol/answer.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { CanUseToolRequest, PermissionResult } from '../../wire/protocol/control/permission-question.js';
import {
  createPermissionAnswerer,
  describeAsked,
  encodeDecision,
  isUnavailable,
  namedCall,
} from './answer-permission.js';
import type {
  InputProblem,
  OpenPermission,
  PendingPermission,
  PermissionQuestionsOptions,
} from './open-permission.js';
import { answeredElsewhere, refuseInput } from './question-errors.js';
import { QuestionWatchers, type QuestionWatcher } from './question-watchers.js';

/** The pauses before a callback that could not answer is called again, if its error names no pause. They double each time. */
const RETRIES = { firstMs: 250, longestMs: 10_000 };

/** The table that has a question open, by the id of the question. Such an id is unique across CLIs. */
const owners = new OpenTable<string, PermissionQuestions>();

/**
 * Why the tool would refuse the call behind an open question of this process, with `input`. Code that asks a person calls
 * this first, because nobody needs to decide about a call that cannot run.
 */
export function findAskedProblem(requestId: string, input: unknown): InputProblem {
  return owners.get(requestId)?.findProblem(requestId, input);
}

/** Notes who gives the answer that the callback of an open question of this process is about to return. */
export function noteAnswerer(requestId: string, by: string | undefined): void {
  if (by !== undefined) owners.get(requestId)?.noteAnswerer(requestId, by);
}

/**
 * Answers a permission question that is waiting in any session of this process. False if no question with that id is
 * waiting. If the tool would refuse the `updatedInput`, this throws an InvalidOptionsError, and the question stays open.
 */
export function answerPermission(requestId: string, result: PermissionResult): boolean {
  return owners.get(requestId)?.settle(requestId, result) ?? false;
}

/** The open questions of one live CLI. The CLI's owner calls `close`. */
export class PermissionQuestions {
  #options: PermissionQuestionsOptions;
  #answerer: Answerer;
  readonly #open = new OpenTable<string, OpenPermission>();
  readonly #watchers = new QuestionWatchers<OpenPermission>();

  constructor(options: PermissionQuestionsOptions) {
    this.#options = options;
    this.#answerer = createAnswerer(options);
  }

  /**
   * Connects the questions with other options, because they outlive their CLI. Open questions stay open under their ids, and
   * callbacks that work on them go on.
   */
  connect(options: PermissionQuestionsOptions): void {
    this.#options = options;
    this.#answerer = createAnswerer(options);
  }

  /** All open questions, oldest first. A callback works on some of them, and the others wait for an answer by their id. */
  get pending(): PendingPermission[] {
    return this.#open.entries().map(([requestId, { asked, askedAt }]) => ({
      toolName: asked.tool_name,
      input: asked.input,
      ...withoutUndefined(describeAsked(asked, requestId, this.#options.sessionId?.())),
      ...this.#options.identify(namedCall(asked)),
      askedAt,
    }));
  }

  /** The answerer for `can_use_tool`. */
  readonly answer: Answerer = (request, context) => {
    const { requestId } = context;
    const question = { asked: request as unknown as CanUseToolRequest, askedAt: clock.Date.now() };
    this.#open.set(requestId, question);
    owners.set(requestId, this);
    if (!this.#watchers.isEmpty) {
      onAbort(context.signal, () => {
        // The signal also aborts when the question is answered by its id. Then it is already settled.
        if (this.#open.get(requestId) === question) this.#watchers.settled(requestId, undefined);
      });
      this.#tellWatchers(requestId, question);
      // A watcher may answer at once.
      if (!this.#open.get(requestId)) return LEFT_OPEN;
    }
    return this.#decide(request, context);
  };

  /** Why the tool would refuse the call of an open question with `input`. */
  findProblem(requestId: string, input: unknown): InputProblem {
    const question = this.#open.get(requestId);
    return question && this.#options.findInputProblem?.(question.asked.tool_name, input);
  }

  noteAnswerer(requestId: string, by: string): void {
    const question = this.#open.get(requestId);
    if (question) question.by = by;
  }

  /**
   * Answers an open question. False if it is no longer open. Throws for an input that the tool would refuse. With
   * `by`, a callback that works on the question is told who answered first.
   */
  settle(requestId: string, result: PermissionResult, by?: string): boolean {
    const question = this.#open.get(requestId);
    if (!question) return false;
    const answer = encodeDecision(question.asked, result, this.#options.onFailure);
    this.#checkUpdatedInput(requestId, question.asked, answer);
    this.#forget(requestId);
    const notice = by === undefined ? undefined : answeredElsewhere(by);
    const isWritten = this.#options.write(requestId, answer, notice, by);
    this.#watchers.settled(requestId, isWritten ? answer : undefined, by);
    return isWritten;
  }

  /** Tells the watcher of open and later questions, except about calls that surely cannot run. Returns a function to stop. */
  watch(watcher: QuestionWatcher<OpenPermission>): () => void {
    const open = this.#open.entries();
    const presentable = open.filter(
      ([id, { asked }]) => typeof this.findProblem(id, asked.input) !== 'string',
    );
    return this.#watchers.add(watcher, presentable);
  }

  /** The number of the attempt at the question's call, counted from 1. */
  attemptOf({ asked }: OpenPermission): number {
    return this.#options.identify(namedCall(asked)).attempt;
  }

  /** Forgets all questions, because none can be answered once the CLI has ended. */
  close(): void {
    for (const [requestId] of this.#open.entries()) this.forget(requestId);
  }

  /** Forgets a question that cannot be answered any more. */
  forget(requestId: string): void {
    this.#forget(requestId);
    this.#watchers.settled(requestId, undefined);
  }

  #decide(request: WireObject, context: AnswerContext): unknown {
    let decision: unknown;
    try {
      decision = this.#answerer(request, context);
    } catch (error) {
      return this.#askAgain(request, context, error as PermissionUnavailableError);
    }
    if (!(decision instanceof Later)) {
      this.#forget(context.requestId);
      this.#options.onDecided?.(context.requestId, decision);
      this.#watchers.settled(context.requestId, decision);
      return decision;
    }
    // The callback may go on after its question was withdrawn. Nobody should be asked it meanwhile.
    const { requestId } = context;
    context.watch?.({ withdraw: () => this.#open.get(requestId) && this.forget(requestId) });
    return decision.map((answer: unknown) =>
      answer instanceof Promise
        ? answer.catch((error: unknown) =>
            this.#askAgain(request, context, error as PermissionUnavailableError),
          )
        : this.#note(answer, context),
    );
  }

  /** Shows people a question only if the call could run. The callback gets it in any case, and may correct the input. */
  #tellWatchers(requestId: string, question: OpenPermission): void {
    const problem = this.findProblem(requestId, question.asked.input);
    const tell = (found: string | undefined): void => {
      if (found === undefined && this.#open.get(requestId) === question)
        this.#watchers.asked(requestId, question);
    };
    if (isThenable(problem)) void problem.then(tell);
    else tell(problem);
  }

  #note(answer: unknown, context: AnswerContext): unknown {
    const { requestId } = context;
    if (answer !== LEFT_OPEN) return this.#noteAnswer(requestId, answer);
    const asked = this.#open.get(requestId)?.asked;
    const problem = asked && this.findProblem(requestId, asked.input);
    if (!isThenable(problem)) return this.#leaveOpen(context, problem);
    return problem.then((found) => this.#leaveOpen(context, found));
  }

  #noteAnswer(requestId: string, answer: unknown): unknown {
    const question = this.#open.get(requestId);
    this.#forget(requestId);
    if (question) this.#options.onDecided?.(requestId, answer);
    this.#watchers.settled(requestId, answer, question?.by ?? 'callback');
    return answer;
  }

  /**
   * Leaves the question to people, as the callback wants. A call that cannot run is denied, so that no person is
   * asked about it.
   */
  #leaveOpen(context: AnswerContext, problem: string | undefined): unknown {
    const { requestId } = context;
    const asked = this.#open.get(requestId)?.asked;
    if (problem !== undefined && asked)
      return this.#noteAnswer(
        requestId,
        encodeDecision(asked, { behavior: 'deny', message: problem }, this.#options.onFailure),
      );
    // Reading the signal creates it, so it is read only when it is needed.
    onAbort(context.signal, () => this.#forget(requestId));
    return LEFT_OPEN;
  }

  /**
   * Throws for a changed input that the tool would refuse. If the check is asynchronous, it is left to the call
   * itself.
   */
  #checkUpdatedInput(requestId: string, asked: CanUseToolRequest, answer: WireObject): void {
    const { behavior, updatedInput } = answer;
    if (behavior !== 'allow' || updatedInput === asked.input) return;
    const problem = this.findProblem(requestId, updatedInput);
    if (typeof problem === 'string') throw refuseInput(problem);
  }

  /** Keeps the question open, and calls the callback until it answers, or until the question is answered or withdrawn. */
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
      const backOff = new BackOff(RETRIES);
      for (;;) {
        const delayMs = backOff.next();
        await this.#rest(requestId, error.retryAfterMs ?? delayMs);
        // The question was answered by its id, or withdrawn. The value returned here is not written.
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

  /** Waits for `ms`, or until the question is over. */
  async #rest(requestId: string, ms: number): Promise<void> {
    const question = this.#open.get(requestId);
    if (!question) return;
    const over: Deferred<void> = createDeferred();
    question.wake = over.resolve;
    const timer = ms < Infinity ? clock.setTimeout(over.resolve, Math.min(ms, LONGEST_TIMER_MS)) : undefined;
    await over.promise;
    clock.clearTimeout(timer);
  }

  #forget(requestId: string): void {
    const question = this.#open.get(requestId);
    this.#open.delete(requestId);
    question?.wake?.();
    if (owners.get(requestId) === this) owners.delete(requestId);
  }
}

function createAnswerer({
  canUseTool,
  identify,
  onFailure,
  sessionId,
}: PermissionQuestionsOptions): Answerer {
  return createPermissionAnswerer(canUseTool, identify, onFailure, sessionId);
}
