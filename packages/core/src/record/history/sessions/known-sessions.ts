// Remembers what a list shows of a session while its files do not change, so that the next list need not read its
// transcript. The facts are only in the memory of this process, and never on disk.
import type { SDKSessionInfo } from '../../../wire/protocol/config/past-sessions.js';
import { isSameState, type FileStamp } from '../folders/file-stamp.js';

/** The facts from a transcript and from the archive mark beside it. */
export interface KnownSession {
  readonly isProgrammatic: boolean;
  /** Undefined for a session that no list shows. */
  readonly info: SDKSessionInfo | undefined;
}

/** The states of both files; `mark` is undefined when there is no mark. */
export interface SessionStamps {
  readonly transcript: FileStamp;
  readonly mark: FileStamp | undefined;
}

/** A remembered session takes about 1 kB, so all of them take at most about 20 MB. */
const MAX_SESSIONS = 20_000;
/** A longer description, such as a summary of many lines, is not remembered. */
const MAX_CHARS = 2_000;
/**
 * Some file systems keep times with a precision of two seconds. A file that changed less than two seconds ago may change
 * again without a visible difference.
 */
const SETTLED_MS = 2_000;

interface Remembered {
  readonly stamps: SessionStamps;
  readonly session: KnownSession;
}

/** Sessions by the path of their transcript. The session that was not used for the longest time is forgotten first. */
export class KnownSessions {
  readonly #byPath = new Map<string, Remembered>();

  /** The facts of a session whose files are in this state; undefined when they are not known. */
  find(path: string, stamps: SessionStamps): KnownSession | undefined {
    const known = this.#byPath.get(path);
    if (!known || !isSameState(known.stamps.transcript, stamps.transcript)) return undefined;
    if (!isSameState(known.stamps.mark, stamps.mark)) return undefined;
    this.#byPath.delete(path);
    this.#byPath.set(path, known);
    return known.session;
  }

  /** Remembers a session in this state, unless its files could change without a visible difference. */
  remember(path: string, stamps: SessionStamps, session: KnownSession): void {
    this.#byPath.delete(path);
    if (!isSettled(stamps.transcript) || (stamps.mark && !isSettled(stamps.mark))) return;
    if (countChars(session.info) > MAX_CHARS) return;
    this.#byPath.set(path, { stamps, session });
    if (this.#byPath.size <= MAX_SESSIONS) return;
    for (const oldest of this.#byPath.keys()) {
      this.#byPath.delete(oldest);
      break;
    }
  }
}

function isSettled({ mtimeMs, ctimeMs }: FileStamp): boolean {
  return Date.now() - Math.max(mtimeMs, ctimeMs) > SETTLED_MS;
}

function countChars(info: SDKSessionInfo | undefined): number {
  let chars = 0;
  for (const value of Object.values(info ?? {})) if (typeof value === 'string') chars += value.length;
  return chars;
}
