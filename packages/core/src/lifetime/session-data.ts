// The data of a session: what was found, what was deleted, what was kept and why. Types only.
import type { Approval } from '../answer/permissions/approvals/approval.js';
import type { SDKSessionInfo } from '../wire/protocol/config/past-sessions.js';
import type { SessionStore } from '../wire/protocol/config/session-store.js';

/**
 * The kind of a piece of data. `session-files` is the folder beside a transcript (subagents, saved tool results).
 * `call-records` is what Inboard recorded of the calls of your tools, in that folder or in a store. `other` is
 * something of the CLI's that this version has no name for.
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
  /** A path; for stores and approvals, which of the given ones, and the key or id in it. */
  place: string;
  /** Bytes on disk, for a folder including its contents; undefined for stores and approvals. */
  bytes?: number | undefined;
  /** Other sessions that the same file contains. */
  sharedWith?: string[] | undefined;
}

/** A place that could not be searched, or only in part: its contents are unknown. */
export interface SessionDataProblem {
  place: string;
  message: string;
}

/** What was found. */
export interface SessionData {
  /** The sessions that were looked for, whether or not anything of them was found. */
  sessionIds: string[];
  items: SessionDataItem[];
  problems: SessionDataProblem[];
}

/**
 * Why something was not deleted. `running`: the session has a CLI, or the folder has a process. `shared`: the file also
 * contains other sessions. `outside`: a symbolic link leads out of the place. `written-again`: it was there again
 * afterwards.
 */
export type KeptReason = 'running' | 'shared' | 'outside' | 'not-supported' | 'failed' | 'written-again';

/** A piece of data that is still there. */
export interface KeptSessionData extends SessionDataItem {
  reason: KeptReason;
  /** What to do about it. */
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

/** Which sessions, if you do not know their ids. All given conditions must hold. */
export interface SessionDataFilter {
  /** The tag that `tagSession` set, wherever in the transcript it is. */
  tag?: string | undefined;
  /** The project's directory: sessions on disk, and in stores those of the same directory. */
  dir?: string | undefined;
  /** The project's key in the given stores. Sessions that are in none of them do not match. */
  projectKey?: string | undefined;
  /** Called for every session; a session without a summary has an empty one. */
  where?: ((session: SDKSessionInfo) => boolean | Promise<boolean>) | undefined;
}

/** A session store, and the project in it: by its key, or by its directory. Default: the working directory of this process. */
export interface SessionStorePlace {
  store: SessionStore;
  projectKey?: string | undefined;
  dir?: string | undefined;
}

/** Where questions and answers are: what `createApprovals()` returned, or a store of them. */
export interface ApprovalPlace {
  list(options?: { answered?: boolean | undefined }): Promise<Approval[]>;
  remove(id: string): Promise<void>;
}

/** Where to look. The folders of the CLI are always searched. */
export interface FindSessionDataOptions {
  /**
   * The environment of the CLI that ran the sessions, as in the option `env`: it determines where its folders are.
   * Default: that of this process.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Trace files, and folders of them. Default: what INBOARD_TRACE names in that environment. */
  traces?: string | readonly string[] | undefined;
  sessionStores?: readonly SessionStorePlace[] | undefined;
  approvals?: readonly ApprovalPlace[] | undefined;
  /** Further questions that belong to the sessions, such as those asked before they had a `sessionId`. */
  matchApproval?: ((approval: Approval) => boolean) | undefined;
  /** Whether to include sessions with the same messages: forks of a session, and its original. Default false. */
  copies?: boolean | undefined;
}

/** How to delete. */
export interface DeleteSessionDataOptions extends FindSessionDataOptions {
  /** Deletes nothing, and reports what would be deleted. Default false. */
  dryRun?: boolean | undefined;
  /** What to do with traces and logs that also contain other sessions. Default `keep`. */
  sharedFiles?: 'keep' | 'delete' | undefined;
}
