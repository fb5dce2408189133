// Copies the transcript of a running session into a store, as the CLI reports it. The session never waits for
// the store except where `flush()` is awaited, and nothing the store does can break it: entries that cannot be
// stored after all attempts are dropped, and that is told.
import { messageOf } from '../../../util/message-of.js';
import { randomUUID } from 'node:crypto';
import type { SDKMirrorErrorMessage } from '../../../wire/protocol/messages/messages-notice.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  TranscriptMirrorFrame,
} from '../../../wire/protocol/control/session-payload.js';
import { SessionStoreError } from '../../../errors.js';
import { callStore } from './call-store.js';
import { findMirrorKey } from './mirror-key.js';

/** When entries go to the store: gathered until `flush()`, or each frame at once. */
export type MirrorFlush = 'batched' | 'eager';

export interface SessionMirrorOptions {
  readonly store: SessionStore;
  /** Default `'batched'`. Either way the order within a transcript is kept. */
  readonly flush?: MirrorFlush;
  /** Told of entries that were dropped, as a message for the consumer of the session. Must not throw. */
  readonly onError?: (message: SDKMirrorErrorMessage) => void;
  /** Told of a frame for a file that is no transcript. Must not throw. */
  readonly onIgnored?: (filePath: string) => void;
  /** Milliseconds one append may take; not tried again after that. Default 60 s. */
  readonly timeoutMs?: number;
  /** Milliseconds before each further attempt. Default 200, then 800: three attempts in all. */
  readonly retryDelaysMs?: readonly number[];
}

/** Whoever made it awaits `flush()` before a result is handed on, and once more at the end. */
export interface SessionMirror {
  /** Takes new entries. Never throws, never waits. */
  receive(frame: TranscriptMirrorFrame): void;
  /** Resolves when all that was received is stored, or was dropped and told. Never rejects. */
  flush(): Promise<void>;
}

/** A batch that has grown beyond this is sent without waiting for `flush()`: a turn may take hours. */
const BATCH_ENTRIES = 500;
const BATCH_CHARACTERS = 1024 * 1024;

interface Lane {
  readonly key: SessionKey;
  gathered: SessionStoreEntry[];
  characters: number;
  /** The last append of this transcript; one begins when the one before it is over. */
  sending: Promise<void>;
}

/** Creates a mirror; it starts nothing by itself. */
export function createSessionMirror(options: SessionMirrorOptions): SessionMirror {
  const { store, flush: mode = 'batched', onError, onIgnored } = options;
  const { timeoutMs = 60_000, retryDelaysMs = [200, 800] } = options;
  const lanes = new Map<string, Lane>();

  function receive(frame: TranscriptMirrorFrame): void {
    const { filePath, entries } = frame;
    const key = findMirrorKey(filePath);
    if (key === undefined) {
      onIgnored?.(filePath);
      return;
    }
    if (!Array.isArray(entries)) return;
    const lane = openLane(key);
    for (const entry of entries) lane.gathered.push(entry);
    if (mode === 'batched') lane.characters += JSON.stringify(entries).length;
    const isFull = lane.gathered.length > BATCH_ENTRIES || lane.characters > BATCH_CHARACTERS;
    if (mode === 'eager' || isFull) send(lane);
  }

  function openLane(key: SessionKey): Lane {
    const name = JSON.stringify([key.projectKey, key.sessionId, key.subpath]);
    const known = lanes.get(name);
    if (known) return known;
    const lane = { key, gathered: [], characters: 0, sending: Promise.resolve() };
    lanes.set(name, lane);
    return lane;
  }

  function send(lane: Lane): void {
    const entries = lane.gathered;
    if (entries.length === 0) return;
    lane.gathered = [];
    lane.characters = 0;
    lane.sending = lane.sending.then(() => append(lane.key, entries));
  }

  // Never rejects: the end of it is that the entries are stored, or that their loss was told.
  async function append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const { sessionId, subpath } = key;
        await callStore({ store, operation: 'append', sessionId, subpath, limitMs: timeoutMs }, () =>
          store.append({ ...key }, entries),
        );
        return;
      } catch (error) {
        const delay = retryDelaysMs[attempt];
        // What took too long may still arrive; sent again it might be there twice.
        const isTimeout = error instanceof SessionStoreError && error.limitMs !== undefined;
        if (isTimeout || delay === undefined) {
          onError?.(createMirrorError(key, error));
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  async function flush(): Promise<void> {
    const sent = [...lanes].map(([name, lane]) => {
      send(lane);
      return { name, lane, sending: lane.sending };
    });
    await Promise.all(sent.map(({ sending }) => sending));
    // A long session has many subagents; what is done with is not kept.
    for (const { name, lane, sending } of sent) {
      if (lane.sending === sending && lane.gathered.length === 0) lanes.delete(name);
    }
  }

  return { receive, flush };
}

function createMirrorError(key: SessionKey, error: unknown): SDKMirrorErrorMessage {
  const cause = error instanceof SessionStoreError && error.cause !== undefined ? error.cause : error;
  return {
    type: 'system',
    subtype: 'mirror_error',
    error: messageOf(cause),
    key,
    uuid: randomUUID(),
    session_id: key.sessionId,
  };
}
