// Which sessions have a CLI: in this process, and in others where their CLI says so (2.1.325 does, 2.1.33 does not).
import { isRunningHere } from '../inspector/session-registry.js';
import { findConfigFolder } from '../record/history/folders/project-folders.js';
import { findNotesFolder, isNoteAlive, readNotes } from '../record/history/running/process-notes.js';
import { listNames, type Search } from './search.js';

/** Those of the search that run, with a sentence about where. */
export async function findRunning(search: Search): Promise<Map<string, string>> {
  const running = new Map<string, string>();
  const folder = findNotesFolder(findConfigFolder(search.env));
  for (const note of await readNotes(folder, await listNames(folder, search))) {
    if (search.ids.has(note.sessionId) && isNoteAlive(note))
      running.set(
        note.sessionId,
        `The session is running in process ${note.pid}. End it, then delete again.`,
      );
  }
  for (const id of search.ids) {
    if (isRunningHere(id))
      running.set(id, 'The session has a CLI in this process. Close it, then delete again.');
  }
  return running;
}
