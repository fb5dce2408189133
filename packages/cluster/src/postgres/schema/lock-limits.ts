// How long a change of the tables waits for its locks. While it waits for a table, everybody who uses that table, or one that it has
// already, waits behind it.

/** Milliseconds. A worker asks every second for leases of three seconds, and gives them up half a second before their end. */
const LONGEST_WAIT_MS = 1_500;
/** Milliseconds beyond `deadlock_timeout`: then PostgreSQL has ended an autovacuum that is in the way. */
const BEYOND_DEADLOCK_MS = 200;

/** Limits the wait for each lock of this transaction, and gives the limit as `ms`. */
export function limitLockWait(atMostMs: number = LONGEST_WAIT_MS): string {
  const longestMs = Math.min(Math.floor(atMostMs), LONGEST_WAIT_MS);
  return `select w.ms, set_config('lock_timeout', w.ms::text, true) from (
  select least(setting::integer + ${BEYOND_DEADLOCK_MS}, ${longestMs}) as ms
  from pg_settings where name = 'deadlock_timeout'
) w`;
}

/** Statements that take several locks, in this order, and wait no longer for all of them than for one. */
export function writeLocks(locks: readonly string[]): string[] {
  if (locks.length === 0) return [];
  return [
    `select set_config('inboard.statement_timeout', current_setting('statement_timeout'), true),
  set_config('statement_timeout', current_setting('lock_timeout'), true)`,
    `do $do$
begin
${locks.map((lock) => `  lock table ${lock};\n`).join('')}end $do$`,
    `select set_config('statement_timeout', current_setting('inboard.statement_timeout'), true)`,
  ];
}
