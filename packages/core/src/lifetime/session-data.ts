// The public types for finding and deleting the data of sessions.
import type { Approval } from '../answer/permissions/approvals/approval.js';
import type { SDKSessionInfo } from '../wire/protocol/config/past-sessions.js';
import type { SessionStore } from '../wire/protocol/config/session-store.js';

/**
 * The kind of a piece of data. `session-files` is the folder beside a transcript (subagents, saved tool results).
 * `call-records` is what Inboard recorded about calls of your tools, in that folder or in a store. `other` is data of
 * the CLI that this version of Inboard has no name for.
 */
export type SessionDataKind =
  | 'transcript'
  | 'session-files'
  | 'call-records'
  | 'file-history'
  | 'tasks'
  | 'todos'
  | 'plan'
  | 'debug-log'
  | 'telemetry'
  | 'session-env'
  | 'process-note'
  | 'mcp-log'
  | 'task-output'
  | 'resumed-copy'
  | 'trace'
  | 'trace-page'
  | 'stored-transcript'
  | 'approval'
  | 'other';

/** One piece of data of one session. */
export interface SessionDataItem {
  sessionId: string;
  kind: SessionDataKind;
  /** A path. For a store or approvals: which of the given ones it is, and the key or id there. */
  place: string;
  /** The bytes on disk; for a folder, those of its contents. Undefined for stores and approvals. */
  bytes?: number | undefined;
  /** Other sessions that the same file belongs to. */
  sharedWith?: string[] | undefined;
}

/** A place that could not be searched, wholly or in part, so it may contain more data of the sessions. */
export interface SessionDataProblem {
  place: string;
  message: string;
}

/** What `findSessionData()` found. */
export interface SessionData {
  /** The sessions that were looked for, whether or not anything of them was found. */
  sessionIds: string[];
  items: SessionDataItem[];
  problems: SessionDataProblem[];
}

/**
 * Why something was not deleted. `running`: the session has a running CLI, or a process still uses the folder. `shared`:
 * the file also belongs to other sessions. `outside`: a symbolic link leads out of the folder that was searched.
 * `not-supported`: the store cannot delete. `failed`: deleting it failed. `written-again`: it existed again afterwards.
 */
export type KeptReason = 'running' | 'shared' | 'outside' | 'not-supported' | 'failed' | 'written-again';

/** A piece of data that is still there. */
export interface KeptSessionData extends SessionDataItem {
  reason: KeptReason;
  /** Why it was not deleted, and often what to do about it. */
  message: string;
}

/** What a deletion did. */
export interface DeletedSessionData {
  sessionIds: string[];
  /** With `dryRun`, what would have been deleted. */
  deleted: SessionDataItem[];
  kept: KeptSessionData[];
  problems: SessionDataProblem[];
  isDryRun: boolean;
}

/** Chooses sessions whose ids you do not know. A session must meet all given conditions. */
export interface SessionDataFilter {
  /** The tag that `tagSession` set. */
  tag?: string | undefined;
  /** The project's directory. It applies to sessions on disk and in stores. */
  dir?: string | undefined;
  /** The project's key in the given session stores. Sessions that are in none of these stores do not match. */
  projectKey?: string | undefined;
  /** Called for every session that meets the other conditions. If a session has no summary, its summary is ''. */
  where?: ((session: SDKSessionInfo) => boolean | Promise<boolean>) | undefined;
}

/** A session store, and a project in it: by key or by directory. Default: the working directory of this process. */
export interface SessionStorePlace {
  store: SessionStore;
  projectKey?: string | undefined;
  dir?: string | undefined;
}

/** Where questions to people and their answers are: the value that `createApprovals()` returned, or an approval store. */
export interface ApprovalPlace {
  list(options?: { answered?: boolean | undefined }): Promise<Approval[]>;
  remove(id: string): Promise<void>;
}

/** Where to look. The folders of the CLI are always searched. */
export interface FindSessionDataOptions {
  /**
   * The environment of the CLI that ran the sessions, as in the option `env`. It determines where the CLI's folders are.
   * Default: the environment of this process.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Trace files, and folders with trace files. Default: what INBOARD_TRACE names in that environment. */
  traces?: string | readonly string[] | undefined;
  sessionStores?: readonly SessionStorePlace[] | undefined;
  approvals?: readonly ApprovalPlace[] | undefined;
  /** Chooses further questions that belong to the sessions, such as those asked before they had a `sessionId`. */
  matchApproval?: ((approval: Approval) => boolean) | undefined;
  /** Whether to include sessions that share messages with a chosen one: its forks, and its original. Default: false. */
  copies?: boolean | undefined;
}

/** Where to look, and how to delete. */
export interface DeleteSessionDataOptions extends FindSessionDataOptions {
  /** Deletes nothing, and reports what would be deleted. Default false. */
  dryRun?: boolean | undefined;
  /** What to do with files that also belong to other sessions, such as traces and logs. Default `keep`. */
  sharedFiles?: 'keep' | 'delete' | undefined;
}
