// The parts that a cluster gives its workers: journal, dispatcher, agents, budgets and telemetry.
import type { PriceTable } from '@inboard/core/record/usage/usage-count.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { Dispatcher } from '../../dispatch/dispatcher.js';
import type { Journal } from '../../journal/journal.js';
import type { ConversationRecord, TurnOutcome, TurnRecord } from '../../journal/records.js';
import type { BudgetDecision, BudgetFacts } from '../../limits/budgets.js';
import type { Agents } from './agents.js';
import type { WorkerEvent } from './worker-event.js';

/** Spans and metrics of a cluster. `clusterTelemetry()` of `inboard/otel` creates one. */
export interface ClusterTelemetry {
  /** Stores a message inside a span: calls `run`, with the trace that the turn carries to its worker. */
  send<T>(turn: { key: string; id: string }, run: (trace: string | undefined) => Promise<T>): Promise<T>;
  /** Works on a turn inside a span: calls `run` in the trace that the turn carries. */
  turn<T>(turn: TurnRecord, conversation: ConversationRecord, run: () => Promise<T>): Promise<T>;
  /** Returns the options with the telemetry of the session added. Called inside `turn`. */
  options(options: QueryOptions): QueryOptions;
  event(event: WorkerEvent): void;
}

/** Everything that a worker needs. */
export interface HostParts {
  journal: Journal;
  dispatcher: Dispatcher;
  agents: Agents;
  admit: (turn: TurnRecord, conversation: ConversationRecord, facts: BudgetFacts) => Promise<BudgetDecision>;
  /** Prices to work out costs from transcripts. */
  prices?: PriceTable | undefined;
  telemetry?: ClusterTelemetry | undefined;
  /** Called when the journal has taken the report of a worker. */
  onReported?: (() => void) | undefined;
  /**
   * Called before the journal is asked to end a turn. The worker calls the returned function with the outcome, or with nothing
   * if the journal did not accept it.
   */
  onTurnEnding?: ((turn: TurnRecord) => (outcome?: TurnOutcome) => void) | undefined;
}
