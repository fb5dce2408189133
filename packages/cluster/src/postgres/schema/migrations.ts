// The versions of the tables as SQL, oldest first. A published version is never changed: each change is a new version.
import { quoteName } from '../journal-options.js';
import { COMMON_FUNCTIONS } from './common-functions.js';
import { LEASE_FUNCTIONS } from './lease-functions.js';
import { limitLockWait, writeLocks } from './lock-limits.js';
import { NOTE_RIGHTS, PASS_ON_RIGHTS } from './pass-on-rights.js';
import { QUESTION_FUNCTIONS } from './question-functions.js';
import { TABLES } from './tables.js';
import { TRANSCRIPT_FUNCTIONS } from './transcript-functions.js';
import { TURN_FUNCTIONS } from './turn-functions.js';
import { CONTENT_FUNCTIONS_2 } from './version-2/content-functions.js';
import { LEASE_FUNCTIONS_2 } from './version-2/lease-functions.js';
import { NOTICE_FUNCTIONS_2 } from './version-2/notice-functions.js';
import { REMOVAL_FUNCTIONS_2 } from './version-2/removal-functions.js';
import { ENTRIES_VIEW_3 } from './version-3/entries-view.js';
import { LEASE_FUNCTIONS_3 } from './version-3/lease-functions.js';
import { ORPHAN_FUNCTIONS_3 } from './version-3/orphan-functions.js';
import { TURN_FUNCTIONS_4 } from './version-4/turn-functions.js';
import { RESERVATION_FUNCTIONS_5 } from './version-5/reservation-functions.js';
import { SETTLING_FUNCTIONS_5 } from './version-5/settling-functions.js';
import { AUDIT_FUNCTIONS_6, DEED_FUNCTIONS_6 } from './version-6/audit-functions.js';
import { RETENTION_FUNCTIONS_6 } from './version-6/retention-functions.js';

/** One step from a version of the tables to the next. */
interface Migration {
  readonly version: number;
  /** The oldest version of the code that works with the tables after this step. */
  readonly oldest: number;
  readonly sql: string;
  /**
   * The tables of earlier versions that the step locks, all before anything is changed. They are in the order in which a
   * journal uses them, so that no two transactions wait for each other.
   */
  readonly locks?: readonly string[];
}

const FUNCTIONS = [
  COMMON_FUNCTIONS,
  TURN_FUNCTIONS,
  LEASE_FUNCTIONS,
  QUESTION_FUNCTIONS,
  TRANSCRIPT_FUNCTIONS,
].join('');

