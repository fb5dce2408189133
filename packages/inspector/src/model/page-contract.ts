// What the page and its server say to each other, besides events. Types only.
import type { ClusterFigures } from './cluster-figures.js';
import type { SessionSummary } from './session-summary.js';
import type { Decision, Question } from '../stream/question.js';

/** What a page is told first. */
export interface ServerState {
  /** `live` is a running process, `files` are recordings. */
  kind: 'live' | 'files';
  /** The version of this package. */
  version: string;
  isReadOnly: boolean;
  /** Names the process or the folder. */
  title: string;
  /** Why tools cannot be called by hand; undefined where they can. */
  noToolsBecause: string | undefined;
  sessions: SessionSummary[];
  questions: Question[];
  /** Of a cluster: its numbers. */
  cluster?: ClusterFigures | undefined;
  /** What was left out of a self-contained page, and how to see it. */
  leftOut?: string | undefined;
}

/** What a page asks its server to do. */
export type Action =
  | { action: 'answer'; session: string; id: string; decision: Decision }
  | { action: 'reveal'; session: string; id: string }
  | { action: 'send'; session: string; text: string }
  | { action: 'interrupt'; session: string }
  | { action: 'set-model'; session: string; model: string }
  | { action: 'set-mode'; session: string; mode: string }
  | { action: 'rewind'; session: string; messageId: string; dryRun: boolean }
  | { action: 'call-tool'; session: string; server: string; tool: string; input: Record<string, unknown> }
  | { action: 'create-link' };

/** How it went. `result` is, by action: the real input (`reveal`), the MCP result with `durationMs` (`call-tool`), `{ url }` (`create-link`), the CLI's answer (`rewind`). */
export type ActionResult = { ok: true; result?: unknown } | { ok: false; error: ActionError };

/** Why not. */
export interface ActionError {
  code: string;
  message: string;
  /** What is wrong where, for inputs that do not fit their schema. */
  issues?: readonly { path: readonly (string | number)[]; message: string }[] | undefined;
}

/** A part of a session's events, by number. */
export interface EventBatch {
  /** Encoded events, see `event-codec.ts`. */
  lines: readonly string[];
  /** The number after which to go on; undefined when there is nothing more for now. */
  next: number | undefined;
  /** How many there are about, for progress; undefined while nobody knows. */
  total?: number | undefined;
}

/** Messages on the server-sent stream, by the name of their event. `event` carries one encoded event and its number as id. */
export interface StreamMessages {
  event: string;
  summary: SessionSummary;
  question: Question;
  settled: { session: string; id: string };
  cluster: ClusterFigures;
  state: ServerState;
  /** The server ends, and meant to: nothing more will come from it. */
  closed: true;
}
