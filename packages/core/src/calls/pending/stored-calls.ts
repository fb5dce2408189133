// Lists, completes and watches the pending calls of all sessions that some options name.
import { foldFacts, isOpenPending, type KnownCallState } from '../../record/calls/fold-facts.js';
import { onAbort } from '../../util/on-abort.js';
import { clock } from '../../util/system/clock.js';
import { disk } from '../../util/system/disk.js';
import { mapConcurrently } from '../../util/map-concurrently.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import { findRecordsPlaces, type RecordsPlace } from './records-places.js';
import type { CallsOptions, PendingCall, PendingChange } from './calls.js';
import { completeCall, describeUnknownKey, type PendingValue } from './complete-call.js';

/** How many sessions are read at a time. */
const CONCURRENCY = 4;
/** The time between two looks for changes. A look at a folder asks for the state of its files; one at a store loads facts. */
const LOOK_AT_FILES_MS = 500;
const LOOK_AT_STORE_MS = 2_000;

/** The pending calls, those that wait longest first. */
export async function listPending(options: CallsOptions): Promise<PendingCall[]> {
  const places = await findRecordsPlaces(options);
  const found = await mapConcurrently(places, CONCURRENCY, async (place) => {
    const states = await loadStates(place);
    return states.filter(isOpenPending).map((state) => describeCall(place, state));
  });
  return found.flat().sort((one, other) => one.since - other.since);
}

/** Completes a call in whatever session it is. Rejects like `completeCall`. */
export async function completeStored(
  options: CallsOptions,
  { callKey, by }: { callKey: string; by: string | undefined },
  outcome: PendingValue,
): Promise<void> {
  const places = await findRecordsPlaces(options);
  // A log that contains the key is looked at first. Others may still have it, because a part of a log can be in other files.
  const likely: RecordsPlace[] = [];
  const others: RecordsPlace[] = [];
  for (const place of places) {
    const isLikely = place.log !== undefined && (await mentions(place.log, callKey));
    (isLikely ? likely : others).push(place);
    if (isLikely && (await tryPlace(place, { callKey, by }, outcome))) return;
  }
  for (const place of others) if (await tryPlace(place, { callKey, by }, outcome)) return;
  throw describeUnknownKey(callKey, options.sessionId);
}

/** Completes the call if the session has it. */
async function tryPlace(
  place: RecordsPlace,
  { callKey, by }: { callKey: string; by: string | undefined },
  outcome: PendingValue,
): Promise<boolean> {
  const opened = await place.open();
  if (!opened) return false;
  const { records } = opened;
  try {
    if (!foldFacts(await records.load()).get(callKey)) return false;
    await completeCall(records, { callKey, by, sessionId: place.sessionId }, outcome);
    return true;
  } finally {
    await opened.close();
  }
}

async function mentions(log: string, callKey: string): Promise<boolean> {
  const text = await disk.promises.readFile(log, 'utf8').catch(() => '');
  return text.includes(callKey);
}

/** The pending calls, and then each change, until the signal aborts. */
export async function* watchPending(
  options: CallsOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<PendingChange, undefined> {
  const open = new Map<string, PendingCall>();
  const stamps = new Map<string, string | undefined>();
  const pauseMs = options.sessionStore ? LOOK_AT_STORE_MS : LOOK_AT_FILES_MS;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    const places = await findRecordsPlaces(options);
    const changes: PendingChange[] = [];
    for (const place of places) {
      const { sessionId, stamp } = place;
      if (stamp !== undefined && stamps.get(sessionId) === stamp) continue;
      stamps.set(sessionId, stamp);
      changes.push(...findChanges(place, await loadStates(place), open));
    }
    const present = new Set(places.map(({ sessionId }) => sessionId));
    for (const call of open.values())
      if (!present.has(call.sessionId)) changes.push({ type: 'settled', call, how: 'withdrawn' });
    for (const change of changes.sort((one, other) => one.call.since - other.call.since)) {
      const { call } = change;
      if (change.type === 'pending') open.set(call.callKey, call);
      else open.delete(call.callKey);
      yield change;
      if (isOver()) return;
    }
    await pause(pauseMs, signal);
  }
}

function findChanges(
  place: RecordsPlace,
  states: readonly KnownCallState[],
  open: ReadonlyMap<string, PendingCall>,
): PendingChange[] {
  return states.flatMap((state): PendingChange[] => {
    const before = open.get(state.callKey);
    if (isOpenPending(state)) {
      const call = describeCall(place, state);
      return before?.since === call.since ? [] : [{ type: 'pending', call }];
    }
    if (!before) return [];
    const { ended } = state;
    const how = !ended ? 'withdrawn' : ended.result.isError === true ? 'failed' : 'completed';
    return [
      { type: 'settled', call: before, how, ...(ended?.by !== undefined && { by: ended.by }) },
    ];
  });
}

async function loadStates(place: RecordsPlace): Promise<KnownCallState[]> {
  const opened = await place.open();
  if (!opened) return [];
  try {
    return foldFacts(await opened.records.load()).list();
  } finally {
    await opened.close();
  }
}

function describeCall({ sessionId }: RecordsPlace, state: KnownCallState): PendingCall {
  const { callKey, toolName = '', input = {}, pending } = state;
  const { note, at: since } = pending ?? { at: 0 };
  return withoutUndefined({ callKey, sessionId, toolName, input, note, since }) as PendingCall;
}

/** Waits, but no longer than until the signal aborts. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    let forget: (() => void) | undefined;
    const done = (): void => {
      clock.clearTimeout(timer);
      forget?.();
      resolve();
    };
    const timer = clock.setTimeout(done, ms);
    forget = signal && onAbort(signal, done);
  });
}
