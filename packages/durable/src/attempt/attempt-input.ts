// What an attempt is given, and the checks of it.
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { isAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { UserContent } from '@inboard/core/live/input/user-message.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { isRecord } from '@inboard/core/util/guards.js';
import {
  callback,
  checkShape,
  filledText,
  milliseconds,
  requireShape,
  shape,
} from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject } from '@inboard/core/util/options-object.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { Ledger } from '../ledger/ledger.js';
import type { QuestionAnswer } from './attempt-questions.js';

/** What an agent is told about the attempt that it is asked for. */
export interface AttemptContext {
  /** The key of the conversation. */
  readonly conversation: string;
  /** The id of the turn. */
  readonly turn: string;
  /** Grows with every attempt at the conversation. */
  readonly epoch: number;
  /** Asks people from the handlers of tools. Its questions end the attempt, and their answers come with a later one. */
  readonly approvals: Pick<Approvals, 'canUseTool' | 'ask'>;
  /** Aborts when the options are no longer needed. */
  readonly signal: AbortSignal;
}

/** The options of an agent's session, or a function that returns them within a minute. */
export type AttemptAgent = QueryOptions | ((attempt: AttemptContext) => QueryOptions | Promise<QueryOptions>);

/** What an attempt is made with: the turn, its agent, the ledger that keeps the conversation, and how long to wait. */
export interface AttemptTurnInput {
  ledger: Ledger;
  /** The key of the conversation in the ledger. */
  conversation: string;
  /** The turn: an id that is the same in every attempt, and the user's message. */
  turn: { id: string; content: string | UserContent };
  agent: AttemptAgent;
  /** The answers of people to questions of earlier attempts. An answer that was used in an earlier attempt may be given again. */
  answers?: readonly QuestionAnswer[] | undefined;
  /**
   * Milliseconds for which the turn must have waited only for people or pending calls, before the attempt ends its CLI and returns
   * `waiting`. Questions that are asked in this time are returned together. Default 1,000.
   */
  suspendAfterMs?: number | undefined;
  /** Ends the attempt as a crash would, so that a later one can go on. The attempt then rejects with an AbortError. */
  signal?: AbortSignal | undefined;
  /**
   * Ends the turn when it aborts, as a person's interruption: the model is told, open questions are withdrawn, and no later attempt
   * goes on with the turn. The attempt then returns `ended`, with an outcome whose `kind` is `interrupted`, unless the turn had ended
   * before. May be aborted from the start, to end a turn that an earlier attempt left.
   */
  interrupt?: AbortSignal | undefined;
  /** Gets every message of the turn, in order. If it returns a promise, the next message waits for that. */
  onMessage?: ((message: SDKMessage) => void | Promise<void>) | undefined;
}

/** The input with all defaults. */
export interface AttemptSettings extends Omit<AttemptTurnInput, 'answers' | 'suspendAfterMs'> {
  readonly answers: readonly QuestionAnswer[];
  readonly suspendAfterMs: number;
}

const DEFAULT_SUSPEND_AFTER_MS = 1000;

const TAKER = {
  of: 'attemptTurn()',
  example: 'attemptTurn({ ledger, conversation: "chat-1", turn: { id: "1", content: "Hello" }, agent })',
  known: [
    'ledger',
    'conversation',
    'turn',
    'agent',
    'answers',
    'suspendAfterMs',
    'signal',
    'interrupt',
    'onMessage',
  ],
};

/** Throws an InvalidOptionsError for anything that is missing or wrong. */
export function readAttempt(input: AttemptTurnInput, others: readonly unknown[]): AttemptSettings {
  checkOptionsObject(input, others, TAKER);
  const {
    ledger,
    conversation,
    turn,
    agent,
    answers = [],
    suspendAfterMs = DEFAULT_SUSPEND_AFTER_MS,
  } = input;
  checkLedger(ledger);
  requireShape('conversation', conversation, filledText);
  if (!isRecord(turn)) throw new InvalidOptionsError(['turn'], '"turn" must be { id, content }');
  requireShape('turn.id', turn['id'], filledText);
  const { content } = turn;
  if (!(typeof content === 'string' && content !== '') && !(Array.isArray(content) && content.length > 0))
    throw new InvalidOptionsError(
      ['turn.content'],
      '"turn.content" must be a text or a list of content blocks',
    );
  if (!isRecord(agent) && typeof agent !== 'function')
    throw new InvalidOptionsError(['agent'], '"agent" must be options, or a function that returns them');
  requireShape('suspendAfterMs', suspendAfterMs, milliseconds);
  checkShape('onMessage', input.onMessage, callback);
  checkShape('signal', input.signal, abortSignal);
  checkShape('interrupt', input.interrupt, abortSignal);
  checkAnswers(answers);
  return { ...input, answers, suspendAfterMs };
}

const abortSignal = shape('an AbortSignal', (value) => value instanceof AbortSignal);

const LEDGER_METHODS = ['take', 'holds', 'store', 'dropCalls'] as const;

function checkLedger(ledger: unknown): void {
  const missing = LEDGER_METHODS.filter((name) => !isRecord(ledger) || typeof ledger[name] !== 'function');
  if (missing.length === 0) return;
  throw new InvalidOptionsError(
    ['ledger'],
    `"ledger" must be a ledger, as createMemoryLedger() and createPostgresLedger() make one. It has no method "${missing.join('", "')}"`,
  );
}

function checkAnswers(answers: unknown): void {
  const isRight = (answer: unknown): boolean =>
    isRecord(answer) && typeof answer['id'] === 'string' && isAnswer(answer['result']);
  if (!Array.isArray(answers) || !answers.every(isRight))
    throw new InvalidOptionsError(
      ['answers'],
      '"answers" must be a list of { id, result }: the id of the question, and what allow() or deny() returned',
    );
}
