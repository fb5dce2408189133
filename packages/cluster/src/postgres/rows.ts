// Records from rows: which columns are read, and what they become. Times come as milliseconds.
import type {
  ApprovalAnswer,
  ApprovalQuestion,
} from '@inboard/core/answer/permissions/approvals/approval.js';
import { checkJson } from '../journal/check-names.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type {
  ClusterApproval,
  ClusterEvent,
  ClusterEventBody,
  ConversationFailure,
  ConversationRecord,
  ConversationState,
  ClusterTurnState,
  Json,
  TurnOutcome,
  TurnRecord,
} from '../journal/records.js';
import type { Row } from './database.js';

/** A time column as whole milliseconds since the epoch. */
export function ms(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::float8`;
}

/** The text in which a value is kept: PostgreSQL's own JSON has neither NUL nor lone surrogates. `what` names it where it has none. */
export function toText(what: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = stringifyDeep(value);
  } catch {
    // Told below; values are large, and written once.
  }
  if (text === undefined) checkJson(what, value);
  return text as string;
}

/** What was written by `toText`. */
export function fromText(text: unknown): Json {
  return JSON.parse(text as string) as Json;
}

/** Of `conversations c`. */
export function conversationColumns(schema: string): string {
  return `c.key, c.agent, c.data, c.tenant, c.session_id, c.state, c.turns, c.queued, c.cost_usd, c.failure, c.last_event,
    case when c.lease_until > clock_timestamp() then c.owner end as owner, c.epoch, ${ms('c.lease_until')} as lease_until,
    (select count(*) from ${schema}.questions q where q.conversation = c.number and q.answer is null) as questions,
    ${ms('c.created_at')} as created_at, ${ms('c.updated_at')} as updated_at, ${ms('c.closed_at')} as closed_at`;
}

export function readConversation(row: Row): ConversationRecord {
  const {
    owner,
    epoch,
    lease_until: expiresAt,
  } = row as { owner?: string; epoch: number; lease_until: number };
  return withoutUndefined({
    key: row['key'] as string,
    agent: row['agent'] as string,
    data: fromText(row['data']),
    tenant: (row['tenant'] ?? undefined) as string | undefined,
    sessionId: row['session_id'] as string,
    state: row['state'] as ConversationState,
    lease: typeof owner === 'string' ? { owner, epoch, expiresAt } : undefined,
    turns: row['turns'] as number,
    queued: row['queued'] as number,
    questions: row['questions'] as number,
    costUsd: row['cost_usd'] as number,
    failure:
      typeof row['failure'] === 'string'
        ? (fromText(row['failure']) as unknown as ConversationFailure)
        : undefined,
    lastEventId: row['last_event'] as number,
    createdAt: row['created_at'] as number,
    updatedAt: row['updated_at'] as number,
    closedAt: (row['closed_at'] ?? undefined) as number | undefined,
  });
}

/** Of `turns t`. */
export const TURN_COLUMNS = `t.id, t.place, t.uuid, t.content, t.state, t.attempt, t.tries, t.cost_usd, t.epoch, t.stop, t.trace,
  t.outcome, ${ms('t.not_before')} as not_before, ${ms('t.sent_at')} as sent_at, ${ms('t.started_at')} as started_at,
  ${ms('t.ended_at')} as ended_at`;

export function readTurn(key: string, row: Row): TurnRecord {
  return withoutUndefined({
    key,
    id: row['id'] as string,
    place: row['place'] as number,
    uuid: row['uuid'] as string,
    content: fromText(row['content']),
    state: row['state'] as ClusterTurnState,
    attempt: row['attempt'] as number,
    tries: row['tries'] as number,
    costUsd: row['cost_usd'] as number,
    epoch: row['epoch'] as number,
    notBefore: (row['not_before'] ?? undefined) as number | undefined,
    stop: row['stop'] === true ? ('interrupt' as const) : undefined,
    trace: typeof row['trace'] === 'string' ? (fromText(row['trace']) as string) : undefined,
    sentAt: row['sent_at'] as number,
    startedAt: (row['started_at'] ?? undefined) as number | undefined,
    endedAt: (row['ended_at'] ?? undefined) as number | undefined,
    outcome:
      typeof row['outcome'] === 'string' ? (fromText(row['outcome']) as unknown as TurnOutcome) : undefined,
  });
}

/** Of `events e`. */
export const EVENT_COLUMNS = `e.id, e.turn, ${ms('e.at')} as at, e.epoch, e.body`;

/** `body`: what the event says, where that is not what its row says. */
export function readEvent(key: string, row: Row, body: Json = fromText(row['body'])): ClusterEvent {
  return {
    ...(body as unknown as ClusterEventBody),
    id: row['id'] as number,
    key,
    turn: row['turn'] as string,
    at: row['at'] as number,
    epoch: row['epoch'] as number,
  };
}

/** Of `questions q` and `conversations c`. */
export const QUESTION_COLUMNS = `q.id, c.key, c.tenant, q.turn, q.question, q.answer, ${ms('q.asked_at')} as asked_at,
  ${ms('q.answered_at')} as answered_at`;

export function readQuestion(row: Row): ClusterApproval {
  const answer = readAnswer(row['answer'], row['answered_at']);
  return {
    ...(fromText(row['question']) as unknown as ApprovalQuestion),
    id: row['id'] as string,
    askedAt: row['asked_at'] as number,
    conversation: row['key'] as string,
    turn: row['turn'] as string,
    ...(typeof row['tenant'] === 'string' && { tenant: row['tenant'] }),
    ...(answer && { answer }),
  };
}

export function readAnswer(text: unknown, answeredAt: unknown): ApprovalAnswer | undefined {
  if (typeof text !== 'string') return undefined;
  return { ...(fromText(text) as unknown as ApprovalAnswer), answeredAt: answeredAt as number };
}
