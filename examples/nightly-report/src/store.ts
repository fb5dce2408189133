// The database: orders of the tenants, what their reports have cost, and which nights are done.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient, type Client } from '@libsql/client';

const readSql = (name: string): string => readFileSync(new URL(`../${name}.sql`, import.meta.url), 'utf8');

/** Opens the file in a folder; tenants without orders get some to look at. Whoever opens it closes it. */
export async function openStore(folder: string, tenants: readonly { id: string }[]): Promise<Client> {
  for (const name of ['mails', 'spans']) mkdirSync(join(folder, name), { recursive: true });
  const store = createClient({ url: pathToFileURL(join(folder, 'nightly.db')).href, timeout: 5000 });
  await store.execute('PRAGMA journal_mode = WAL');
  await store.executeMultiple(readSql('schema'));
  for (const { id } of tenants) await store.execute({ sql: readSql('sample'), args: { tenant: id } });
  return store;
}

/** Takes the job for this process, until it lets go or dies: the system's own lock of a file. Throws when another has it. */
export async function takeJob(folder: string): Promise<() => void> {
  const lock = createClient({ url: pathToFileURL(join(folder, 'lock.db')).href });
  await lock.transaction('write').catch((cause: unknown) => {
    lock.close();
    throw new Error('Another process has the job of this folder.', { cause });
  });
  return () => lock.close();
}

/** The last night that is done. Those on schedule are named by a date, other runs by a moment. */
export async function lastNight(store: Client): Promise<string | undefined> {
  const { rows } = await store.execute('SELECT max(night) AS night FROM nights WHERE length(night) = 10');
  return (rows[0]?.['night'] as string | null) ?? undefined;
}

export async function spentInMonth(store: Client, tenant: string, night: string): Promise<number> {
  const sql = 'SELECT total(usd) AS usd FROM costs WHERE tenant = ? AND substr(night, 1, 7) = ?';
  return Number((await store.execute(sql, [tenant, night.slice(0, 7)])).rows[0]?.['usd']);
}
