// Finds out whether a CLI may still write to a transcript. A completion writes into it only after that is ruled out.
import { findConfigFolder, readFolderNames } from '../../../record/history/folders/project-folders.js';
import {
  findNotesFolder,
  isNoteAlive,
  isNoteProven,
  readNotes,
} from '../../../record/history/running/process-notes.js';
import { isClaimedBefore } from '../../../record/history/running/session-claims.js';
import type { KnownCalls } from '../../../record/calls/fold-facts.js';
import { clock } from '../../../util/system/clock.js';
import { isProcessGone, isProcessRunning } from '../../../wire/process/process-name.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import type { SessionStore } from '../../../wire/protocol/config/session-store.js';
import type { Patience } from './patience.js';

/** Long enough for a CLI whose host was killed to write its last lines, and for a session that is being closed to close. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

export interface AwaitedSession {
  readonly sessionId: string;
  /** For finding the notes of running CLIs. Undefined for a transcript in a store, whose CLIs have folders of their own. */
  readonly env: Environment | undefined;
  /** The store of the transcript; undefined for one on this disk. */
  readonly store: SessionStore | undefined;
  /** Has the names of the CLIs that had the transcript. */
  readonly known: KnownCalls;
  readonly patience: Patience;
}

/** The process that has a session. */
export interface SessionUser {
  /** Says which process it is, as the end of a sentence in an error message. */
  readonly who: string;
  /** Whether it surely runs. A process of another machine or container cannot be looked up. */
  readonly isCertain: boolean;
}

/** Waits until no CLI has the session. Returns the one that still has it when the time is over. */
export async function awaitNoCli(session: AwaitedSession): Promise<SessionUser | undefined> {
  const until = clock.performance.now() + PATIENCE_MS;
  for (;;) {
    const user = await findUser(session);
    if (user === undefined || clock.performance.now() >= until) return user;
    await session.patience.pause(LOOK_EVERY_MS);
  }
}

async function findUser({ sessionId, env, store, known }: AwaitedSession): Promise<SessionUser | undefined> {
  const configFolder = env ? findConfigFolder(env) : '';
  if (isClaimedBefore(sessionId, { configFolder, store }, undefined))
    return { who: 'another session of this process has it', isCertain: true };
  const clis = [...known.clis].filter((cli) => !isProcessGone(cli));
  const running = clis.find((cli) => isProcessRunning(cli));
  if (running !== undefined) return { who: 'a CLI of another process has it', isCertain: true };
  if (env === undefined) return undefined;
  if (clis.length > 0) return { who: 'a CLI that had it may still run', isCertain: false };
  const folder = findNotesFolder(configFolder);
  for (const note of await readNotes(folder, await readFolderNames(folder))) {
    if (note.sessionId !== sessionId.toLowerCase() || !isNoteAlive(note)) continue;
    return { who: `it runs in process ${note.pid}`, isCertain: isNoteProven(note) };
  }
  return undefined;
}
