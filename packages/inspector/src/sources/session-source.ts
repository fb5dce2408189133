// Where a server has its sessions from: this process, recordings, or the journal of a cluster. Types only.
import type { ClusterFigures } from '../model/cluster-figures.js';
import type { Action, ActionResult, EventBatch } from '../model/page-contract.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { Question } from '../stream/question.js';

/** Told of what changes; every method returns at once. */
export interface SourceListener {
  /** New events of a session, encoded, in order. `first` is the number of the first. */
  events(session: string, first: number, lines: readonly string[]): void;
  summary(summary: SessionSummary): void;
  asked(question: Question): void;
  settled(session: string, id: string): void;
  /** The numbers of the cluster. */
  cluster?(figures: ClusterFigures): void;
  /** The session whose events it wants; of others it leaves them out. */
  readonly session?: string | undefined;
  /** Sessions were replaced or are gone: everything about them is to be asked anew. */
  changed?(): void;
}

/** A set of sessions; whoever makes one closes it. */
export interface SessionSource {
  readonly kind: 'live' | 'files';
  readonly title: string;
  /** Why tools cannot be called by hand; undefined where they can. */
  readonly noToolsBecause: string | undefined;
  sessions(): SessionSummary[];
  questions(): Question[];
  /** The numbers of the cluster whose conversations these are. */
  cluster?(): ClusterFigures | undefined;
  /** Events of a session after a number. Resolves with none for a session that is not known. */
  read(session: string, after: number, limit: number): Promise<EventBatch>;
  /** One whole event as it was recorded, without cuts; undefined where it is not known. */
  readWhole(session: string, n: number): Promise<string | undefined>;
  watch(listener: SourceListener): () => void;
  /** Carries out what a page asks for; the server has seen to it that it may. Never rejects. */
  act(action: Exclude<Action, { action: 'create-link' }>): Promise<ActionResult>;
  close(): Promise<void>;
}
