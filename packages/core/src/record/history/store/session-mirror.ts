// Copies the transcript of a live CLI into a store, as the CLI reports it. The caller waits for the store only when it
// awaits `flush()`. Entries that cannot be stored after all attempts are dropped and reported, and later entries are
// still sent. Only after an error that the store itself calls fatal is nothing sent any more.
import { randomUUID } from '../../../util/random-uuid.js';
import type { SDKMirrorErrorMessage } from '../../../wire/protocol/messages/messages-notice.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  TranscriptMirrorFrame,
} from '../../../wire/protocol/config/session-store.js';
import { SessionStoreError } from '../../../errors.js';
import { createDeferred } from '../../../util/deferred.js';
import { stringifyDeep } from '../../../util/deep-json.js';
import { messageOf } from '../../../util/message-of.js';
import { sleep } from '../../../util/timers.js';
import { isRecord } from '../../../util/guards.js';
import { isSafeName, isSafeSubpath } from '../arguments.js';
import { callStore, isFatal } from './call-store.js';

/** When entries go to the store: `batched` gathers them until `flush()`, `eager` sends each frame at once. */
export type MirrorFlush = 'batched' | 'eager';

export interface SessionMirrorOptions {
  readonly store: SessionStore;
  /** The project's key in the store. Default: the name of the CLI's transcript folder for the project. */
  readonly projectKey?: string | undefined;
  /** When entries are sent. Default `'batched'`. In both modes the order within a transcript is kept. */
  readonly flush?: MirrorFlush | undefined;
  /**
   * Whether to send a tool call of the model at once, with all entries before it. A later process that has the call
   * records then also finds the calls in the transcript.
   */
  readonly sendsCalls?: (() => boolean) | undefined;
  /** Called when entries were dropped, with a message for the reader of the session. Must not throw. */
  readonly onError?: (message: SDKMirrorErrorMessage) => void;
  /** Called for a frame about a file that is not a transcript. Must not throw. */
  readonly onIgnored?: (filePath: string) => void;
  /** Called once when the store refused entries for good. Nothing is sent to it after that. Must not throw. */
  readonly onRefused?: (error: SessionStoreError) => void;
  /** How many milliseconds one append may take. It is not retried after that. Default 60 s. */
  readonly timeoutMs?: number;
  /** Milliseconds before each further attempt. Default 200, then 800: three attempts in all. */
  readonly retryDelaysMs?: readonly number[];
}

/** Copies entries into a store. Its creator awaits `flush()` before it passes on a result, and once more at the end. */
export interface SessionMirror {
  /** Takes new entries. Never throws, never waits. */
  receive(frame: TranscriptMirrorFrame): void;
  /** Resolves when everything received is stored, or was dropped and reported. Never rejects. */
  flush(): Promise<void>;
}

/** A larger batch is sent without waiting for `flush()`, because a turn may take hours. */
const BATCH_ENTRIES = 500;
const BATCH_CHARACTERS = 1024 * 1024;

// The first part is greedy, because the config folder may itself be in a folder called `projects`. The lookahead quickly
// rejects a path without the ending. Otherwise such a path would be searched again from each folder `projects`.
const TRANSCRIPT = /^(?=.*\.jsonl$).*\/projects\/([^/]+)\/([^/]+?)(?:\/(.+))?\.jsonl$/s;

/** The entries of one transcript on their way to the store. */
interface Lane {
  readonly key: SessionKey;
  gathered: SessionStoreEntry[];
  characters: number;
  /** The last append of this transcript. Each append starts when the one before it is done. */
  sending: Promise<void>;
}

/**
 * A store with this symbol gets new entries only when it has stored the earlier ones. It then gets all entries that have
 * come in the meantime, in one append. The symbol is for stores whose appends wait for a disk. Any other store gets the
 * entries in the batches in which they were sent.
 */
export const APPENDS_TOGETHER: unique symbol = Symbol('appends together');

