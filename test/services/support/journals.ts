// Journals in the PostgreSQL of this run, each in a schema of its own.
import { afterAll, inject } from 'vitest';
import { Client } from 'pg';
import { randomUUID } from 'node:crypto';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import type { PostgresJournalOptions } from '../../../packages/cluster/src/postgres/journal-options.js';
import { grantSql, migrationSql } from '../../../packages/cluster/src/postgres/schema/print-sql.js';
import { postgresJournal } from '../../../packages/cluster/src/postgres/postgres-journal.js';

const opened: Journal[] = [];

/** A name that no other test has. */
export function nameSchema(what = 'test'): string {
  return `${what}_${randomUUID().slice(0, 8)}`;
}

/** A journal that is closed after the tests of this file. */
export function openJournal(options: PostgresJournalOptions = {}): Journal {
  const journal = postgresJournal({
    ...(options.pool === undefined && { connectionString: inject('postgresUrl') }),
    ...options,
  });
  opened.push(journal);
  return journal;
}

/** Rows of a statement, as the owner of everything. */
export async function runSql(
  text: string,
  values: unknown[] = [],
  url = inject('postgresUrl'),
): Promise<Array<Record<string, unknown>>> {
  const client = new Client(url);
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(text, values);
    return result.rows;
  } finally {
    await client.end();
  }
}

afterAll(async () => {
  await Promise.all(opened.map((journal) => journal.close()));
});

/** Makes the tables as their owner, and a role that may only work with them. */
export async function createWorkerRole(schema: string): Promise<{ url: string; role: string }> {
  await runSql(migrationSql({ schema }));
  const role = nameSchema('worker');
  await runSql(`create role "${role}" login`);
  await runSql(grantSql({ role, schema }));
  return { role, url: inject('postgresUrl').replace('inboard@', `${role}@`) };
}
