// Tells the model that a turn was stopped while no CLI had it, and what became of its calls. Without that, the CLI of the next turn
// would say that the outcome of these calls is unknown, although most of them never ran. Attempts and the workers of a cluster do so.
import { errorResult } from '@inboard/core/answer/mcp/result/content-helpers.js';
import { nameTools, type QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { KnownCallState } from '@inboard/core/record/calls/fold-facts.js';
import {
  describeUnknown,
  PENDING_WITHDRAWN,
  TURN_INTERRUPTED,
} from '@inboard/core/verbs/conversation/completion/result-texts.js';
import {
  findTranscriptPlace,
  type TranscriptResult,
} from '@inboard/core/verbs/conversation/completion/transcript-place.js';
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';

/** What the model is told about one call. */
export type ToldOfCall = TranscriptResult['told'];

export interface StoppedTurn {
  readonly sessionId: string;
  readonly store: SessionStore;
  readonly projectKey: string;
  /** The options of the agent, as far as they are known. */
  readonly options: QueryOptions;
  /** Returns what became of a call. */
  readonly describe: (callKey: string) => ToldOfCall;
}

/** Ends the last turn of a transcript. The caller has made sure that the turn is not over, and that no CLI has the session. */
export async function tellStopped(turn: StoppedTurn): Promise<void> {
  const { sessionId, store, projectKey, options, describe } = turn;
  const place = findTranscriptPlace({
    sessionId,
    options: { ...nameTools(options), sessionStore: store, projectKey },
    cliVersion: options.claudeCodeVersion,
  });
  const transcript = await place.open();
  const results = transcript?.calls.map((call) => ({
    call: { ...call, how: 'notRun' as const, delivered: false },
    told: describe(call.callKey),
    tool: undefined,
  }));
  const outcome = results && (await transcript?.write(results, { isStopped: true }));
  // If the transcript has no place for results, the CLI says that their outcome is unknown.
  if (!outcome || 'refused' in outcome) await place.stop();
}

/** What became of a call of a turn that was stopped, from what is recorded of it. */
export function describeStopped(known: KnownCallState | undefined): ToldOfCall {
  const { ended, pending, begun, answered, isWaiting } = known ?? {};
  if (ended) return { result: ended.result };
  if (pending) return { result: errorResult(PENDING_WITHDRAWN) };
  // A handler that waited for a person had done nothing yet that counts.
  if (begun && isWaiting !== true) return { result: errorResult(describeUnknown(begun.at)) };
  if (!begun && answered?.answer.behavior === 'deny') return { denial: answered.answer };
  return { result: errorResult(TURN_INTERRUPTED) };
}
