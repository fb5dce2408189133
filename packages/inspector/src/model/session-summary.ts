// The summary of a session, which the header and the fleet view show. Types only; `summary-ledger.ts` makes it.
import type { ConversationFigures } from './cluster-figures.js';
import type { SessionKind, WaitedFor } from '../stream/inspector-event.js';
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';

/** The state of a session. `queued` waits for a worker, `waiting` for a person or a result; `cut` is a recording without an end. */
export type SessionActivity =
  'starting' | 'queued' | 'working' | 'waiting' | 'idle' | 'ended' | 'failed' | 'cut';

/** Tokens, each counted once. */
export interface TokenCount {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** The summary of a session. */
export interface SessionSummary {
  id: string;
  kind: SessionKind;
  /** The name it was given, else its first prompt, else its id. */
  title: string;
  /** The path of a recording, as it was given. */
  file?: string | undefined;
  state: SessionActivity;
  /** The state in a few words: what the session does, what it waits for, or how it ended. */
  stateText: string;
  /** The CLI's id of the session; undefined until the CLI reports it. */
  sessionId: string | undefined;
  model: string | undefined;
  permissionMode: string | undefined;
  cwd: string | undefined;
  claudeCodeVersion: string | undefined;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  turns: number;
  tokens: TokenCount;
  /** In US dollars; undefined until a result reports it. */
  costUsd: number | undefined;
  /** The number of failed calls, failed turns and faults, each counted once. */
  errors: number;
  /** Questions that wait now. */
  waiting: number;
  /** What the session waits for; undefined if it waits for nothing. */
  waitsFor?: readonly WaitedFor[] | undefined;
  /** Set while there is no CLI, because the session does not need one at the moment. */
  isSuspended?: boolean | undefined;
  events: number;
  shares: TimeShares;
  /** The first prompt and the last answer, shortened. */
  prompt: string;
  answer: string;
  /** The figures of a conversation of a cluster. */
  conversation?: ConversationFigures | undefined;
  /** What the page may do with it now. */
  can: { send: boolean; interrupt: boolean; setModel: boolean; setMode: boolean; rewind: boolean };
}
