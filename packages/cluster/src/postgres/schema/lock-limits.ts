// Limits how long a change of the tables waits for its locks. While it waits for a table, all later users of that table wait
// behind it, and so do users of the tables that it has already locked.

/**
 * The longest wait in milliseconds. It must be shorter than workers can wait: they renew leases of three seconds every second,
 * and give them up half a second before their end.
 */
const LONGEST_WAIT_MS = 1_500;
/**
 * The wait lasts this many milliseconds longer than `deadlock_timeout`, up to the longest wait. By then, PostgreSQL has ended
 * an autovacuum that is in the way.
 */
const BEYOND_DEADLOCK_MS = 200;

/** SQL that limits the wait for each lock of this transaction, and returns the limit as `ms`. */
export function limitLockWait(atMostMs: number = LONGEST_WAIT_MS): string {
  const longestMs = Math.min(Math.floor(atMostMs), LONGEST_WAIT_MS);
  return `select w.ms, set_config('lock_timeout', w.ms::text, true) from (
  select least(setting::integer + ${BEYOND_DEADLOCK_MS}, ${longestMs}) as ms
  from pg_settings where name = 'deadlock_timeout'
) w`;
}

/** Statements that take several locks in this order. The wait for all of them together is limited like the wait for one. */
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
