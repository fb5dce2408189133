// Decides which sessions the fleet view shows, and in which order.
import type { SessionActivity, SessionSummary } from '../session-summary.js';
import { findWords, splitWords } from './session-search.js';

export const SESSION_ORDERS = [
  'attention',
  'started',
  'activity',
  'cost',
  'duration',
  'errors',
  'title',
] as const;
export type SessionOrder = (typeof SESSION_ORDERS)[number];

/**
 * Groups of states to filter by. A session in `waiting` waits for a person. One in `running` is starting, working, or idle
 * with a CLI. Only conversations of a cluster are in `queued` or `idle`. Recordings without an end are in `failed`.
 */
export const STATE_GROUPS = ['waiting', 'running', 'queued', 'idle', 'ended', 'failed'] as const;
export type StateGroup = (typeof STATE_GROUPS)[number];

/** A filter for sessions; a session must pass every part. */
export interface SessionFilter {
  /** Words that must all occur in the facts about a session. */
  text: string;
  /** The groups to show; an empty list shows all. */
  groups: readonly StateGroup[];
  model: string | undefined;
  onlyErrors: boolean;
}

/** A filter that lets everything through. */
export const NO_SESSION_FILTER: SessionFilter = { text: '', groups: [], model: undefined, onlyErrors: false };

const GROUP_OF: Record<SessionActivity, StateGroup> = {
  starting: 'running',
  queued: 'queued',
  working: 'running',
  idle: 'running',
  waiting: 'waiting',
  ended: 'ended',
  failed: 'failed',
  cut: 'failed',
};

/** The group of a session. An open question puts it into `waiting`, whatever its state. */
export function groupOf({
  state,
  waiting,
  conversation,
}: Pick<SessionSummary, 'state' | 'waiting' | 'conversation'>): StateGroup {
  if (waiting > 0) return 'waiting';
  // An idle session has a running CLI. An idle conversation of a cluster is only stored in the journal.
  return state === 'idle' && conversation ? 'idle' : GROUP_OF[state];
}

/** The time of the last activity, in milliseconds since 1970; 0 if the start is not known. */
export function lastActivity({ startedAt, durationMs }: SessionSummary): number {
  const started = Date.parse(startedAt);
  return Number.isNaN(started) ? 0 : started + durationMs;
}

/** The sessions that pass the filter; their order stays. `toolsOf` names the tools of sessions whose events were read. */
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

/** Sorts sessions. Equal ones keep their order, so that rows do not jump. */
export function sortSessions(sessions: readonly SessionSummary[], order: SessionOrder): SessionSummary[] {
  const compare = COMPARE[order];
  return sessions.toSorted(compare);
}

/** The sessions in an order of ids that was shown before; those that were not there come last, in their present order. */
export function holdOrder(sessions: readonly SessionSummary[], ids: readonly string[]): SessionSummary[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: SessionSummary): number => places.get(id) ?? ids.length;
  return sessions.toSorted((one, other) => placeOf(one) - placeOf(other));
}

type Compare = (one: SessionSummary, other: SessionSummary) => number;

/** How much the sessions of a group ask for attention, the most first. */
const BY_ATTENTION: readonly StateGroup[] = ['waiting', 'failed', 'running', 'queued', 'idle', 'ended'];

/** The place of a session in the order of attention: 0 if a person is waited for. A result may come from any process. */
function attentionOf(session: SessionSummary): number {
  const { waitsFor = [] } = session;
  const isForResult = waitsFor.includes('pending') && !waitsFor.includes('person');
  return BY_ATTENTION.indexOf(isForResult ? 'running' : groupOf(session));
}

const COMPARE: Record<SessionOrder, Compare> = {
  attention: (one, other) => attentionOf(one) - attentionOf(other) || startOf(other) - startOf(one),
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
