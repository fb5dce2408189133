// The one database: chats, what was said, tickets and approvals in a libSQL file, so that all of it survives together.
import { EventEmitter } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type InValue } from '@libsql/client';

// `unanswered` is the message that the agent works on: after a crash, where to go on. `call_key` lets one call of the agent
// make one ticket, however often it is tried.
const SCHEMA = `PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 1000;
  CREATE TABLE IF NOT EXISTS chats (id TEXT PRIMARY KEY, title TEXT NOT NULL, unanswered TEXT);
  CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY, chat TEXT NOT NULL REFERENCES chats (id),
    role TEXT NOT NULL CHECK (role IN ('person', 'agent', 'notice')), text TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS tickets (id INTEGER PRIMARY KEY, chat TEXT NOT NULL REFERENCES chats (id),
    call_key TEXT NOT NULL UNIQUE, title TEXT NOT NULL, description TEXT NOT NULL, kind TEXT NOT NULL,
    priority TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done')));
  CREATE TABLE IF NOT EXISTS approvals (id TEXT PRIMARY KEY, question TEXT NOT NULL, answer TEXT);`;

export type Database = Awaited<ReturnType<typeof openDatabase>>;

/** Opens the database in a folder, and makes both if need be. Every write is told by the event "change". */
export async function openDatabase(folder: string) {
  await mkdir(folder, { recursive: true });
  const client = createClient({ url: `file:${join(folder, 'board.db')}` });
  await client.executeMultiple(SCHEMA);
  const changes = new EventEmitter().setMaxListeners(0);
  return {
    changes,
    close: () => client.close(),
    read: async <Row>(sql: string, ...args: InValue[]) =>
      (await client.execute(sql, args)).rows as unknown as Row[],
    /** Whether it has changed anything. */
    write: async (sql: string, ...args: InValue[]): Promise<boolean> => {
      const { rowsAffected } = await client.execute(sql, args);
      if (rowsAffected > 0) changes.emit('change');
      return rowsAffected > 0;
    },
  };
}
