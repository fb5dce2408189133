// Names the columns to read, and turns rows into records. Times are milliseconds. Every column is checked. JSON is checked only
// as far as this package relies on it, because a newer version may have added fields.
import { checkJson } from '../journal/check-names.js';
import type { JournalAnswer, JournalQuestion, NewJournalQuestion } from '../journal/journal-question.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type {
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
import { readStoredBody, readStoredOutcome } from './stored-outcome.js';
import { TableReader } from './table-reader.js';

const CONVERSATIONS = new TableReader('conversations');
const TURNS = new TableReader('turns');
const EVENTS = new TableReader('events');
const QUESTIONS = new TableReader('questions');

const CONVERSATION_STATES: readonly ConversationState[] = ['idle', 'queued', 'running', 'parked', 'closed'];
const TURN_STATES: readonly ClusterTurnState[] = ['queued', 'running', 'parked', 'ended'];

/** SQL for a time column as whole milliseconds since 1970. */
export function ms(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::float8`;
}

/**
 * The JSON of a value, to be stored as text. PostgreSQL's own JSON types take neither NUL nor lone surrogates. `what` names the
 * value in errors.
 */
export function toText(what: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = stringifyDeep(value);
  } catch {
    // `checkJson` below names the problem. It runs only after a failure, because values may be large.
  }
  if (text !== undefined) return text;
  checkJson(what, value);
  // Not reached: a value without JSON was refused above.
  throw new TypeError(`"${what}" cannot be written as JSON`);
}

/** The name of a caller as the audit stores it: JSON text, or null. */
export function toWho(by: string | undefined): string | null {
  return by === undefined ? null : toText('by', by);
}

/** The columns of `conversations c`. */
export function conversationColumns(schema: string): string {
  return `c.key, c.agent, c.data, c.tenant, c.session_id, c.state, c.turns, c.queued, c.cost_usd, c.failure, c.last_event,
    case when c.lease_until > clock_timestamp() then c.owner end as owner, c.epoch, ${ms('c.lease_until')} as lease_until,
    (select count(*) from ${schema}.questions q where q.conversation = c.number and q.answer is null) as questions,
    ${ms('c.created_at')} as created_at, ${ms('c.updated_at')} as updated_at, ${ms('c.closed_at')} as closed_at`;
}

export function readConversationRow(row: Row): ConversationRecord {
  const owner = CONVERSATIONS.textIfAny(row, 'owner');
  return withoutUndefined({
    key: CONVERSATIONS.text(row, 'key'),
    agent: CONVERSATIONS.text(row, 'agent'),
    data: CONVERSATIONS.json(row, 'data'),
    tenant: CONVERSATIONS.textIfAny(row, 'tenant'),
    sessionId: CONVERSATIONS.text(row, 'session_id'),
    state: CONVERSATIONS.word(row, 'state', CONVERSATION_STATES),
    lease:
      owner === undefined
        ? undefined
        : {
            owner,
            epoch: CONVERSATIONS.number(row, 'epoch'),
            expiresAt: CONVERSATIONS.number(row, 'lease_until'),
          },
    turns: CONVERSATIONS.number(row, 'turns'),
    queued: CONVERSATIONS.number(row, 'queued'),
    questions: CONVERSATIONS.number(row, 'questions'),
    totalCostUsd: CONVERSATIONS.number(row, 'cost_usd'),
    failure: CONVERSATIONS.shapeIfAny(row, 'failure', 'the turn that failed', isFailure),
    lastEventId: CONVERSATIONS.number(row, 'last_event'),
    createdAt: CONVERSATIONS.number(row, 'created_at'),
    updatedAt: CONVERSATIONS.number(row, 'updated_at'),
    closedAt: CONVERSATIONS.numberIfAny(row, 'closed_at'),
  });
}

/** The columns of `turns t`. */
export const TURN_COLUMNS = `t.id, t.place, t.uuid, t.content, t.state, t.attempt, t.tries, t.cost_usd, t.epoch, t.stop, t.trace,
  t.outcome, ${ms('t.not_before')} as not_before, ${ms('t.sent_at')} as sent_at, ${ms('t.started_at')} as started_at,
  ${ms('t.ended_at')} as ended_at`;

export function readTurnRow(key: string, row: Row): TurnRecord {
  const outcome = TURNS.shapeIfAny(row, 'outcome', 'an outcome', isOutcome);
  const turn: TurnRecord = {
    key,
    id: TURNS.text(row, 'id'),
    place: TURNS.number(row, 'place'),
    uuid: TURNS.text(row, 'uuid'),
    content: TURNS.json(row, 'content'),
    state: TURNS.word(row, 'state', TURN_STATES),
    attempt: TURNS.number(row, 'attempt'),
    tries: TURNS.number(row, 'tries'),
    turnCostUsd: TURNS.number(row, 'cost_usd'),
    epoch: TURNS.number(row, 'epoch'),
    notBefore: TURNS.numberIfAny(row, 'not_before'),
    stop: TURNS.flag(row, 'stop') ? 'interrupt' : undefined,
    trace: row['trace'] == null ? undefined : TURNS.jsonText(row, 'trace'),
    sentAt: TURNS.number(row, 'sent_at'),
    startedAt: TURNS.numberIfAny(row, 'started_at'),
    endedAt: TURNS.numberIfAny(row, 'ended_at'),
    outcome: outcome && readStoredOutcome(outcome),
  };
  return withoutUndefined(turn);
}

/** The columns of `events e`. */
export const EVENT_COLUMNS = `e.id, e.turn, ${ms('e.at')} as at, e.epoch, e.body`;

/** Reads an event. `body` replaces the body in the row, which may be a short form. */
export function readEventRow(key: string, row: Row, body: Json = EVENTS.json(row, 'body')): ClusterEvent {
  return {
    ...readStoredBody(EVENTS.check('body', body, 'an event', isEventBody)),
    id: EVENTS.number(row, 'id'),
    key,
    turn: EVENTS.text(row, 'turn'),
    at: EVENTS.number(row, 'at'),
    epoch: EVENTS.number(row, 'epoch'),
  };
}

/** The columns of `questions q` with `conversations c`. */
export const QUESTION_COLUMNS = `q.id, c.key, c.tenant, q.turn, q.question, q.answer, ${ms('q.asked_at')} as asked_at,
  ${ms('q.answered_at')} as answered_at`;

export function readQuestionRow(row: Row): JournalQuestion {
  const answer = readAnswerRow(row);
  const tenant = CONVERSATIONS.textIfAny(row, 'tenant');
  return {
    ...QUESTIONS.shape(row, 'question', 'a question', isQuestion),
    id: QUESTIONS.text(row, 'id'),
    askedAt: QUESTIONS.number(row, 'asked_at'),
    conversation: CONVERSATIONS.text(row, 'key'),
    turn: QUESTIONS.text(row, 'turn'),
    ...(tenant !== undefined && { tenant }),
    ...(answer && { answer }),
  };
}

/** Reads the columns `answer` and `answered_at`. */
export function readAnswerRow(row: Row | undefined): JournalAnswer | undefined {
  const answer = QUESTIONS.shapeIfAny(row, 'answer', 'an answer', isJournalAnswer);
  return answer && { ...answer, answeredAt: QUESTIONS.number(row, 'answered_at') };
}

function isFailure(value: unknown): value is ConversationFailure {
  return isRecord(value) && typeof value['turn'] === 'string' && typeof value['kind'] === 'string';
}

function isOutcome(value: unknown): value is TurnOutcome {
  return isRecord(value) && typeof value['ok'] === 'boolean' && typeof value['kind'] === 'string';
}

function isEventBody(value: unknown): value is ClusterEventBody {
  return isRecord(value) && typeof value['type'] === 'string';
}

export function isQuestion(value: unknown): value is NewJournalQuestion {
  return isRecord(value);
}

export function isJournalAnswer(value: unknown): value is JournalAnswer {
  return isRecord(value);
}
