// Finds out whether all processes have left a saved session, so that this one may go on with it although nobody asked for that.
// It only reads. Where it cannot be known, the session counts as in use: a second CLI would write into the same transcript.
import { buildEnvironment } from '../../../options/launch/environment.js';
import { findConfigFolder, readFolderNames } from '../../../record/history/folders/project-folders.js';
import { findTranscript } from '../../../record/history/folders/transcript-location.js';
import { suspectUse } from '../../../record/history/running/find-runner.js';
import { findNotesFolder, isNoteAlive, readNotes } from '../../../record/history/running/process-notes.js';
import { isClaimedBefore } from '../../../record/history/running/session-claims.js';
import { parseRecord } from '../../../util/guards.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import { isProcessGone, nameThisProcess } from '../../../wire/process/process-name.js';
import type { CallFact } from '../../../wire/protocol/config/call-records.js';
import { findRecordsToRead, type UnfinishedTurnInput } from './read-unfinished-turn.js';

/** A server that had the session, and its CLI. */
type Cover = Extract<CallFact, { type: 'covers' }>;

/** Whether no process has the session any more. Rejects with the error of the records. */
export async function isSessionLeft({ sessionId, options = {} }: UnfinishedTurnInput): Promise<boolean> {
  const env = buildEnvironment({ options, hostEnv: process.env });
  const store = options.sessionStore;
  const configFolder = store ? '' : findConfigFolder(env);
  if (isClaimedBefore(sessionId, { configFolder, store }, undefined)) return false;
  const covers = await readCovers({ sessionId, options });
  if (!covers.every(isOver)) return false;
  // Only the records tell which servers use a store.
  if (store) return covers.length > 0;
  return await isLeftOnDisk({ sessionId, dir: options.cwd, env, covers });
}

async function readCovers(session: UnfinishedTurnInput): Promise<Cover[]> {
  const found = await findRecordsToRead(session);
  if (!found) return [];
  try {
    return (await found.records.load()).filter((fact): fact is Cover => fact.type === 'covers');
  } finally {
    await found.close();
  }
}

/** Whether a server or its CLI is surely gone. A CLI without its server ends by itself, and whoever goes on waits for that. */
function isOver({ owner, cli }: Cover): boolean {
  // The CLIs of this process are known without the records.
  if (owner === nameThisProcess()) return true;
  return [owner, cli].some((name) => name !== undefined && isProcessGone(name));
}

async function isLeftOnDisk({
  sessionId,
  dir,
  env,
  covers,
}: {
  sessionId: string;
  dir: string | undefined;
  env: Environment;
  covers: readonly Cover[];
}): Promise<boolean> {
  const known = new Set(covers.map(({ cli = '' }) => parseRecord(cli)?.['pid']));
  const folder = findNotesFolder(findConfigFolder(env));
  for (const note of await readNotes(folder, await readFolderNames(folder))) {
    if (note.sessionId === sessionId.toLowerCase() && isNoteAlive(note) && !known.has(note.pid)) return false;
  }
  if (covers.length > 0) return true;
  const transcript = await findTranscript(sessionId, dir, env);
  return transcript !== undefined && (await suspectUse(transcript.path)) === undefined;
}
