// One session on one line: what the header and the fleet say about it. Types only; `summarize-session.ts` makes them.
import type { ConversationFigures } from './cluster-figures.js';
import type { SessionKind } from '../stream/inspector-event.js';
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';

/** What a session is doing. `queued` waits for a worker of a cluster, `waiting` for a person; `cut` is a recording that ends in the middle. */
export type SessionState =
  'starting' | 'queued' | 'working' | 'waiting' | 'idle' | 'ended' | 'failed' | 'cut';

/** Tokens, each counted once. */
export interface TokenCount {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** A session, summed up. */
export interface SessionSummary {
  id: string;
  kind: SessionKind;
  /** The name it was given, else its first prompt, else its id. */
  title: string;
  /** Of a recording: its path, as it was given. */
  file?: string | undefined;
  state: SessionState;
  /** How it ended, or what it waits for, in a few words. */
  stateText: string;
  /** The conversation's id, once the CLI told it. */
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
  /** Undefined until a result says it. */
  costUsd: number | undefined;
  /** Failed calls, failed turns, faults: each once. */
  errors: number;
  /** Questions that wait now. */
  waiting: number;
  events: number;
  shares: TimeShares;
  /** The first prompt and the last answer, shortened. */
  prompt: string;
  answer: string;
  /** Of a conversation of a cluster. */
  conversation?: ConversationFigures | undefined;
  /** What the page may do with it now. */
  can: { send: boolean; interrupt: boolean; setModel: boolean; setMode: boolean; rewind: boolean };
}