// The functions that a journal calls. They call the other functions.
const ENTRIES = [
  'enqueue',
  'cancel_turn',
  'interrupt_turn',
  'close_conversation',
  'next_turn',
  'finish_turn',
  'park_turn',
  'take_lease',
  'renew_leases',
  'renew_unlocked_leases',
  'release_lease',
  'give_back_lease',
  'due_conversations',
  'ask',
  'answer_question',
  'withdraw',
  'begin_call',
  'end_call',
  'publish',
  'append_entries',
  'delete_transcript',
  'remove_conversation',
  'prune_some',
  'check_fence',
  // From version 2 on.
  'content_text',
  'content_state',
  'put_parts',
  'publish_contents',
  'finish_turn_contents',
  'begin_call_contents',
  'end_call_content',
  'append_contents',
  'orphaned_conversations',
  'remove_orphans',
  'due_conversations_2',
  'report_worker',
  'forget_tenant',
  // From version 3 on.
  'find_orphans',
  'remove_contents',
  'take_out_transcript',
  // From version 4 on.
  'next_turn_after',
  // From version 5 on.
  'reservation_gone',
  'reserve_budget',
  // From version 6 on.
  'audit_settled',
  'enqueue_quietly',
  'enqueue_by',
  'cancel_turn_quietly',
  'cancel_turn_by',
  'interrupt_turn_quietly',
  'interrupt_turn_by',
  'close_conversation_quietly',
  'close_conversation_by',
  'answer_question_quietly',
  'remove_conversation_quietly',
  'remove_conversation_by',
  'forget_tenant_quietly',
  'forget_tenant_by',
  'erase_tenant',
  'claim_job',
  'end_job',
  'find_old',
  'count_old',
  'remove_old',
  'remove_old_deeds',
];

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, oldest: 1, sql: `${TABLES}${FUNCTIONS}` },
  {
    version: 2,
    oldest: 1,
    sql: `${NOTICE_FUNCTIONS_2}${REMOVAL_FUNCTIONS_2}${LEASE_FUNCTIONS_2}${CONTENT_FUNCTIONS_2}`,
    locks: [
      // Other tables refer to this one. Transactions that only read it are not blocked.
      'conversations in share row exclusive mode',
      'events, calls, entries, workers in access exclusive mode',
    ],
  },
  // Changes no table, so that running workers do not wait.
  { version: 3, oldest: 1, sql: `${LEASE_FUNCTIONS_3}${ORPHAN_FUNCTIONS_3}${ENTRIES_VIEW_3}` },
  // Changes no table either.
  { version: 4, oldest: 1, sql: TURN_FUNCTIONS_4 },
  {
    version: 5,
    oldest: 1,
    sql: `${RESERVATION_FUNCTIONS_5}${SETTLING_FUNCTIONS_5}`,
    // A new table refers to the first. The second gets an index, and is read once: turns do not end meanwhile.
    locks: ['conversations in share row exclusive mode', 'spending in share row exclusive mode'],
  },
  // Adds tables, and changes none.
  { version: 6, oldest: 1, sql: `${AUDIT_FUNCTIONS_6}${DEED_FUNCTIONS_6}${RETENTION_FUNCTIONS_6}` },
];

/** The version of the tables that this code is written for. */
export const TABLES_VERSION = MIGRATIONS.at(-1)?.version ?? 0;

/** The statements from a version to the newest, for one transaction. */
export interface MigrationScript {
  /**
   * Statements that limit the wait for locks and take them. The wait for all locks together is limited like the wait for one.
   */
  locks: string[];
  /** Statements that change the tables. */
  changes: string[];
}

/**
 * Writes the statements from a version to the newest. There are none if the version is the newest. `atMostMs` limits the wait
 * for locks.
 */
export function writeMigrations(schema: string, from: number, atMostMs?: number): MigrationScript {
  const steps = MIGRATIONS.filter(({ version }) => version > from);
  if (steps.length === 0) return { locks: [], changes: [] };
  const isNew = from === 0;
  return {
    locks: [
      `set local search_path to ${quoteName(schema)}`,
      limitLockWait(atMostMs),
      ...(isNew ? [] : [LOCK_MIGRATIONS, ...writeLocks(steps.flatMap(({ locks = [] }) => locks))]),
    ],
    changes: [
      ...(isNew ? [MIGRATIONS_TABLE] : []),
      NOTE_RIGHTS,
      ...steps.flatMap(({ version, oldest, sql }) => [
        sql.trim(),
        `insert into migrations (version, oldest) values (${version}, ${oldest})`,
      ]),
      FIX_SEARCH_PATH,
      PASS_ON_RIGHTS,
    ],
  };
}

// If two processes create this table at the same time, the second waits, and then finds that it exists.
const MIGRATIONS_TABLE = `create table migrations (
  version integer primary key,
  -- The oldest version whose code works with these tables.
  oldest integer not null,
  applied_at timestamptz not null default clock_timestamp()
)`;

/**
 * Lets one process migrate at a time. Only the owner can take this lock. Other roles can only read the table, and reading does
 * not wait for the lock.
 */
export const LOCK_MIGRATIONS = 'lock table migrations in exclusive mode';

// Fixes the search path of the functions, so that they work for every caller. The functions do not contain the schema's name
// (see `pass-on-rights.ts`).
const FIX_SEARCH_PATH = `do $do$
declare f regprocedure;
begin
  for f in select oid from pg_proc where pronamespace = (select oid from pg_namespace where nspname = current_schema()) and proname in (${ENTRIES.map((entry) => `'${entry}'`).join(', ')})
  loop
    execute format('alter function %s set search_path = %I, pg_temp', f, current_schema());
  end loop;
end $do$`;
