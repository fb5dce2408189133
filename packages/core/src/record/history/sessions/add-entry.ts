// Adds one entry to the end of a past session, in its transcript or in a store.
import { randomUUID } from '../../../util/random-uuid.js';
import type { SessionStoreEntry } from '../../../wire/protocol/config/session-store.js';
import type { SessionMutationOptions } from '../../../wire/protocol/config/past-sessions.js';
import { checkProjectKey } from '../arguments.js';
import { appendStored, findStoreKey } from '../store/stored-entries.js';
import { requireTranscript } from '../folders/transcript-location.js';
import { appendLines } from '../transcript/append-lines.js';
import { encodeEntries } from '../transcript/transcript-lines.js';

export async function addEntry(
  sessionId: string,
  entry: SessionStoreEntry,
  options: SessionMutationOptions | undefined,
): Promise<void> {
  const { dir, sessionStore, projectKey, env } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  if (sessionStore) {
    const stamped = { ...entry, uuid: randomUUID(), timestamp: new Date().toISOString() };
    await appendStored(sessionStore, await findStoreKey({ sessionId, dir, projectKey }), [stamped]);
    return;
  }
  await appendLines((await requireTranscript(sessionId, dir, env)).path, encodeEntries([entry]));
}
