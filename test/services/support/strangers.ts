// Other roles of the database, and other versions: what a login role without any grant can do, and what version 1 did.
import { Client } from 'pg';
import { afterAll, inject } from 'vitest';
import { readFile } from 'node:fs/promises';
import { nameSchema, runSql } from './journals.js';

const opened: Client[] = [];

/** A connection that is closed after the tests of this file. */
export async function connect(
  url: string = inject('postgresUrl'),
  application = 'stranger',
): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: application });
  client.on('error', () => {});
  await client.connect();
  opened.push(client);
  return client;
}

afterAll(async () => {
  await Promise.all(opened.map((client) => client.end()));
});

/** A login role that was granted nothing. */
export async function createStranger(): Promise<{ role: string; url: string }> {
  const role = nameSchema('stranger');
  await runSql(`create role "${role}" login`);
  return { role, url: inject('postgresUrl').replace('inboard@', `${role}@`) };
}

/** What arrives on a channel, until now. */
export async function listenOn(client: Client, channel: string): Promise<string[]> {
  const heard: string[] = [];
  client.on('notification', (message) => {
    if (message.channel === channel) heard.push(message.payload ?? '');
  });
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
  return heard;
}

/** Where the journal of a schema tells numbers. */
export async function findChannel(schema: string): Promise<string> {
  const [row] = await runSql(`select "${schema}".notice_channel($1) as channel`, [schema]);
  return row?.['channel'] as string;
}

/** The tables as a version made them. */
export async function createTablesOf(
  version: 1 | 2 | 3 | 4 | 5,
  schema: string,
  url?: string,
): Promise<void> {
  const recorded = await readFile(
    new URL(`../../fixtures/cluster/tables-version-${version}.sql`, import.meta.url),
    'utf8',
  );
  await runSql(recorded.replaceAll('"recorded"', `"${schema}"`), [], url);
}

/** The statement with which a worker of version 1 reports itself. */
export async function reportAsVersion1(schema: string, name: string, url?: string): Promise<void> {
  await runSql(
    `insert into "${schema}".workers (name, report, seen_at) values ($1, $2, clock_timestamp())
        on conflict (name) do update set report = excluded.report, seen_at = excluded.seen_at`,
    [name, JSON.stringify({ name, concurrency: 1, running: 0, warm: 0, draining: false })],
    url,
  );
}
