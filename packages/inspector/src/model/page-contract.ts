// The messages between the page and its server. How events are encoded is in `event-codec.ts`. Types only.
import type { ClusterFigures } from './cluster-figures.js';
import type { SessionSummary } from './session-summary.js';
import type { Decision, Question } from '../stream/question.js';

/** All that the server knows, besides events. A page gets it first, and again after changes that were not sent singly. */
export interface ServerState {
  /** `live` is a running process or a cluster, `files` are recordings. */
  kind: 'live' | 'files';
  /** The version of this package. */
  version: string;
  isReadOnly: boolean;
  /** The title that the caller gave, or the name of the process, file or folder. */
  title: string;
  /** Why tools cannot be called by hand; undefined if they can. */
  noToolsBecause: string | undefined;
  sessions: SessionSummary[];
  questions: Question[];
  /** The figures of the cluster; undefined if the page shows something else. */
  cluster?: ClusterFigures | undefined;
  /** Whether the page can ask for an audit. */
  hasAudit?: boolean | undefined;
  /** What was left out of a self-contained page, and how to see it. */
  leftOut?: string | undefined;
  /** The program whose sessions these are; undefined for recordings. */
  program?: InspectedProgram | undefined;
  /** How the program ended. Only a self-contained page that was saved after the end has it. */
  end?: ServerEnd | undefined;
}

/** What a page says of the program behind it once that has ended. */
export interface InspectedProgram {
  /** The command that runs the same program and records it; undefined if other programs run the sessions. */
  recordCommand: string | undefined;
  /** Whether the program has done its work, and only waits until its pages are closed. */
  isHeld?: true | undefined;
}

/** The last that a page hears of its server. */
export interface ServerEnd {
  /** The inspector was `closed`, or its process ended by an `exit`. `silent`: it sent no end, and does not answer. */
  how: 'closed' | 'exit' | 'silent';
  exitCode?: number | undefined;
  /** The error that ended the program, in one line, without hidden values. */
  error?: string | undefined;
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

/**
 * The result of an action. After `reveal`, `result` is the real input; after `call-tool`, the MCP result with `durationMs`;
 * after `create-link`, `{ url }`; after `rewind`, the CLI's answer.
 */
export type ActionResult = { ok: true; result?: unknown } | { ok: false; error: ActionError };

/** Why an action failed. */
export interface ActionError {
  code: string;
  message: string;
  /** The mistakes in an input, by path. */
  issues?: readonly { path: readonly (string | number)[]; message: string }[] | undefined;
}

/** A part of a session's events, by number. */
export interface EventBatch {
  /** Encoded events, see `event-codec.ts`. */
  lines: readonly string[];
  /** The number after which to continue; undefined if there are no more events now. */
  next: number | undefined;
  /** About how many events there are, to show progress; undefined if not known. */
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
  /** No more messages will come. */
  closed: ServerEnd;
}
