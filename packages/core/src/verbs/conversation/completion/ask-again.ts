// The permission questions of a conversation that has no CLI. Questions of a CLI that was let go stay open here under their
// ids. Others are asked again, through the same callback and under the same key. All can be answered by their ids. An
// approval queue that has an answer by now gives it at once.
import { PermissionQuestions } from '../../../answer/permissions/permission-questions.js';
import { askedOf } from '../../../answer/permissions/answer-permission.js';
import { watchQueues } from '../../../answer/permissions/approvals/queue-registry.js';
import type { ReleasedQuestions } from '../../../live/release-cli.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { createQuietDeferred, type Deferred } from '../../../util/deferred.js';
import { onAbort } from '../../../util/on-abort.js';
import { randomUUID } from '../../../util/random-uuid.js';
import { LEFT_OPEN } from '../../../wire/protocol/answer.js';
import type { CallIdentity, IdentifyCall } from '../../../wire/protocol/call-identity.js';
import type { RecordedQuestion } from '../../../wire/protocol/config/call-records.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';

/** What the questions need from the completion that is under way. */
export interface QuestionedCalls {
  identify: IdentifyCall;
  findInputProblem: ReleasedQuestions['findInputProblem'];
}

export interface AskedAgainInput extends QuestionedCalls {
  options: Options;
  warnings: WarningReporter;
  sessionId: string;
  /** Called with the answer to a question of a CLI that was let go, at once. */
  onAnswered?: ((requestId: string, given: HeldAnswer) => void) | undefined;
}

/** A call that a permission question was asked about. */
export interface AskedCall {
  toolUseId: string;
  toolName: string;
  input: Record<string, unknown>;
  question: RecordedQuestion;
}

/** An answer, and who gave it where that is known. */
export interface HeldAnswer {
  answer: PermissionResult;
  by: string | undefined;
}

/** A question of a CLI that was let go. */
interface HeldQuestion {
  readonly identity: CallIdentity;
  readonly request: ReleasedQuestions['requests'][number];
  /** Undefined once the question is withdrawn. */
  readonly answer: Deferred<HeldAnswer | undefined>;
  by: string | undefined;
}

/** The questions of a conversation that has no CLI at the moment. The code that creates this object closes it. */
export class AskedAgain {
  readonly questions: PermissionQuestions;
  /** Without what belongs to a CLI, so that a CLI that was let go need not stay in memory. */
  readonly #input: Omit<AskedAgainInput, keyof QuestionedCalls>;
  #calls: QuestionedCalls;
  readonly #byId = new Map<string, Deferred<unknown>>();
  /** By the ids of the requests. */
  readonly #held = new Map<string, HeldQuestion>();
  /** By the ids that the model gave the calls. */
  readonly #ofCalls = new Map<string, HeldQuestion>();
  #stopWatching = (): void => {};

  /** `released` are the questions of a CLI that was let go. They stay open. */
  constructor(input: AskedAgainInput, released?: ReleasedQuestions) {
    const { identify, findInputProblem, ...kept } = input;
    this.#input = kept;
    this.#calls = { identify, findInputProblem };
    if (released) this.#hold(released);
    const options = this.#describe();
    this.questions = released?.questions ?? new PermissionQuestions(options);
    this.questions.connect(options);
  }

  /** Whether a question about this call was open when its CLI was let go. The call has not begun then. */
  isHeld(toolUseId: string): boolean {
    return this.#ofCalls.has(toolUseId);
  }

  /** From now on, a completion says which calls there are and which inputs their tools take. */
  serve(calls: QuestionedCalls): void {
    this.#calls = calls;
  }

