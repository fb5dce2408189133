// Where a page has its data from: a server, or the file it stands in. Types only.
import type { ClusterFigures } from '../model/cluster-figures.js';
import type { Action, ActionResult, EventBatch, ServerState } from '../model/page-contract.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { Question } from '../stream/question.js';

/**
 * How the page stands with its source. `lost` is for a moment, `gone` for longer: both are tried again. `refused` is not: the
 * server no longer knows this browser.
 */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'gone' | 'refused';

/** What a page hears while it is connected. */
export interface PageListener {
  state(state: ServerState): void;
  event(line: string): void;
  summary(summary: SessionSummary): void;
  asked(question: Question): void;
  settled(session: string, id: string): void;
  /** The numbers of the cluster. */
  cluster(figures: ClusterFigures): void;
  /** `lost` comes again with every failed attempt; `live` once it stands. */
  connection(state: ConnectionState): void;
}

/** Data and deeds. What reads rejects with a `SourceFailure` when the source cannot be reached. */
export interface PageSource {
  readonly kind: 'served' | 'embedded';
  state(): Promise<ServerState>;
  read(session: string, after: number, limit: number): Promise<EventBatch>;
  /** The exact line of an event, whole. */
  readWhole(session: string, n: number): Promise<string | undefined>;
  /** Follows the fleet, and one session's events after a number; connects again by itself from where it was. */
  follow(at: { session: string | undefined; after: number }, listener: PageListener): () => void;
  /** Never rejects: a server that cannot be reached is an answer as well. */
  act(action: Action): Promise<ActionResult>;
}
