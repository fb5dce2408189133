// Which sessions of a fleet are shown, and in which order.
import type { SessionState, SessionSummary } from '../session-summary.js';
import { findWords, splitWords } from './session-search.js';

/** What the sessions can be put in order by. */
export const SESSION_ORDERS = ['started', 'activity', 'cost', 'duration', 'errors', 'title'] as const;
export type SessionOrder = (typeof SESSION_ORDERS)[number];

/** Groups of states that people think in. `waiting` needs somebody, `running` has not ended; of a cluster, `queued` and `idle` are groups of their own. */
export const STATE_GROUPS = ['waiting', 'running', 'queued', 'idle', 'ended', 'failed'] as const;
export type StateGroup = (typeof STATE_GROUPS)[number];

/** What is asked for; each part narrows it. */
export interface SessionFilter {
  /** Words that must all stand in what is known of a session. */
  text: string;
  /** Any of these; none is all. */
  groups: readonly StateGroup[];
  model: string | undefined;
  onlyErrors: boolean;
}

/** A filter that lets everything through. */
export const NO_FILTER: SessionFilter = { text: '', groups: [], model: undefined, onlyErrors: false };

const GROUP_OF: Record<SessionState, StateGroup> = {
  starting: 'running',
  queued: 'queued',
  working: 'running',
  idle: 'running',
  waiting: 'waiting',
  ended: 'ended',
  failed: 'failed',
  cut: 'failed',
};

/** The group a session is in. Somebody who is needed comes before everything else. */
export function groupOf({
  state,
  waiting,
  conversation,
}: Pick<SessionSummary, 'state' | 'waiting' | 'conversation'>): StateGroup {
  if (waiting > 0) return 'waiting';
  // An idle session is a CLI that runs; an idle conversation of a cluster is rows in a journal.
  return state === 'idle' && conversation ? 'idle' : GROUP_OF[state];
}

/** When something was last heard of it, in milliseconds since the epoch; 0 where nobody knows. */
export function lastActivity({ startedAt, durationMs }: SessionSummary): number {
  const started = Date.parse(startedAt);
  return Number.isNaN(started) ? 0 : started + durationMs;
}

/** The sessions that pass, in their order. `toolsOf` names the tools of those whose events were read. */
export function filterSessions(
  sessions: readonly SessionSummary[],
  filter: SessionFilter,
  toolsOf: (id: string) => readonly string[] = () => [],
): SessionSummary[] {
  const words = splitWords(filter.text);
  return sessions.filter(
    (session) =>
      (filter.groups.length === 0 || filter.groups.includes(groupOf(session))) &&
      (filter.model === undefined || session.model === filter.model) &&
      (!filter.onlyErrors || session.errors > 0) &&
      (words.length === 0 || findWords(session, words, toolsOf(session.id)) !== undefined),
  );
}

/** The same sessions in order; those that are equal in it keep the order they came in, so that nothing jumps. */
export function sortSessions(sessions: readonly SessionSummary[], order: SessionOrder): SessionSummary[] {
  const compare = COMPARE[order];
  return sessions.toSorted(compare);
}

type Compare = (one: SessionSummary, other: SessionSummary) => number;

const COMPARE: Record<SessionOrder, Compare> = {
  started: (one, other) => startOf(other) - startOf(one),
  activity: (one, other) => lastActivity(other) - lastActivity(one),
  cost: (one, other) => (other.costUsd ?? -1) - (one.costUsd ?? -1),
  duration: (one, other) => other.durationMs - one.durationMs,
  errors: (one, other) => other.errors - one.errors,
  title: (one, other) => one.title.localeCompare(other.title, 'en', { numeric: true }),
};

function startOf({ startedAt }: SessionSummary): number {
  const started = Date.parse(startedAt);
  return Number.isNaN(started) ? 0 : started;
}