  #describe(): ConstructorParameters<typeof PermissionQuestions>[0] {
    const { options, warnings, sessionId } = this.#input;
    return {
      canUseTool: options.canUseTool,
      identify: (call) => this.#ofCalls.get(String(call.toolUseId))?.identity ?? this.#calls.identify(call),
      sessionId: () => sessionId,
      onUnavailable: (error, toolName) =>
        warnings.emit({
          code: 'PERMISSION_UNAVAILABLE',
          message: `The permission question about ${toolName} stays open because nobody can answer it at the moment; the error says why`,
          error,
        }),
      onFailure: (error) => warnings.report(error, error.code),
      findInputProblem: (toolName, input) => this.#calls.findInputProblem(toolName, input),
      onDecided: (requestId, answer) => this.#settle(requestId, answer),
      write: (requestId, response, notice, by) => {
        if (this.#settle(requestId, response, notice, by)) return true;
        const answer = this.#byId.get(requestId);
        answer?.resolve(response);
        return answer !== undefined;
      },
    };
  }

  #hold({ pending, requests }: ReleasedQuestions): void {
    const open = new Map(pending.map((question) => [question.requestId, question]));
    for (const request of requests) {
      const question = open.get(request.requestId);
      if (!question) continue;
      const { toolUseID, callKey = toolUseID, attempt = 1 } = question;
      const identity = { callKey, attempt };
      const held: HeldQuestion = { identity, request, answer: createQuietDeferred(), by: undefined };
      this.#held.set(request.requestId, held);
      this.#ofCalls.set(toolUseID, held);
    }
    this.#stopWatching = watchQueues({
      asked: () => {},
      settled: ({ requestId }, _, by) => {
        const held = this.#held.get(requestId ?? '');
        if (held) held.by = by;
      },
    });
  }

  /** Takes the answer to a question of a CLI that was let go. Returns false if the question is none of them. */
  #settle(requestId: string, answer: unknown, notice?: Error, by?: string): boolean {
    const held = this.#held.get(requestId);
    if (!held) return false;
    const given = { answer: answer as PermissionResult, by: by ?? held.by };
    this.#held.delete(requestId);
    held.answer.resolve(given);
    if (notice) held.request.cancel(notice);
    this.#input.onAnswered?.(requestId, given);
    return true;
  }

  /** The answer, and who gave it where that is known. Undefined once the signal aborts. */
  async ask(call: AskedCall, signal: AbortSignal): Promise<HeldAnswer | undefined> {
    const held = this.#ofCalls.get(call.toolUseId);
    if (!held) return await this.#askAnew(call, signal);
    const forget = onAbort(signal, () => this.#withdraw(held, signal.reason as Error));
    try {
      return await held.answer.promise;
    } finally {
      forget();
    }
  }

  async #askAnew(
    { toolUseId, toolName, input, question }: AskedCall,
    signal: AbortSignal,
  ): Promise<HeldAnswer | undefined> {
    const requestId = randomUUID();
    const answer = createQuietDeferred<unknown>();
    this.#byId.set(requestId, answer);
    let by: string | undefined;
    // An approval queue knows who answered, and so may whoever settles the question by its id.
    const ends = [
      onAbort(signal, () => answer.resolve(undefined)),
      this.questions.watch({
        asked: () => {},
        settled: (id, how) => {
          if (id === requestId && how.by !== 'callback') by = how.by ?? by;
        },
      }),
    ];
    try {
      const asked = { ...askedOf(question), tool_name: toolName, input, tool_use_id: toolUseId };
      const given = this.questions.answer({ subtype: 'can_use_tool', ...asked }, { requestId, signal });
      void Promise.resolve(given).then(
        (decided) => {
          if (decided !== LEFT_OPEN) answer.resolve(decided);
        },
        (error: unknown) => answer.reject(error),
      );
      const decided = (await answer.promise) as PermissionResult | undefined;
      return decided && { answer: decided, by };
    } finally {
      for (const end of ends) end();
      this.#byId.delete(requestId);
    }
  }

  #withdraw(held: HeldQuestion, reason: Error): void {
    const { requestId } = held.request;
    if (!this.#held.delete(requestId)) return;
    // The callback that works on the question learns that by its signal.
    held.request.cancel(reason);
    this.questions.forget(requestId);
    held.answer.resolve(undefined);
  }

  /** Withdraws the questions of the CLI that was let go, and forgets all others. */
  close(reason: Error): void {
    for (const held of this.#held.values()) this.#withdraw(held, reason);
    this.#stopWatching();
    this.questions.close();
  }
}
