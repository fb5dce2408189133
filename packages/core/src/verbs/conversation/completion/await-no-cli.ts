// Whether a CLI may still write to a transcript. Nothing is written into it before that is known.
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

/** A CLI whose host was killed writes its last lines within this time, and a session that is being closed is closed. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

export interface AwaitedSession {
  readonly sessionId: string;
  /** Where the notes of running CLIs are; undefined for a transcript in a store, whose CLIs have folders of their own. */
  readonly env: Environment | undefined;
  /** Where the transcript is, if not on this disk. */
  readonly store: SessionStore | undefined;
  /** The records name the CLIs that had the transcript. */
  readonly known: KnownCalls;
  readonly patience: Patience;
}

/** Who has a session. */
export interface SessionUser {
  /** The end of a sentence. */
  readonly who: string;
  /** Whether it surely runs; one of another machine or container cannot be looked up. */
  readonly isCertain: boolean;
}

/** Waits until no CLI has the session; gives who has it where that takes too long. */
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
