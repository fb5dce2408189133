// The interface of a session store, and the data that it keeps. The types of past sessions are in `past-sessions`.
import type { Uuid } from '../messages/message-values.js';
import type { CallRecords } from './call-records.js';

/** Identifies the transcript of a session or, with `subpath`, of one of its subagents. */
export type SessionKey = {
  /** The option `projectKey`; by default the working directory, made safe as a file name. */
  projectKey: string;
  sessionId: string;
  /** Like `subagents/agent-<id>`; never the empty string. */
  subpath?: string;
};

/** One line of a transcript. A store keeps it unchanged. Entries with the same `uuid` are duplicates. */
export type SessionStoreEntry = {
  type: string;
  uuid?: string;
  timestamp?: string;
  [field: string]: unknown;
};

/** What a store may keep beside a transcript, so that sessions can be listed without reading their transcripts. */
export type SessionSummaryEntry = {
  sessionId: string;
  /** Milliseconds since 1970. */
  mtime: number;
  data: Record<string, unknown>;
};

/** Stores transcripts elsewhere than on this machine. Only `append` and `load` are required. */
export interface SessionStore {
  /**
   * Adds entries in order. It may be called again with entries that the store already has. A call that fails is repeated;
   * if it still fails, its error is reported. An error whose `fatal` is true means that this process must not write any
   * more: the session ends at once.
   */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  /** Returns all entries in order, or null if there is no such transcript. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions?(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  /** Removes a transcript; without `subpath` also those of its subagents. */
  delete?(key: SessionKey): Promise<void>;
  /** The subpaths that exist under a session. Without this method, only main transcripts are resumed. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
  /**
   * Returns the call records of a session, which keep the facts about its calls of in-process tools. Every process with
   * this store sees the same facts. `delete` removes them with the transcript. Without this method, facts are kept on this
   * machine, and a session that goes on elsewhere does not have them.
   */
  calls?(key: { projectKey: string; sessionId: string }): CallRecords;
}

/** New lines of a transcript, sent to a host that has a session store. */
export type TranscriptMirrorFrame = {
  type: 'transcript_mirror';
  /** `<config>/projects/<projectKey>/<sessionId>.jsonl`, or a subagent's file below it. */
  filePath: string;
  entries: SessionStoreEntry[];
  uuid?: Uuid;
  session_id?: string;
};
