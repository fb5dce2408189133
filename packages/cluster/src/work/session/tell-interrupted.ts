// Tells the model what became of the calls of a turn that was interrupted while it was parked. Nothing can be written then, as no
// worker has the lease. So the worker of the next turn writes it, before its CLI starts. Without that, the CLI would say that the
// outcome of these calls is unknown, although most of them never ran.
import { errorResult } from '@inboard/core/answer/mcp/result/content-helpers.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { TranscriptReader } from '@inboard/core/record/history/transcript/transcript-state.js';
import { isRecord } from '@inboard/core/util/guards.js';
import {
  describeUnknown,
  PENDING_WITHDRAWN,
  TURN_INTERRUPTED,
} from '@inboard/core/verbs/conversation/completion/result-texts.js';
import { tellStopped } from '@inboard/durable/attempt/tell-stopped.js';
import type { RecordedResult } from '@inboard/core/wire/protocol/config/call-records.js';
import { WAITING } from '../../journal/call-facts.js';
import type { Journal } from '../../journal/journal.js';
import { pendingIdOf } from '../../journal/journal-question.js';
import type { ConversationHistory, ConversationRecord } from '../../journal/records.js';
import type { HeldLease } from '../host/held-lease.js';
import { CLUSTER_PROJECT_KEY, type LeaseStore } from './lease-store.js';

export interface InterruptedInput {
  journal: Journal;
  lease: HeldLease;
  conversation: ConversationRecord;
  store: LeaseStore;
  options: QueryOptions;
}

/** Writes the results, if the last turn in the transcript was interrupted while it was parked. */
export async function tellInterrupted(input: InterruptedInput): Promise<void> {
  const { journal, lease, conversation, store, options } = input;
  const { key, sessionId } = conversation;
  const reader = new TranscriptReader();
  for (const entry of (await store.loadMain(sessionId)) ?? []) reader.read(entry);
  const { turn } = reader;
  if (!turn || turn.stopped || turn.calls.every(({ hasEnded }) => hasEnded)) return;
  const history = await lease.write(() => journal.history(key));
  if (!history || !wasParked(history, turn.uuid)) return;
  await tellStopped({
    sessionId,
    store,
    projectKey: CLUSTER_PROJECT_KEY,
    options,
    describe: (callKey) => ({ result: describeCall(history, callKey) }),
  });
}

/** Whether the turn with this message was interrupted while no worker had it. Such an end has no lease. */
function wasParked({ turns, events }: ConversationHistory, uuid: string): boolean {
  const ended = turns.find((turn) => turn.uuid === uuid && turn.outcome?.kind === 'interrupted');
  return events.some(
    (event) =>
      event.type === 'turn' && event.turn === ended?.id && event.state === 'ended' && event.epoch === 0,
  );
}

function describeCall({ calls, events }: ConversationHistory, callKey: string): RecordedResult {
  const begun = calls.find((call) => call.callKey === callKey);
  const isPending = events.some(
    (event) => event.type === 'question' && event.question === pendingIdOf(callKey),
  );
  if (isPending) return errorResult(PENDING_WITHDRAWN);
  // A handler that waited for a person had done nothing yet that counts.
  if (!begun || begun.result === WAITING) return errorResult(TURN_INTERRUPTED);
  return isRecord(begun.result) ? begun.result : errorResult(describeUnknown(undefined));
}
