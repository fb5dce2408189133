// Turns errors of `pg` into errors of this package. Their messages name no address, because a model may read them.
import { ClusterError, InvalidOptionsError, LeaseLostError, type LeaseLoss } from '@inboard/core/errors.js';
import { FIRST_MESSAGE_HINT } from '../journal/check-names.js';
import type { Fence } from '../journal/records.js';
import {
  CALL_UNKNOWN,
  CONVERSATION_CLOSED,
  CONVERSATION_UNKNOWN,
  LEASE_LOST,
  QUESTION_TAKEN,
  TURN_UNKNOWN,
} from './schema/common-functions.js';
import { CONTENT_MISSING } from './schema/version-2/content-functions.js';
import { STALE_VIEW } from './schema/version-5/reservation-functions.js';

/** The subject of a statement, for its errors. */
export interface StatementSubject {
  fence?: Fence | undefined;
  key?: string | undefined;
  turn?: string | undefined;
}

// The server is away, starts, stops, is full or took too long. Or it is a standby that cannot be written to yet.
const UNAVAILABLE = /^(?:08|53|55|57|58)|^25(?:006|P03)$|^40/;
/** Faults that do not pass by themselves, because a person has to act. */
const WHY_UNAVAILABLE: Readonly<Record<string, string>> = {
  '53100': 'has no room left on its disk',
  '53200': 'has no memory left',
  '53300': 'has no connection left: raise its "max_connections", or lower "maxConnections" of the journals',
};
// A limit of PostgreSQL was exceeded. A journal can meet two such limits: the queue of notifications is full, or a value is too
// large.
const TOO_MUCH = '54000';
/**
 * The routine in which PostgreSQL finds its queue of notifications full. The error's text cannot be compared, because it is in
 * the language of the server.
 */
const WHERE_QUEUE_IS_FULL = 'PreCommit_Notify';
// A table, column, function or schema is missing.
const TABLES_MISSING = /^(?:42P01|42703|42883|3F000|42704)$/;
type JournalLoss = Exclude<LeaseLoss, 'locked' | 'unreachable'>;
const LOSSES: readonly JournalLoss[] = ['taken', 'removed', 'released', 'late'];
const NOT_TEXT = '22021';
const CONFLICT = /^40(?:001|P01)$/;

/** The code that PostgreSQL gave. Undefined for errors on this side of the connection. */
export function readSqlState(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : undefined;
}

/** Whether PostgreSQL rolled back a statement that may succeed when it is tried again. */
export function isConflict(error: unknown): boolean {
  return CONFLICT.test(readSqlState(error) ?? '');
}

/** Whether a write failed because it refers to a content that was removed just before. */
export function isContentMissing(error: unknown): boolean {
  return readSqlState((error as { cause?: unknown } | null)?.cause ?? {}) === CONTENT_MISSING;
}

/** Whether a connection is still usable after an error. */
export function leavesConnection(error: unknown): boolean {
  return readSqlState(error) !== undefined && (error as { severity?: unknown }).severity === 'ERROR';
}

/** Turns an error of `pg` into one of this package. */
export function describeFault(error: unknown, subject: StatementSubject = {}): Error {
  const state = readSqlState(error);
  const key = subject.fence?.key ?? subject.key;
  const about = key === undefined ? {} : { key };
  if (state === undefined) return describeLoss(error);
  switch (state) {
    case LEASE_LOST:
      return new LeaseLostError(subject.fence ?? { key: key ?? '', epoch: 0 }, {
        reason: readLoss((error as { detail?: unknown }).detail),
      });
    case CONVERSATION_UNKNOWN:
      return new ClusterError(
        'CONVERSATION_UNKNOWN',
        `There is no conversation "${key}".${FIRST_MESSAGE_HINT}`,
        about,
      );
    case CONVERSATION_CLOSED:
      return new ClusterError('CONVERSATION_CLOSED', `The conversation "${key}" is closed.`, about);
    case TURN_UNKNOWN:
      return new ClusterError(
        'TURN_UNKNOWN',
        `The conversation "${key}" has no turn "${subject.turn}" under way.`,
        about,
      );
    case CALL_UNKNOWN:
      return new InvalidOptionsError(['callKey'], `No such call was begun in "${key}"`);
    case NOT_TEXT:
      return new InvalidOptionsError([], 'A name contains a NUL character, which the database cannot store');
    case CONTENT_MISSING:
      return new ClusterError(
        'JOURNAL_UNAVAILABLE',
        'What is kept in parts was removed while something was to refer to it. Nothing was changed.',
        { cause: error, retryable: true },
      );
    case STALE_VIEW:
      return new ClusterError(
        'JOURNAL_UNAVAILABLE',
        `The database of the journal runs transactions that do not see what others have reserved, so budgets would not hold. Run "alter role … set default_transaction_isolation to 'read committed'" for the role of the journal, or set it for the pool that you pass.`,
        { ...about, cause: error },
      );
    case QUESTION_TAKEN:
      return new InvalidOptionsError(['id'], 'Another conversation has a question with that id');
    default:
      return describeSqlState(state, error);
  }
}

/** Reads the reason why a lease is lost. Tables of version 1 give none. */
export function readLoss(word: unknown): JournalLoss | undefined {
  return LOSSES.find((known) => known === word);
}

function describeLoss(cause: unknown): Error {
  if (cause instanceof ClusterError || cause instanceof InvalidOptionsError) return cause;
  return new ClusterError(
    'JOURNAL_UNAVAILABLE',
    'The database of the journal cannot be reached, or did not answer in time. What was in progress may or may not have happened.',
    { cause, retryable: true },
  );
}

function describeSqlState(state: string, cause: unknown): Error {
  if (TABLES_MISSING.test(state))
    return new ClusterError(
      'JOURNAL_VERSION',
      'The tables of the journal are missing, or not the ones that this version of the package expects. Run "inboard cluster migrate" as a role that may change them.',
      { cause },
    );
  if (UNAVAILABLE.test(state)) {
    const why = WHY_UNAVAILABLE[state] ?? 'cannot serve now';
    return new ClusterError(
      'JOURNAL_UNAVAILABLE',
      `The database of the journal ${why} (SQLSTATE ${state}). Nothing was changed, unless the connection was lost.`,
      { cause, retryable: true },
    );
  }
  if (state === TOO_MUCH && (cause as { routine?: unknown }).routine === WHERE_QUEUE_IS_FULL)
    return new ClusterError(
      'JOURNAL_UNAVAILABLE',
      `The queue of notifications of the database server is full (SQLSTATE ${state}). Nothing was changed. ` +
        'A session that listens and keeps a transaction open holds it up: look at pg_notification_queue_usage(), and end the oldest transaction in pg_stat_activity.',
      { cause, retryable: true },
    );
  const why = state.startsWith('28')
    ? 'does not let this user in'
    : state === '3D000'
      ? 'does not exist'
      : state === '42501'
        ? 'does not allow this role to do that: run what grantSql() prints for this role, as the owner of the tables, and again after each migration'
        : 'refused a statement';
  return new ClusterError('JOURNAL_UNAVAILABLE', `The database of the journal ${why} (SQLSTATE ${state}).`, {
    cause,
  });
}