/** Creates a mirror. It does nothing until a frame comes. */
export function createSessionMirror(options: SessionMirrorOptions): SessionMirror {
  const { store, projectKey, flush: mode = 'batched', sendsCalls, onError, onIgnored, onRefused } = options;
  const { timeoutMs = 60_000, retryDelaysMs = [200, 800] } = options;
  const appendsTogether = APPENDS_TOGETHER in store;
  const lanes = new Map<string, Lane>();
  let isRefused = false;
  /** Resolves the running `flush()` calls. Once the store has refused an append, they do not wait for other appends. */
  const waiting = new Set<() => void>();

  function receive(frame: TranscriptMirrorFrame): void {
    const { filePath, entries } = frame;
    const key = findMirrorKey(filePath, projectKey);
    if (key === undefined) {
      onIgnored?.(filePath);
      return;
    }
    if (!Array.isArray(entries)) return;
    const lane = openLane(key);
    const left = entries.filter((entry) => !isRecord(entry)).length;
    for (const entry of entries) if (isRecord(entry)) lane.gathered.push(entry);
    if (left > 0) {
      const problem = `${left} of ${entries.length} entries are not objects and were left out`;
      onError?.(createMirrorError(key, new Error(problem)));
    }
    if (mode === 'batched') lane.characters += stringifyDeep(entries)?.length ?? 0;
    const isFull = lane.gathered.length > BATCH_ENTRIES || lane.characters > BATCH_CHARACTERS;
    if (mode === 'eager' || isFull || (sendsCalls?.() === true && entries.some(hasCall))) send(lane);
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
    if (lane.gathered.length === 0) return;
    lane.characters = 0;
    if (appendsTogether) {
      lane.sending = lane.sending.then(() => append(lane.key, lane.gathered.splice(0)));
      return;
    }
    const entries = lane.gathered;
    lane.gathered = [];
    lane.sending = lane.sending.then(() => append(lane.key, entries));
  }

  // Never rejects: the entries are stored, or their loss is reported.
  async function append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    for (let attempt = 0; !isRefused && entries.length > 0; attempt++) {
      try {
        const { sessionId, subpath } = key;
        await callStore({ store, operation: 'append', sessionId, subpath, limitMs: timeoutMs }, () =>
          store.append({ ...key }, entries),
        );
        return;
      } catch (error) {
        if (isFatal(error)) {
          // Appends of several transcripts may be refused at once.
          if (!isRefused) onRefused?.(error);
          isRefused = true;
          for (const resolve of waiting) resolve();
          return;
        }
        const delay = retryDelaysMs[attempt];
        // An append that took too long may still succeed. If it were sent again, its entries might be stored twice.
        const isTimeout = error instanceof SessionStoreError && error.limitMs !== undefined;
        if (isTimeout || delay === undefined) {
          onError?.(createMirrorError(key, error));
          return;
        }
        await sleep(delay);
      }
    }
  }

  async function flush(): Promise<void> {
    const sent = [...lanes].map(([name, lane]) => {
      send(lane);
      return { name, lane, sending: lane.sending };
    });
    const { promise, resolve } = createDeferred<void>();
    if (isRefused) resolve();
    waiting.add(resolve);
    void Promise.all(sent.map(({ sending }) => sending)).then(() => resolve());
    await promise;
    waiting.delete(resolve);
    // A long session has many subagents, so lanes with nothing to send are dropped.
    for (const { name, lane, sending } of sent) {
      if (lane.sending === sending && lane.gathered.length === 0) lanes.delete(name);
    }
  }

  return { receive, flush };
}

// The key of a transcript that the CLI has written; undefined for any other file.
function findMirrorKey(filePath: unknown, given: string | undefined): SessionKey | undefined {
  if (typeof filePath !== 'string') return undefined;
  const [, folder, sessionId, subpath] = TRANSCRIPT.exec(filePath.replaceAll('\\', '/')) ?? [];
  if (folder === undefined || sessionId === undefined) return undefined;
  // A store may make a path of its key, so the key must not lead elsewhere.
  if (!isSafeName(folder) || !isSafeName(sessionId)) return undefined;
  if (subpath !== undefined && !isSafeSubpath(subpath)) return undefined;
  const projectKey = given ?? folder;
  return subpath === undefined ? { projectKey, sessionId } : { projectKey, sessionId, subpath };
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

function hasCall(entry: unknown): boolean {
  const message = isRecord(entry) && entry['type'] === 'assistant' ? entry['message'] : undefined;
  const content = isRecord(message) ? message['content'] : undefined;
  return Array.isArray(content) && content.some((block) => isRecord(block) && block['type'] === 'tool_use');
}
