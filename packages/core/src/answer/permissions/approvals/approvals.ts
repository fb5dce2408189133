// Owns a queue of questions to people. The CLI asks before a tool runs, or a tool's handler asks. Any code that can use
// the same store can answer. A question that is asked again after a restart finds an answer that came in the meantime.
import { AbortError, PermissionUnavailableError } from '../../../errors.js';
import { createQuietDeferred, type Deferred } from '../../../util/deferred.js';
import type { AsyncReader } from '../../../util/queues/async-queue.js';
import { ownMethods } from '../../../util/own-methods.js';
import { onAbort } from '../../../util/on-abort.js';
import { clock } from '../../../util/system/clock.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { isWithdrawn } from '../../../wire/protocol/answer.js';
import type { CanUseTool, PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import type { Approval, ApprovalAnswer, ApprovalQuestion, ApprovalStore } from './approval.js';
import { checkApprovalsOptions, type ApprovalsOptions } from './approvals-options.js';
import { checkAnswer } from './approval-result.js';
import { attempt, AnswerWaiters, removedError, watchStore, type AnswerWaiter } from './answer-waiters.js';
import { askAgain, checkChangedInput, findChangedProblem } from './changed-input.js';
import { findAskedProblem, noteAnswerer } from '../permission-questions.js';
import { createMemoryApprovalStore } from './memory-approval-store.js';
import { noteSettled, noteWaiting, QUEUE, type WaitingQuestion } from './queue-registry.js';
import { QuestionNames, type ApprovalContext, type ApprovalRequest } from './question-names.js';

/** A queue of questions to people. The caller that makes one closes it. */
export interface Approvals extends AsyncDisposable {
  /**
   * The permission callback. A call that its tool would refuse is denied at once. Every other question waits for its
   * answer. While the store fails, or after the queue is closed, the CLI's questions stay open without an answer.
   */
  readonly canUseTool: CanUseTool;
  /**
   * Asks from a tool's handler and waits for the answer. Rejects with an AbortError if the call is cancelled or the
   * question is removed. Rejects with a PermissionUnavailableError if the store fails or the queue is closed.
   */
  ask(request: ApprovalRequest, context?: ApprovalContext): Promise<PermissionResult>;
  /** The questions that have no answer yet, oldest first. With `answered`, the answered ones too. */
  list(options?: { answered?: boolean | undefined }): Promise<Approval[]>;
  /**
   * Reads every question without an answer: first the existing ones, and then each new one when it is asked. A question
   * comes once per attempt. The signal or `close` ends the reading.
   */
  watch(options?: { signal?: AbortSignal | undefined }): AsyncReader<Approval>;
  /**
   * Answers a question. False if it already has an answer or is unknown. If the question waits in this process and the
   * tool would refuse the `updatedInput`, this rejects with an InvalidOptionsError, and the question stays open. If the
   * question waits in another process, the answer is accepted, and that process asks again.
   */
  answer(id: string, result: PermissionResult, options?: { by?: string | undefined }): Promise<boolean>;
  /** Forgets a question and its answer. Callers that wait for it get an AbortError. */
  remove(id: string): Promise<void>;
  /** Ends all waiting in this process. The questions and answers in the store stay. */
  close(): void;
}

const KEEP_ANSWERED_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Makes a queue of questions that people answer in their own time, even from another process. Its `canUseTool` is the
 * value for the option of that name.
 */
export function createApprovals(options?: ApprovalsOptions): Approvals;
export function createApprovals(options: ApprovalsOptions = {}, ...others: readonly unknown[]): Approvals {
  checkApprovalsOptions(options, others);
  return ownMethods<Approvals>(new ApprovalQueue(options));
}

class ApprovalQueue implements Approvals {
  readonly [QUEUE] = this;
  readonly #store: ApprovalStore;
  readonly #keepMs: number;
  readonly #waiters: AnswerWaiters;
  readonly #names = new QuestionNames();
  readonly #closed: Deferred<void> = createQuietDeferred();
  #isClosed = false;
  #lastAskedAt = 0;

  constructor({ store = createMemoryApprovalStore(), keepAnsweredMs = KEEP_ANSWERED_MS }: ApprovalsOptions) {
    this.#store = store;
    this.#waiters = new AnswerWaiters(store);
    this.#keepMs = keepAnsweredMs;
  }

  readonly canUseTool: CanUseTool = async (toolName, input, options) => {
    const { signal, callKey, attempt = 1, requestId, toolUseID: _id, ...facts } = options;
    const found = findAskedProblem(requestId, input);
    const problem = found && (await found);
    if (problem !== undefined) return { behavior: 'deny', message: problem };
    let question: ApprovalQuestion = {
      ...withoutUndefined(facts),
      id: callKey ?? `request_${requestId}`,
      kind: 'permission',
      attempt,
      askedAt: this.#now(),
      toolName,
      input,
    };
    try {
      for (;;) {
        const { result, by } = await this.#put({ queue: this, question, requestId }, signal);
        const fault = await findChangedProblem(requestId, result);
        if (fault === undefined) {
          noteAnswerer(requestId, by);
          return result;
        }
        // Another process answered, and could not know that the tool would refuse this input. So the question is asked
        // again.
        question = { ...askAgain(question, fault), askedAt: this.#now() };
      }
    } catch (error) {
      // The question was withdrawn, or its CLI is gone. No answer is wanted.
      if (signal.aborted) return null;
      throw error;
    }
  };

  async ask(request: ApprovalRequest, context: ApprovalContext = {}): Promise<PermissionResult> {
    const { title, description, input = {} } = request;
    const { sessionId, agentId: agentID, server, tool, attempt = 1, signal, waitForPerson } = context;
    const toolName = server !== undefined && tool !== undefined ? `mcp__${server}__${tool}` : undefined;
    const facts = withoutUndefined({ title, description, sessionId, agentID, toolName });
    const id = request.id ?? this.#names.nameQuestion(request, context);
    const question: ApprovalQuestion = { ...facts, id, kind: 'tool', attempt, askedAt: this.#now(), input };
    const answer = this.#put({ queue: this, question, context }, signal);
    return (await (waitForPerson ? waitForPerson(answer) : answer)).result;
  }

  async list({ answered = false }: { answered?: boolean | undefined } = {}): Promise<Approval[]> {
    const all = await this.#store.list();
    const isOld = ({ answer }: Approval): boolean =>
      answer !== undefined && clock.Date.now() - answer.answeredAt > this.#keepMs;
    for (const { id } of all.filter(isOld)) await this.#store.remove(id);
    return all
      .filter((approval) => !isOld(approval) && (answered || !approval.answer))
      .sort((one, other) => one.askedAt - other.askedAt);
  }

  watch({ signal }: { signal?: AbortSignal | undefined } = {}): AsyncReader<Approval> {
    return this.#follow(signal);
  }

  async answer(
    id: string,
    result: PermissionResult,
    { by }: { by?: string | undefined } = {},
  ): Promise<boolean> {
    checkAnswer(result);
    await checkChangedInput(id, result);
    const answer = withoutUndefined({ result, answeredAt: clock.Date.now(), by });
    const taken = await this.#store.answer(id, answer);
    if (taken) this.#waiters.settle(id, answer);
    return taken;
  }

  async remove(id: string): Promise<void> {
    await this.#store.remove(id);
    this.#waiters.fail(id, removedError());
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closed.resolve();
    this.#waiters.failAll(closedError);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  async #put(waiting: WaitingQuestion, signal: AbortSignal | undefined): Promise<ApprovalAnswer> {
    if (this.#isClosed) throw closedError();
    if (signal?.aborted) throw cancelledError(signal);
    const { question } = waiting;
    const { id } = question;
    noteWaiting(waiting);
    let given: ApprovalAnswer | undefined;
    const waiter = this.#waiters.add(question);
    const givenUp = createQuietDeferred<void>();
    const giveUp = (from: AbortSignal): void => {
      this.#cancel(id, waiter, from);
      givenUp.resolve();
    };
    const stopListening = signal && onAbort(signal, () => giveUp(signal));
    // The offer is not awaited here. A store may never answer, and a caller that gives up must not wait for it.
    const offered = this.#offer(question, waiter);
    try {
      const answer = await waiter.promise;
      // The answer may be found before the store has noted the question.
      await Promise.race([offered, givenUp.promise, this.#closed.promise]);
      given = answer;
      return answer;
    } finally {
      noteSettled(waiting, given?.result, given?.by);
      stopListening?.();
      this.#waiters.remove(id, waiter);
    }
  }

  async #offer(question: ApprovalQuestion, waiter: AnswerWaiter): Promise<void> {
    try {
      // The answer may already be in the store, from before a restart or from another process.
      const given = await this.#store.put(question);
      this.#waiters.noteStored(waiter);
      if (given) waiter.resolve(given);
      else this.#waiters.look();
    } catch (cause) {
      waiter.reject(new PermissionUnavailableError('The approval store failed', { cause }));
    }
  }

  /** The time for a new question. A question in the same millisecond gets a slightly later time, so that order is kept. */
  #now(): number {
    this.#lastAskedAt = Math.max(clock.Date.now(), this.#lastAskedAt + 0.001);
    return this.#lastAskedAt;
  }

  #cancel(id: string, waiter: AnswerWaiter, signal: AbortSignal): void {
    waiter.reject(cancelledError(signal));
    // A withdrawn question is removed. If the CLI is gone instead, the question waits for the next CLI.
    if (isWithdrawn(signal) && this.#waiters.count(id) <= 1) void attempt(() => this.#store.remove(id));
  }

  async *#follow(signal: AbortSignal | undefined): AsyncGenerator<Approval, undefined> {
    const isOver = (): boolean => this.#isClosed || signal?.aborted === true;
    let seen = new Set<string>();
    let change = createQuietDeferred<void>();
    const ended = createQuietDeferred<void>();
    const stopWatching = watchStore(this.#store, () => change.resolve());
    const stopListening = signal && onAbort(signal, () => ended.resolve());
    try {
      while (!isOver()) {
        change = createQuietDeferred();
        // A store may never answer, and the end of the watch must not wait for it.
        const open = await Promise.race([this.list(), ended.promise, this.#closed.promise]);
        if (!open) break;
        const nameOf = ({ id, attempt }: Approval): string => `${attempt} ${id}`;
        const fresh = open.filter((approval) => !seen.has(nameOf(approval)));
        seen = new Set(open.map(nameOf));
        yield* fresh;
        await Promise.race([change.promise, ended.promise, this.#closed.promise]);
      }
    } finally {
      stopWatching();
      stopListening?.();
    }
    return undefined;
  }
}

function closedError(): PermissionUnavailableError {
  return new PermissionUnavailableError('The approval queue is closed', { retryAfterMs: Infinity });
}

function cancelledError(signal: AbortSignal): AbortError {
  return new AbortError('The question was cancelled', { cause: signal.reason });
}
