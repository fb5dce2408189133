// Tells the model what became of the calls of a turn that was interrupted while it was parked. Nothing can be written then, as no
// worker has the lease. So the worker of the next turn writes it, before its CLI starts. Without that, the CLI would say that the
// outcome of these calls is unknown, although most of them never ran.
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { TranscriptReader } from '@inboard/core/record/history/transcript/transcript-state.js';
import { describeStopped, tellStopped } from '@inboard/durable/attempt/tell-stopped.js';
import { foldHistory } from '../../journal/call-facts.js';
import type { Journal } from '../../journal/journal.js';
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
  const known = foldHistory(history);
  await tellStopped({
    sessionId,
    store,
    projectKey: CLUSTER_PROJECT_KEY,
    options,
    describe: (callKey) => describeStopped(known.get(callKey)),
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
