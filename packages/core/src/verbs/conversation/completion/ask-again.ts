// Asks permission questions again after their CLI is gone: through the same callback and under the same key. They can be
// answered by id like any other question. An approval queue that has an answer by now gives it at once.
import { PermissionQuestions } from '../../../answer/permissions/permission-questions.js';
import { askedOf } from '../../../answer/permissions/answer-permission.js';
import { watchQueues } from '../../../answer/permissions/approvals/queue-registry.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { createQuietDeferred, type Deferred } from '../../../util/deferred.js';
import { onAbort } from '../../../util/on-abort.js';
import { randomUUID } from '../../../util/random-uuid.js';
import { LEFT_OPEN } from '../../../wire/protocol/answer.js';
import type { IdentifyCall } from '../../../wire/protocol/call-identity.js';
import type { RecordedQuestion } from '../../../wire/protocol/config/call-records.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';

export interface AskedAgainInput {
  options: Options;
  warnings: WarningReporter;
  sessionId: string;
  identify: IdentifyCall;
  findInputProblem: (toolName: string, input: unknown) => string | undefined | Promise<string | undefined>;
}

/** A call that a permission question was asked about. */
export interface AskedCall {
  toolUseId: string;
  toolName: string;
  input: Record<string, unknown>;
  question: RecordedQuestion;
}

/** The questions of a conversation that has no CLI at the moment. Whoever creates this object closes it. */
export class AskedAgain {
  readonly questions: PermissionQuestions;
  readonly #byId = new Map<string, Deferred<unknown>>();

  constructor({ options, warnings, sessionId, identify, findInputProblem }: AskedAgainInput) {
    this.questions = new PermissionQuestions({
      canUseTool: options.canUseTool,
      identify,
      sessionId: () => sessionId,
      onUnavailable: (error, toolName) =>
        warnings.emit({
          code: 'PERMISSION_UNAVAILABLE',
          message: `The permission question about ${toolName} stays open because nobody can answer it at the moment; the error says why`,
          error,
        }),
      onFailure: (error) => warnings.report(error, error.code),
      findInputProblem,
      write: (requestId, response) => {
        const answer = this.#byId.get(requestId);
        answer?.resolve(response);
        return answer !== undefined;
      },
    });
  }

  /** The answer, and who gave it where that is known. Undefined once the signal aborts. */
  async ask(
    { toolUseId, toolName, input, question }: AskedCall,
    signal: AbortSignal,
  ): Promise<{ answer: PermissionResult; by: string | undefined } | undefined> {
    const requestId = randomUUID();
    const answer = createQuietDeferred<unknown>();
    this.#byId.set(requestId, answer);
    let by: string | undefined;
    // Who answered is known from an approval queue, or from the caller of `answerPermission`, who may give a name.
    const ends = [
      onAbort(signal, () => answer.resolve(undefined)),
      watchQueues({
        asked: () => {},
        settled: (waiting, _, who) => {
          if (waiting.requestId === requestId) by = who;
        },
      }),
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

  close(): void {
    this.questions.close();
  }
}
