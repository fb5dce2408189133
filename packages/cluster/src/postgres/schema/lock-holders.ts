// Finds the sessions of the database that keep another session waiting. Error messages describe them.
import type { Database } from '../database.js';

/** A session that holds a lock. The process id is 0 for a prepared transaction. */
export interface LockHolder {
  pid: number;
  role: string | undefined;
  application: string | undefined;
  /** Whether it is an autovacuum worker, a process of PostgreSQL itself without a client. */
  isAutovacuum: boolean;
  /** Seconds since its transaction began. */
  seconds: number | undefined;
}

/** The sessions that a waiting session waits for. Empty if it does not wait. */
export async function findHolders(database: Database, pid: number): Promise<LockHolder[]> {
  const rows = await database.transaction('begin read only', (run) =>
    run(
      `select b.pid, a.usename as role, nullif(a.application_name, '') as application,
        coalesce(a.backend_type = 'autovacuum worker', false) as is_autovacuum,
        floor(extract(epoch from clock_timestamp() - a.xact_start))::float8 as seconds
      from unnest(pg_blocking_pids($1)) b (pid) left join pg_stat_activity a on a.pid = b.pid order by a.xact_start`,
      [pid],
    ),
  );
  return rows.map((row) => ({
    pid: row['pid'] as number,
    role: (row['role'] ?? undefined) as string | undefined,
    application: (row['application'] ?? undefined) as string | undefined,
    isAutovacuum: row['is_autovacuum'] === true,
    seconds: (row['seconds'] ?? undefined) as number | undefined,
  }));
}

/** Describes the first session in words, and counts the others. */
export function describeHolders([first, ...others]: readonly LockHolder[]): string | undefined {
  if (!first) return undefined;
  const { pid, role, application, isAutovacuum, seconds } = first;
  if (pid === 0) return 'a prepared transaction (see pg_prepared_xacts)';
  const facts = [
    role === undefined ? '' : ` of the role "${role}"`,
    application === undefined ? '' : ` (application "${application}")`,
    seconds === undefined ? '' : `, whose transaction began ${seconds} s before`,
    others.length === 0 ? '' : `, and ${others.length} more`,
  ];
  return `${isAutovacuum ? 'an autovacuum of PostgreSQL' : 'the session'} with the process id ${pid}${facts.join('')}`;
}
