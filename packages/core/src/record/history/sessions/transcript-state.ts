// Tells of a saved session whether its last turn was finished or cut off.
import type { SessionMutationOptions } from '../../../wire/protocol/config/past-sessions.js';
import { checkProjectKey, checkSessionId } from '../arguments.js';
import { findTranscript } from '../folders/transcript-location.js';
import { loadStored } from '../store/stored-entries.js';
import {
  describeTurn,
  LastTurnFinder,
  TranscriptReader,
  type LastTurn,
  type TranscriptState,
} from '../transcript/transcript-state.js';
import { scanEntriesBackwards } from '../transcript/scan-backwards.js';

/** Whether the last turn of a saved session was finished; `empty` if there is no such session. */
export async function getTranscriptState(
  sessionId: string,
  options: SessionMutationOptions = {},
): Promise<TranscriptState> {
  checkSessionId(sessionId);
  checkProjectKey(options);
  return describeTurn(await readLastTurn(sessionId, options));
}

/** The last turn of a saved session; undefined if there is none. */
export async function readLastTurn(
  sessionId: string,
  { dir, sessionStore, projectKey, env }: SessionMutationOptions,
): Promise<LastTurn | undefined> {
  if (sessionStore) {
    const reader = new TranscriptReader();
    for (const entry of (await loadStored(sessionStore, { sessionId, dir, projectKey })) ?? [])
      reader.read(entry);
    return reader.turn;
  }
  const found = await findTranscript(sessionId, dir, env);
  if (!found) return undefined;
  const finder = new LastTurnFinder();
  // Lines without an id do not matter here. A transcript has many of them, such as records of requests.
  await scanEntriesBackwards(found.path, (entry) => finder.take(entry), { mention: '"uuid"' });
  return finder.turn;
}
