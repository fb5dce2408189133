// Stored sessions: where an entry belongs, what a store must offer, what is known about a session.
import type { SDKMessageOrigin, Uuid } from '../messages/message-values.js';

/** Names one transcript: of a session, or with `subpath` of one of its subagents. */
export type SessionKey = {
  /** By default the working directory, made safe as a file name. */
  projectKey: string;
  sessionId: string;
  /** Like `subagents/agent-<id>`; never the empty string. */
  subpath?: string;
};

/** One line of a transcript. A store keeps it as it is; `uuid`, where present, tells duplicates. */
export type SessionStoreEntry = {
  type: string;
  uuid?: string;
  timestamp?: string;
  [field: string]: unknown;
};

/** What a store may keep beside a transcript so that listing need not read it. */
export type SessionSummaryEntry = {
  sessionId: string;
  /** Milliseconds since 1970. */
  mtime: number;
  data: Record<string, unknown>;
};

/** Keeps transcripts somewhere else than on this machine. `append` and `load` are all it must have. */
export interface SessionStore {
  /** Adds entries in order; may be called again with entries it already has. */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  /** All entries in order, or null when there is no such transcript. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions?(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  /** Removes a transcript; without `subpath` also those of its subagents. */
  delete?(key: SessionKey): Promise<void>;
  /** The subpaths that exist under a session. Without it only main transcripts are resumed. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}

/** What a list of sessions shows about one of them. */
export type SDKSessionInfo = {
  sessionId: string;
  summary: string;
  /** Milliseconds since 1970. */
  lastModified: number;
  /** Bytes; absent for a session in a store. */
  fileSize?: number;
  customTitle?: string;
  firstPrompt?: string;
  gitBranch?: string;
  cwd?: string;
  tag?: string;
  /** Milliseconds since 1970. */
  createdAt?: number;
  archived?: boolean;
};

/** One message of a stored conversation. */
export type SessionMessage = {
  type: 'user' | 'assistant' | 'system';
  uuid: string;
  session_id: string;
  message: unknown;
  parent_tool_use_id: string | null;
  parent_agent_id: string | null;
  timestamp?: string;
  /** The summary that stands for all that was compacted away. */
  isCompactSummary?: boolean;
  /** Not said by anybody: kept for the reader of the transcript. */
  is_meta?: boolean;
  /** A command that was run beside the conversation, or its output. */
  isCompletedLocalCommand?: boolean;
  /** Who sent it, where that was not the user. */
  origin?: SDKMessageOrigin;
};

/** Where to look for a session that is to be changed. */
export type SessionMutationOptions = {
  /** The project's directory; omitted, all projects are searched. */
  dir?: string;
  sessionStore?: SessionStore;
};

/** How to read one session's facts. */
export type GetSessionInfoOptions = SessionMutationOptions;

/** Which sessions to list. */
export type ListSessionsOptions = SessionMutationOptions & {
  limit?: number;
  offset?: number;
  /** Default true. */
  includeWorktrees?: boolean;
  /** Sessions started by programs, not by people. Default true. */
  includeProgrammatic?: boolean;
};

/** Which messages of a session to read. */
export type GetSessionMessagesOptions = SessionMutationOptions & {
  limit?: number;
  offset?: number;
  includeSystemMessages?: boolean;
};

/** Where to look for the subagents of a session. */
export type ListSubagentsOptions = SessionMutationOptions;

/** Which messages of a subagent to read. */
export type GetSubagentMessagesOptions = SessionMutationOptions & {
  limit?: number;
  offset?: number;
};

/** How to copy a session. */
export type ForkSessionOptions = SessionMutationOptions & {
  /** The last message to copy; omitted, all are copied. */
  upToMessageId?: string;
  /** Default: the old title and " (fork)". */
  title?: string;
};

/** The copy. */
export type ForkSessionResult = {
  sessionId: string;
};

/** How to copy a session on disk into a store. */
export type ImportSessionToStoreOptions = {
  dir?: string;
  /** Default true. */
  includeSubagents?: boolean;
  /** Entries per `append`. Default 500. */
  batchSize?: number;
};

/** New lines of transcripts, sent to an SDK that keeps a store. */
export type TranscriptMirrorFrame = {
  type: 'transcript_mirror';
  /** `<config>/projects/<projectKey>/<sessionId>.jsonl`, or a subagent's file below it. */
  filePath: string;
  entries: SessionStoreEntry[];
  uuid?: Uuid;
  session_id?: string;
};
