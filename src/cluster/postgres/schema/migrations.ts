// The versions of the tables, oldest first, as SQL. One that is published is never changed: what changes is added as
// another. `oldest` is the oldest version of this package's tables whose code still works after it.
import { quoteName } from '../journal-options.js';
import { COMMON_FUNCTIONS } from './common-functions.js';
import { LEASE_FUNCTIONS } from './lease-functions.js';
import { QUESTION_FUNCTIONS } from './question-functions.js';
import { TABLES } from './tables.js';
import { TRANSCRIPT_FUNCTIONS } from './transcript-functions.js';
import { TURN_FUNCTIONS } from './turn-functions.js';
import { CONTENT_FUNCTIONS_2 } from './version-2/content-functions.js';
import { LEASE_FUNCTIONS_2 } from './version-2/lease-functions.js';
import { NOTICE_FUNCTIONS_2 } from './version-2/notice-functions.js';
import { REMOVAL_FUNCTIONS_2 } from './version-2/removal-functions.js';

/** One step from a version of the tables to the next. */
interface Migration {
  readonly version: number;
  /** Code of this version and newer works with the tables after it. */
  readonly oldest: number;
  readonly sql: string;
}

const FUNCTIONS = [
  COMMON_FUNCTIONS,
  TURN_FUNCTIONS,
  LEASE_FUNCTIONS,
  QUESTION_FUNCTIONS,
  TRANSCRIPT_FUNCTIONS,
].join('');

// What a journal calls. The others are called by these, and see what these see.
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
];

const MIGRATIONS: readonly Migration[] = [
  { version: 1, oldest: 1, sql: `${TABLES}${FUNCTIONS}` },
  {
    version: 2,
    oldest: 1,
    sql: `${NOTICE_FUNCTIONS_2}${REMOVAL_FUNCTIONS_2}${LEASE_FUNCTIONS_2}${CONTENT_FUNCTIONS_2}`,
  },
];

/** The version of the tables that this code is written for. */
export const TABLES_VERSION = MIGRATIONS.at(-1)?.version ?? 0;

/** Statements that lead from a version to the newest, to be run in one transaction. */
export function writeMigrations(schema: string, from: number): string[] {
  const steps = MIGRATIONS.filter(({ version }) => version > from);
  if (steps.length === 0) return [];
  return [
    `set local search_path to ${quoteName(schema)}`,
    from === 0 ? MIGRATIONS_TABLE : LOCK_MIGRATIONS,
    NOTE_TABLES,
    ...steps.flatMap(({ version, oldest, sql }) => [
      sql.trim(),
      `insert into migrations (version, oldest) values (${version}, ${oldest})`,
    ]),
    FIX_SEARCH_PATH,
    PASS_ON_GRANTS,
  ];
}

// Two who make it at a time wait for each other: the second finds that it exists.
const MIGRATIONS_TABLE = `create table migrations (
  version integer primary key,
  -- The oldest version whose code works with these tables.
  oldest integer not null,
  applied_at timestamptz not null default clock_timestamp()
)`;

/** One migrates at a time. Only the owner may take this lock: others may read the table at most, which does not wait for it. */
export const LOCK_MIGRATIONS = 'lock table migrations in exclusive mode';

// The name of the schema stands in none of the following texts: within a text of another text no way of quoting fits every name.

// Whoever calls them, and with whatever path.
const FIX_SEARCH_PATH = `do $do$
declare f regprocedure;
begin
  for f in select oid from pg_proc where pronamespace = (select oid from pg_namespace where nspname = current_schema()) and proname in (${ENTRIES.map((entry) => `'${entry}'`).join(', ')})
  loop
    execute format('alter function %s set search_path = %I, pg_temp', f, current_schema());
  end loop;
end $do$`;

const TABLES_OF_SCHEMA = `pg_class c where c.relkind = 'r' and c.relname <> 'migrations'
  and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`;

// Which tables there were before.
const NOTE_TABLES = `select set_config('inboard.tables', coalesce(array_agg(c.oid)::text, '{}'), true) from ${TABLES_OF_SCHEMA}`;

// A role that may work with all tables there were, as grantSql() lets it, may work with the new ones too: processes that run while the
// tables are brought up to date go on.
const PASS_ON_GRANTS = `do $do$
declare g record; v_before oid[] := current_setting('inboard.tables')::oid[];
begin
  for g in
    select t.oid::regclass as name, r.role from (
      select case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as role
      from pg_class c, aclexplode(c.relacl) a
      where c.oid = any (v_before) and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE') and a.grantee <> c.relowner
      group by 1 having count(distinct (c.oid, a.privilege_type)) = 4 * cardinality(v_before)
    ) r, (select c.oid from ${TABLES_OF_SCHEMA} and c.oid <> all (v_before)) t
  loop
    execute format('grant select, insert, update, delete on %s to %s', g.name, g.role);
  end loop;
end $do$`;
