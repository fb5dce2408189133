// The database: chats, what was said in them, and tickets, in a libSQL file.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type InValue } from '@libsql/client';

// `unanswered` is the message that the agent works on, `call_key` the call that made a ticket: there is one for each.
const SCHEMA = `PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 1000;
  CREATE TABLE IF NOT EXISTS chats (id TEXT PRIMARY KEY, title TEXT NOT NULL, unanswered TEXT);
  CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY, chat TEXT NOT NULL REFERENCES chats (id),
    role TEXT NOT NULL CHECK (role IN ('person', 'agent', 'notice')), text TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS tickets (id INTEGER PRIMARY KEY, chat TEXT NOT NULL REFERENCES chats (id),
    call_key TEXT NOT NULL UNIQUE, title TEXT NOT NULL, description TEXT NOT NULL, kind TEXT NOT NULL,
    priority TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done')));`;

export type Database = Awaited<ReturnType<typeof openDatabase>>;

/** Opens the database in a folder, and makes both if need be. */
export async function openDatabase(folder: string) {
  await mkdir(folder, { recursive: true });
  const client = createClient({ url: `file:${join(folder, 'board.db')}` });
  await client.executeMultiple(SCHEMA);
  return {
    read: async <Row>(sql: string, ...args: InValue[]) =>
      (await client.execute(sql, args)).rows as unknown as Row[],
    /** Whether it has changed anything. */
    write: async (sql: string, ...args: InValue[]) => (await client.execute(sql, args)).rowsAffected > 0,
  };
}
