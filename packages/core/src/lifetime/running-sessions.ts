// Finds sessions that have a running CLI: one of this process, or one that keeps a note on disk (CLI 2.1.325 does, 2.1.33
// does not). Also finds sessions whose calls a process completes before it starts a CLI.
import { join } from 'node:path';
import { isRunningHere } from '../live/watch/session-registry.js';
import { CallFiles } from '../record/calls/file/call-files.js';
import { FileClaim } from '../record/calls/file/file-claim.js';
import { findConfigFolder } from '../record/history/folders/project-folders.js';
import { findNotesFolder, isNoteAlive, readNotes } from '../record/history/running/process-notes.js';
import { messageOf } from '../util/message-of.js';
import { listNames, type Search } from './search.js';

/** The sessions of the search that run, each with a sentence that says where. */
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
  await addClaimed(search, running);
  for (const id of search.ids) {
    if (isRunningHere(id))
      running.set(id, 'The session has a CLI in this process. Close it, then delete again.');
  }
  return running;
}

// A process that completes the calls of a session has no CLI yet, but is about to write to its transcript.
async function addClaimed(search: Search, running: Map<string, string>): Promise<void> {
  const root = join(findConfigFolder(search.env), 'projects');
  for (const project of await listNames(root, search)) {
    for (const name of await listNames(join(root, project), search)) {
      const id = name.toLowerCase();
      if (!search.ids.has(id)) continue;
      const place = join(root, project, name);
      try {
        const held = await new FileClaim(new CallFiles(place)).look();
        if (held)
          running.set(
            id,
            `Calls of the session are being completed by ${held.heldBy}. End it, then delete again.`,
          );
      } catch (error) {
        search.problems.push({ place, message: messageOf(error) });
      }
    }
  }
}
