// Whether a CLI may still write to a transcript on this disk. Nothing is written into it before that is known.
import { isRunningHere } from '../../../inspector/session-registry.js';
import { findConfigFolder, readFolderNames } from '../../../record/history/folders/project-folders.js';
import { findNotesFolder, isNoteAlive, readNotes } from '../../../record/history/running/process-notes.js';
import type { KnownCalls } from '../../../record/calls/fold-facts.js';
import { sleep } from '../../../util/timers.js';
import { isProcessGone } from '../../../wire/process/process-name.js';
import type { Environment } from '../../../wire/process/operating-system.js';

/** A CLI whose host was killed writes its last lines within this time. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

export interface AwaitedSession {
  readonly sessionId: string;
  readonly env: Environment;
  /** The records name the CLIs that had the transcript. */
  readonly known: KnownCalls;
  readonly signal: AbortSignal;
}

/** Waits until no CLI has the session; gives who has it where that takes too long. */
export async function awaitNoCli(session: AwaitedSession): Promise<string | undefined> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const user = await findUser(session);
    if (user === undefined || performance.now() >= until) return user;
    await sleep(LOOK_EVERY_MS);
    session.signal.throwIfAborted();
  }
}

async function findUser({ sessionId, env, known }: AwaitedSession): Promise<string | undefined> {
  if (isRunningHere(sessionId)) return 'The session has a CLI in this process.';
  for (const cli of known.clis) if (!isProcessGone(cli)) return 'A CLI that had the session still runs.';
  const folder = findNotesFolder(findConfigFolder(env));
  for (const note of await readNotes(folder, await readFolderNames(folder))) {
    if (note.sessionId === sessionId.toLowerCase() && isNoteAlive(note))
      return `The session runs in process ${note.pid}.`;
  }
  return undefined;
}
