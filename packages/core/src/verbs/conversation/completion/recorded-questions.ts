// Records the permission questions about the calls of a conversation, and their answers.
import { describeAsked } from '../../../answer/permissions/answer-permission.js';
import type { OpenPermission } from '../../../answer/permissions/open-permission.js';
import { isRecord } from '../../../util/guards.js';
import { clock } from '../../../util/system/clock.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { IdentifyCall } from '../../../wire/protocol/call-identity.js';
import type { CallFact } from '../../../wire/protocol/config/call-records.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';

/** How a question ended. `withoutCli` is set if the CLI that asked was gone by then. */
export interface SettledQuestion {
  readonly answer: unknown;
  readonly by: string | undefined;
  readonly withoutCli?: boolean;
}

/** The questions of one session. */
export class RecordedQuestions {
  readonly #identify: IdentifyCall;
  readonly #add: (fact: CallFact) => void | Promise<void>;
  /** Open questions, by the ids of their requests. One has a timer until it is recorded, and the key of its call after that. */
  readonly #questions = new Map<
    string,
    { timer?: NodeJS.Immediate; record?: () => string; callKey?: string }
  >();

  /** `add` stores a fact, and never rejects. */
  constructor(identify: IdentifyCall, add: (fact: CallFact) => void | Promise<void>) {
    this.#identify = identify;
    this.#add = add;
  }

  /** Notes a question. It is recorded if it is not answered at once. */
  note(requestId: string, question: OpenPermission): void {
    const record = (): string => this.#noteAsked(requestId, question);
    const timer = clock.setImmediate(() => this.#questions.set(requestId, { callKey: record() }));
    this.#questions.set(requestId, { timer, record });
  }

  /** Notes that a question is answered, or no longer asked. */
  settle(requestId: string, { answer, by, withoutCli }: SettledQuestion): void {
    const question = this.#questions.get(requestId);
    this.#questions.delete(requestId);
    clock.clearImmediate(question?.timer);
    // Its CLI may end in the moment of the question, which people may have been asked by then.
    if (answer === undefined) question?.record?.();
    if (question?.callKey === undefined || !isRecord(answer)) return;
    const who = by === 'callback' ? undefined : by;
    this.noteAnswer(question.callKey, answer as PermissionResult, who, withoutCli);
  }

  /** Whether the question is recorded, so that another process would find it. */
  isAsked(requestId: string): boolean {
    return this.#questions.get(requestId)?.callKey !== undefined;
  }

  noteAnswer(callKey: string, answer: PermissionResult, by?: string, withoutCli?: boolean): void {
    const at = clock.Date.now();
    void this.#add(withoutUndefined({ type: 'answered' as const, callKey, answer, by, withoutCli, at }));
  }

  #noteAsked(requestId: string, { asked }: OpenPermission): string {
    const { tool_use_id: toolUseId, tool_name: toolName, input } = asked;
    const { callKey } = this.#identify({ toolUseId, toolName, input });
    const {
      toolUseID: _id,
      requestId: _request,
      sessionId: _session,
      ...question
    } = describeAsked(asked, requestId, undefined);
    const fact = { type: 'asked' as const, callKey, toolUseId, toolName, input, at: clock.Date.now() };
    void this.#add({ ...fact, question: withoutUndefined(question) });
    return callKey;
  }
}
