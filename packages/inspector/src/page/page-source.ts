// The source of a page's data: a server, or the file that contains the page. Types only.
import type { AuditPart, AuditQuery } from '../model/audit-part.js';
import type { ClusterFigures } from '../model/cluster-figures.js';
import type { Action, ActionResult, EventBatch, ServerEnd, ServerState } from '../model/page-contract.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { Question } from '../stream/question.js';
import type { KeptLines } from './source/kept-lines.js';

/**
 * The connection of the page to its source. It is `lost` for a moment or `gone` for longer; in both, the page tries again. In
 * `refused`, the server no longer knows this browser, and the page does not try again.
 */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'gone' | 'refused';

/** Receives messages while the page is connected. */
export interface PageListener {
  state(state: ServerState): void;
  event(line: string): void;
  summary(summary: SessionSummary): void;
  asked(question: Question): void;
  settled(session: string, id: string): void;
  cluster(figures: ClusterFigures): void;
  /** Is called before the connection is `gone`, with what is known of the server's end. */
  ended(end: ServerEnd): void;
  /** Is called when the state changes, and with `lost` or `gone` after every failed attempt. */
  connection(state: ConnectionState): void;
}

/** Reads data and carries out actions. Methods that read reject with a `SourceFailure` if the source cannot be reached. */
export interface PageSource {
  readonly kind: 'served' | 'embedded';
  state(): Promise<ServerState>;
  read(session: string, after: number, limit: number): Promise<EventBatch>;
  /** The line of an event, as complete as the source has it; undefined if the event is gone. */
  readWhole(session: string, n: number): Promise<string | undefined>;
  /** A part of the audit. Only a server has one, and only if its state has `hasAudit`. */
  audit?(query: AuditQuery): Promise<AuditPart>;
  /** Follows the fleet, and one session's events after a number. Reconnects by itself and continues after the last event. */
  follow(at: { session: string | undefined; after: number }, listener: PageListener): () => void;
  /** What was read so far and can be saved; absent where nothing has to be. */
  readonly kept?: KeptLines;
  /** The page without data, to save it with. It must be asked for while the server runs. */
  blankPage?(): Promise<string>;
  /** Carries out an action. Never rejects; an unreachable server gives a failed result. */
  act(action: Action): Promise<ActionResult>;
}
