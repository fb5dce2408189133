// The source of a server's sessions: this process, recordings, or the journal of a cluster. Types only.
import type { AuditPart, AuditQuery } from '../model/audit-part.js';
import type { ClusterFigures } from '../model/cluster-figures.js';
import type { Action, ActionResult, EventBatch } from '../model/page-contract.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { Question } from '../stream/question.js';

/** Is called on changes. Every method must return at once. */
export interface SourceListener {
  /** New events of a session, encoded, in order. `first` is the number of the first. */
  events(session: string, first: number, lines: readonly string[]): void;
  summary(summary: SessionSummary): void;
  asked(question: Question): void;
  settled(session: string, id: string): void;
  cluster?(figures: ClusterFigures): void;
  /** The session whose events the listener wants. A source need not report the events of others. */
  readonly session?: string | undefined;
  /** Sessions were replaced or removed, so the listener must read all of them again. */
  changed?(): void;
}

/** A set of sessions. Its creator closes it. */
export interface SessionSource {
  readonly kind: 'live' | 'files';
  readonly title: string;
  /** Why tools cannot be called by hand; undefined if they can. */
  readonly noToolsBecause: string | undefined;
  sessions(): SessionSummary[];
  questions(): Question[];
  /** The figures of the cluster whose conversations these are. */
  cluster?(): ClusterFigures | undefined;
  /** Whether there is an audit of these sessions; then there is `audit`. */
  readonly hasAudit?: boolean;
  /** Who did what to the sessions. Never rejects: what went wrong is part of the answer. */
  audit?(query: AuditQuery): Promise<AuditPart>;
  /** The events of a session after a number. Resolves with none for an unknown session. */
  read(session: string, after: number, limit: number): Promise<EventBatch>;
  /** One whole event as it was recorded, without cuts; undefined if it is unknown. */
  readWhole(session: string, n: number): Promise<string | undefined>;
  watch(listener: SourceListener): () => void;
  /** Carries out an action of a page. The server has checked that the page may do it. Never rejects. */
  act(action: Exclude<Action, { action: 'create-link' }>): Promise<ActionResult>;
  /** Removes hidden values from a text about the program; absent where nobody can tell what they are. */
  redact?(text: string): string;
  close(): Promise<void>;
}
