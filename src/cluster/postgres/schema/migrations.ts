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
];

const MIGRATIONS: readonly Migration[] = [
  { version: 1, oldest: 1, sql: `${TABLES}${FUNCTIONS}` },
  { version: 2, oldest: 1, sql: `${NOTICE_FUNCTIONS_2}${LEASE_FUNCTIONS_2}${CONTENT_FUNCTIONS_2}` },
];

/** The version of the tables that this code is written for. */
export const TABLES_VERSION = MIGRATIONS.at(-1)?.version ?? 0;

/** Statements that lead from a version to the newest, to be run in one transaction. */
export function writeMigrations(schema: string, from: number): string[] {
  const name = quoteName(schema);
  const steps = MIGRATIONS.filter(({ version }) => version > from);
  if (steps.length === 0) return [];
  return [
    `set local search_path to ${name}`,
    ...(from === 0
      ? [
          `create table migrations (
  version integer primary key,
  -- The oldest version whose code works with these tables.
  oldest integer not null,
  applied_at timestamptz not null default clock_timestamp()
)`,
        ]
      : []),
    ...steps.flatMap(({ version, oldest, sql }) => [
      sql.trim(),
      `insert into migrations (version, oldest) values (${version}, ${oldest})`,
    ]),
    fixSearchPath(name),
  ];
}

// Whoever calls them, and with whatever path.
function fixSearchPath(name: string): string {
  const path = `${name}, pg_temp`.replaceAll("'", "''");
  return `do $do$
declare f regprocedure;
begin
  for f in select oid from pg_proc where pronamespace = (select oid from pg_namespace where nspname = current_schema()) and proname in (${ENTRIES.map((entry) => `'${entry}'`).join(', ')})
  loop
    execute 'alter function ' || f || ' set search_path = ${path}';
  end loop;
end $do$`;
}
