// The types of past sessions: what is known about a session, its messages, and the options of the functions for them.
import type { SDKMessageOrigin } from '../messages/message-values.js';
import type { SessionStore } from './session-store.js';

/** What is known about a session without reading all of it. */
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
  /** Whether the message is the summary that replaces the turns that were compacted. */
  isCompactSummary?: boolean;
  /** Whether the message is not part of the conversation, but only kept for readers of the transcript. */
  is_meta?: boolean;
  /** Whether the message is a command that ran outside the conversation, or the output of such a command. */
  isCompletedLocalCommand?: boolean;
  /** The sender, if it was not the user. */
  origin?: SDKMessageOrigin;
};

/** Where to look for the session to change. */
export type SessionMutationOptions = {
  /** The project's directory. Default: all projects are searched. */
  dir?: string | undefined;
  sessionStore?: SessionStore | undefined;
  /** The project's key in `sessionStore`, as in the option of the same name. Default: derived from the directory. */
  projectKey?: string | undefined;
  /**
   * The environment of the CLI that wrote the session, as in the option `env`. It determines where transcripts are.
   * Default: the environment of this process.
   */
  env?: Readonly<Record<string, string | undefined>> | undefined;
};

/** Where to look for the session to describe. */
export type GetSessionInfoOptions = SessionMutationOptions;

/** Which sessions to list. */
export type ListSessionsOptions = SessionMutationOptions & {
  limit?: number | undefined;
  offset?: number | undefined;
  /** Whether to list sessions of the project's other worktrees. Default true. */
  includeWorktrees?: boolean | undefined;
  /** Whether to list sessions that were started by programs, not by people. Default true. */
  includeProgrammatic?: boolean | undefined;
};

/** Which messages of a session to read. */
export type GetSessionMessagesOptions = SessionMutationOptions & {
  limit?: number | undefined;
  offset?: number | undefined;
  includeSystemMessages?: boolean | undefined;
};

/** Where to look for the subagents of a session. */
export type ListSubagentsOptions = SessionMutationOptions;

/** Which messages of a subagent to read. */
export type GetSubagentMessagesOptions = SessionMutationOptions & {
  limit?: number | undefined;
  offset?: number | undefined;
};

/** How to copy a session. */
export type ForkSessionOptions = SessionMutationOptions & {
  /** The last message to copy. Default: all messages are copied. */
  upToMessageId?: string | undefined;
  /** The title of the copy. Default: the old title with " (fork)" added. */
  title?: string | undefined;
};

/** The session that forking created. */
export type ForkSessionResult = { sessionId: string };

/** How to copy a session on disk into a store. */
export type ImportSessionToStoreOptions = {
  dir?: string | undefined;
  /** The project's key in the store. Default: derived from its directory. */
  projectKey?: string | undefined;
  /** Whether to copy the transcripts of subagents, too. Default true. */
  includeSubagents?: boolean | undefined;
  /** Entries per `append`. Default 500. */
  batchSize?: number | undefined;
};
