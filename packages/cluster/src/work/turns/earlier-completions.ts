// Finds the calls of a turn that earlier workers completed before they died. Events tell of them. If a worker died before it
// wrote those events, the results are still in the transcript.
import { resultUuid } from '@inboard/core/calls/transcript/completion-entry.js';
import { nameTurn } from '@inboard/core/live/tooling/call-key.js';
import { CallLedger } from '@inboard/core/live/tooling/call-ledger.js';
import { foldFacts, type KnownCallState } from '@inboard/core/record/calls/fold-facts.js';
import { isCopyOfCall } from '@inboard/core/record/history/transcript/copied-call.js';
import { TranscriptReader, type LastTurn } from '@inboard/core/record/history/transcript/transcript-state.js';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { matchRecords } from '@inboard/core/verbs/conversation/completion/match-records.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { readCompletedNote, type ToldCall } from '../../journal/completed-note.js';
import type { ClusterEvent, TurnRecord } from '../../journal/records.js';
import { CLUSTER_PROJECT_KEY } from '../session/lease-store.js';
import type { RunContext } from './run-context.js';

/** The calls of a turn that earlier leases completed. */
export interface EarlierCompletions {
  /** The calls that the turn's events tell of, in order. A call that was told twice is listed twice. */
  readonly told: ToldCall[];
  /** The calls whose results are in the transcript, but that no event tells of. */
  readonly untold: ToldCall[];
  /** Results in the transcript that are not among the events. */
  readonly unshown: SDKMessage[];
}

/** Events are read this many at a time, because their messages may be large. */
const PAGE = 200;

/** Reads the events of the turn, and the transcript, which the start of the turn needs anyway. */
export async function readEarlierCompletions(
  context: RunContext,
  turn: TurnRecord,
): Promise<EarlierCompletions> {
  const { told, shown } = await readEvents(context, turn);
  const { store, conversation } = context;
  const { sessionId } = conversation;
  const entries = (await store.loadMain(sessionId)) ?? [];
  const last = readTurn(entries, turn);
  const written = last ? findWritten(entries, last, sessionId) : [];
  const isTold = ({ toolUseId }: { toolUseId: string }): boolean =>
    told.some((call) => call.toolUseId === toolUseId || isCopyOfCall(toolUseId, call.toolUseId));
  const missing = written.filter((call) => !isTold(call));
  return {
    told,
    untold: last && missing.length > 0 ? await describeAll(context, last, missing) : [],
    unshown: written.flatMap(({ entry }) => (shown.has(String(entry.uuid)) ? [] : [showResult(entry)])),
  };
}

/** Reads events backwards, from the newest before this lease to the first lease of the turn. */
async function readEvents(
  { host, lease, conversation }: RunContext,
  { id: turn }: TurnRecord,
): Promise<{ told: ToldCall[]; shown: Set<string> }> {
  const { key } = lease.fence;
  const told: ToldCall[] = [];
  const shown = new Set<string>();
  for (let end = conversation.lastEventId; end > 0; end -= PAGE) {
    const after = Math.max(0, end - PAGE);
    const events = await lease.write(() => host.parts.journal.events(key, { after, limit: end - after }));
    const own = events.filter((event) => event.turn === turn);
    told.unshift(...own.flatMap(readCompletedNote));
    for (const event of own) {
      const uuid = event.type === 'message' && isRecord(event.message) ? event.message['uuid'] : undefined;
      if (typeof uuid === 'string') shown.add(uuid);
    }
    if (own.some(isFirstStart)) break;
  }
  return { told, shown };
}

/**
 * Whether an event is the first start of a turn, which is written under a lease. The event of a parked turn that an answer lets
 * go on has epoch 0.
 */
function isFirstStart(event: ClusterEvent): boolean {
  return event.type === 'turn' && event.state === 'running' && event.attempt === 1 && event.epoch !== 0;
}

/** The turn as the transcript has it. Undefined if the last turn there is another one. */
function readTurn(entries: readonly SessionStoreEntry[], { uuid }: TurnRecord): LastTurn | undefined {
  const reader = new TranscriptReader();
  for (const entry of entries) reader.read(entry);
  return reader.turn?.uuid === uuid ? reader.turn : undefined;
}

interface WrittenCall {
  readonly toolUseId: string;
  readonly entry: SessionStoreEntry;
}

/**
 * Finds the calls whose results a worker wrote into the transcript. The uuids of such entries are made from the ids of the
 * calls.
 */
function findWritten(
  entries: readonly SessionStoreEntry[],
  { calls }: LastTurn,
  sessionId: string,
): WrittenCall[] {
  const byUuid = new Map(entries.map((entry) => [entry.uuid, entry]));
  return calls.flatMap(({ toolUseId }) => {
    const entry = byUuid.get(resultUuid(sessionId, toolUseId));
    return entry ? [{ toolUseId, entry }] : [];
  });
}

/** Finds out from the journal what became of these calls. */
async function describeAll(
  { store, conversation }: RunContext,
  last: LastTurn,
  missing: readonly WrittenCall[],
): Promise<ToldCall[]> {
  const { sessionId } = conversation;
  const records = store.calls?.({ projectKey: CLUSTER_PROJECT_KEY, sessionId });
  const known = foldFacts((await records?.load()) ?? []);
  const identities = CallLedger.identifyAll(sessionId, nameTurn(last), last.calls);
  const keys = new Set([...identities.values()].map(({ callKey }) => callKey));
  const calls = missing.map(({ toolUseId }) => ({
    toolUseId,
    ...(identities.get(toolUseId) ?? { callKey: toolUseId, attempt: 1 }),
  }));
  return matchRecords(calls, keys, known).map(({ toolUseId, callKey }) => {
    const toolName = last.calls.find((call) => call.toolUseId === toolUseId)?.toolName ?? '';
    return { callKey, toolUseId, toolName, ...describeKnown(known.get(callKey)), delivered: true };
  });
}

/** Describes a call by its records. If its handler ran, that was recorded before the result was written. */
function describeKnown(state: KnownCallState | undefined): Pick<ToldCall, 'how' | 'allowed' | 'by'> {
  const { answered, begun, ended } = state ?? {};
  const isDenied = answered?.answer.behavior === 'deny';
  const how = ended ? 'recorded' : begun ? 'unknown' : isDenied ? 'denied' : 'notRun';
  return { how, ...withoutUndefined({ allowed: answered && !isDenied, by: answered?.by }) };
}

/** The entry of a result as a message of the turn. */
function showResult(entry: SessionStoreEntry): SDKMessage {
  const { message, uuid, sessionId, toolUseResult } = entry;
  const shown = { type: 'user', message, parent_tool_use_id: null, session_id: asString(sessionId) ?? '' };
  return {
    ...shown,
    ...withoutUndefined({ uuid, tool_use_result: toolUseResult }),
    isSynthetic: true,
  } as unknown as SDKMessage;
}
