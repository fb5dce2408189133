// Searches the caller's stores: session stores with transcripts, and approval stores with questions and answers.
import { callStore, type StoreCall } from '../record/history/store/call-store.js';
import { findStoreKey, loadTranscript } from '../record/history/store/stored-entries.js';
import { readSubpaths } from '../record/history/store/store-answers.js';
import { messageOf } from '../util/message-of.js';
import type { SessionKey } from '../wire/protocol/config/session-store.js';
import type { FoundItem, Search } from './search.js';
import type { SessionStorePlace } from './session-data.js';

/** How long an approval store may take. Session stores have the same limit by default. */
const LIMIT_MS = 60_000;

/** Thrown for a store that has no method to delete a session. */
export class NotSupportedError extends Error {}

export async function lookInSessionStores(search: Search): Promise<FoundItem[]> {
  const found: FoundItem[] = [];
  for (const [index, place] of (search.options.sessionStores ?? []).entries()) {
    for (const sessionId of search.ids) {
      const key = await findStoreKey({ sessionId, dir: place.dir, projectKey: place.projectKey });
      const name = `sessionStores[${index}] ${key.projectKey}/${sessionId}`;
      try {
        const remove = (): Promise<void> => deleteStored(place, key);
        // Call records are deleted together with the transcript, but may exist without one.
        if (await hasCallRecords(place, key))
          found.push({ sessionId, kind: 'call-records', place: `${name} calls`, remove });
        if (await hasSession(place, key))
          found.push({ sessionId, kind: 'stored-transcript', place: name, remove });
      } catch (error) {
        search.problems.push({ place: name, message: messageOf(error) });
      }
    }
  }
  return found;
}

async function hasCallRecords({ store }: SessionStorePlace, key: SessionKey): Promise<boolean> {
  if (!store.calls) return false;
  const { projectKey, sessionId } = key;
  const loading: StoreCall = { store, operation: 'calls', sessionId };
  const facts = await callStore(loading, () => store.calls?.({ projectKey, sessionId }).load());
  return facts !== undefined && facts.length > 0;
}

async function hasSession(place: SessionStorePlace, key: SessionKey): Promise<boolean> {
  if ((await loadTranscript(place.store, key)) !== undefined) return true;
  return (await listSubpaths(place, key)).length > 0;
}

async function listSubpaths({ store }: SessionStorePlace, key: SessionKey): Promise<string[]> {
  if (!store.listSubkeys) return [];
  const { projectKey, sessionId } = key;
  const listing: StoreCall = { store, operation: 'listSubkeys', sessionId };
  return readSubpaths(
    listing,
    await callStore(listing, () => store.listSubkeys?.({ projectKey, sessionId })),
  );
}

async function deleteStored(place: SessionStorePlace, key: SessionKey): Promise<void> {
  const { store } = place;
  if (!store.delete) {
    throw new NotSupportedError(
      'The store has no method "delete". Delete the session from it in another way.',
    );
  }
  const { sessionId } = key;
  await callStore({ store, operation: 'delete', sessionId }, () => store.delete?.(key));
  // A store should delete the transcripts of subagents, too. This loop deletes what a store has left.
  for (const subpath of await listSubpaths(place, key))
    await callStore({ store, operation: 'delete', sessionId, subpath }, () =>
      store.delete?.({ ...key, subpath }),
    );
}

export async function lookInApprovals(search: Search): Promise<FoundItem[]> {
  const found: FoundItem[] = [];
  const { approvals = [], matchApproval } = search.options;
  for (const [index, place] of approvals.entries()) {
    try {
      for (const approval of await withinLimit(() => place.list({ answered: true }))) {
        const { id } = approval;
        // The caller's own store may return any value.
        const sessionId = typeof approval.sessionId === 'string' ? approval.sessionId.toLowerCase() : '';
        if (!search.ids.has(sessionId) && matchApproval?.(approval) !== true) continue;
        found.push({
          sessionId,
          kind: 'approval',
          place: `approvals[${index}] ${id}`,
          remove: () => withinLimit(() => place.remove(id)),
        });
      }
    } catch (error) {
      search.problems.push({ place: `approvals[${index}]`, message: messageOf(error) });
    }
  }
  return found;
}

/** Waits for a method of the caller's store, for a limited time. */
async function withinLimit<Value>(call: () => Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const message = `No answer within ${LIMIT_MS / 1000} seconds`;
    timer = setTimeout(() => reject(new Error(message)), LIMIT_MS);
  });
  try {
    return await Promise.race([call(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
