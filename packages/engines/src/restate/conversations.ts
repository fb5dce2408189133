// A virtual object of Restate for each conversation: its turns come one after the other, and its other handlers answer and wake them.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { checkShape, filledText, wholeNumber } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject } from '@inboard/core/util/options-object.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
import { prepareAttempts, type EngineOptions } from '../turn/engine-agents.js';
import type { EngineTurn } from '../turn/engine-turn.js';
import { handleAttempt, type AttemptRequest } from './attempt-handler.js';
import {
  giveAnswer,
  readKeptTurn,
  takeAnswer,
  type AwakeableAnswer,
  type PromisedAnswer,
  type RestateQuestion,
} from './kept-turn.js';
import { loadRestate } from './restate-library.js';
import { handleTurn } from './turn-handler.js';

/** A turn as the handler `turn` takes it. The key of the object is the key of the conversation. */
export type ConversationTurn = Omit<EngineTurn, 'conversation'>;

/** The handlers of a conversation, for typed clients. The context is Restate's. */
export interface ConversationHandlers {
  /** Works on a turn until it has ended. Turns of one conversation come one after the other. */
  turn(context: unknown, turn: ConversationTurn): Promise<AttemptOutcome>;
  /** The questions that wait for an answer, oldest first. */
  questions(context: unknown): Promise<RestateQuestion[]>;
  /** The calls of the turn whose results come later. */
  pending(context: unknown): Promise<AwaitedCall[]>;
  /** Answers a question. Returns false if it was answered before, or if the turn has no such question open. */
  answer(context: unknown, answer: PromisedAnswer & { id: string }): Promise<boolean>;
  /** Makes the turn look whether its pending calls are completed. Does nothing if no turn is being worked on. */
  wake(context: unknown): Promise<void>;
}

/** What conversations on Restate are made with. */
export interface ConversationsOptions extends EngineOptions {
  /** The name of the virtual object. Default `conversations`. */
  name?: string | undefined;
  /**
   * Milliseconds after which Restate ends an attempt that still runs, and makes another. It can be as long as the longest work without
   * a question. Default one hour.
   */
  attemptLimitMs?: number | undefined;
}

/** A virtual object, for `serve({ services })` of Restate's SDK. */
export interface ConversationsObject {
  readonly name: string;
}

const OF = 'conversations()';
const TAKER = {
  of: OF,
  example: 'await conversations({ agents: { support: {} }, ledger })',
  known: ['agents', 'ledger', 'suspendAfterMs', 'onMessage', 'name', 'attemptLimitMs'],
};
const DEFAULT_LIMIT_MS = 3_600_000;
/** How long an attempt has after its limit. Its work can then not be cut short any more in another way. */
const ABORT_MS = 60_000;

/** Pages ask again and again. Restate would keep each of these requests for a day. */
const READS = { journalRetention: 0 };

/**
 * Makes the virtual object. Loads `@restatedev/restate-sdk`. Rejects with a PartLoadError if that is not installed, or if Node is
 * older than 22.
 * @example
 * ```ts
 * const service = await conversations({ agents: { support }, ledger });
 * await serve({ services: [service], port: Number(PORT) });
 * ```
 * @experimental Its names may change in any release.
 */
export async function conversations(options: ConversationsOptions): Promise<ConversationsObject>;
export async function conversations(
  options: ConversationsOptions,
  ...others: readonly unknown[]
): Promise<ConversationsObject> {
  checkOptionsObject(options, others, TAKER);
  const attempt = prepareAttempts(OF, options);
  const { name = 'conversations', attemptLimitMs = DEFAULT_LIMIT_MS } = options;
  checkShape('name', name, filledText, { called: `${OF}: "name"` });
  checkShape('attemptLimitMs', attemptLimitMs, wholeNumber(1), { called: `${OF}: "attemptLimitMs"` });
  const library = await loadRestate();
  const { object } = library.handlers;
  const handlers: Record<keyof ConversationHandlers | 'attempt' | 'take', unknown> = {
    turn: object.exclusive({}, (context, input) => handleTurn(library, name, context, input)),
    // A handler of its own: the server keeps a connection while it is inactive. So the turn may be suspended soon, and a cancellation
    // still reaches an attempt after a long time.
    attempt: object.shared(
      { inactivityTimeout: attemptLimitMs, abortTimeout: ABORT_MS, ingressPrivate: true },
      (context, request) => handleAttempt(library, attempt, context, request as AttemptRequest),
    ),
    questions: object.shared(READS, async (context) => (await readKeptTurn(context))?.questions ?? []),
    pending: object.shared(READS, async (context) => (await readKeptTurn(context))?.pending ?? []),
    answer: object.shared({}, (context, answer) => giveAnswer(name, context, answer)),
    take: object.shared({ ingressPrivate: true, journalRetention: 0 }, async (context, answer) =>
      takeAnswer(context, answer as AwakeableAnswer & { mark: string }),
    ),
    wake: object.shared({}, async (context) => {
      const kept = await readKeptTurn(context);
      if (kept) context.resolveAwakeable(kept.wake, null);
    }),
  };
  return library.object({
    name,
    handlers,
    options: {
      // It would come again.
      asTerminalError: (error) =>
        error instanceof InvalidOptionsError
          ? new library.TerminalError(error.message, { errorCode: 400 })
          : undefined,
    },
  });
}
