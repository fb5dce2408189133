// The database: a libSQL file in the data folder, brought to the newest version of its schema (app/migrations).
import { access, chmod, constants, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient, type Client, type InValue } from '@libsql/client';

const MIGRATIONS = join(import.meta.dirname, 'migrations');
const CANNOT_WRITE = /^(?:EACCES|EPERM|EROFS|ENOTDIR|ENOSPC|SQLITE_(?:READONLY|CANTOPEN|FULL))/;
type Statement = string | [sql: string, values: InValue[]];
export type Database = Awaited<ReturnType<typeof openDatabase>>;

/** Opens the database in a folder, and makes both if need be. */
export async function openDatabase(folder: string) {
  /** Says so when the folder is what is wrong, at the start or later. */
  async function inFolder<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!CANNOT_WRITE.test(code)) throw error;
      const advice = 'Make it writable for the user that runs the board, or set DATA_DIR to another folder.';
      throw new Error(`The data folder ${folder} cannot be written (${code}). ${advice}`, { cause: error });
    }
  }
  const check = () => inFolder(() => access(folder, constants.W_OK));
  const client = await inFolder(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await check();
    const file = join(folder, 'board.db');
    const opened = createClient({ url: pathToFileURL(file).href, timeout: 1000 });
    // It has hashes of passwords. If the file is another user's, that user has chosen who reads it.
    await chmod(file, 0o600).catch(() => {});
    await migrate(opened);
    return opened;
  });
  /** Several changes, all or none; whether the first has changed anything. */
  async function writeTogether(statements: Statement[]): Promise<boolean> {
    const done = client.batch(statements, 'write');
    // A statement that was refused a lock stays open in its connection, and keeps the next ones from ending.
    await done.catch(() => client.reconnect());
    return inFolder(async () => Number((await done)[0]?.rowsAffected) > 0);
  }
  return {
    /** Rejects while the folder cannot be written. SQLite may not notice for a while: its files are open. */
    check,
    close: () => client.close(),
    read: async <Row>(sql: string, ...args: InValue[]) =>
      (await client.execute(sql, args)).rows as unknown as Row[],
    /** Several reads, all of the same moment. */
    readTogether: async (statements: Statement[]) =>
      (await client.batch(statements, 'read')).map(({ rows }) => rows as unknown[]),
    /** Whether it has changed anything. */
    write: (sql: string, ...args: InValue[]) => writeTogether([[sql, args]]),
    writeTogether,
  };
}

/** Runs the migrations that the file has not seen, in one transaction: two servers may start at the same time. */
async function migrate(client: Client): Promise<void> {
  const all = (await readdir(MIGRATIONS)).toSorted();
  await client.execute('PRAGMA journal_mode = WAL');
  const upgrade = await client.transaction('write');
  try {
    const version = Number((await upgrade.execute('PRAGMA user_version')).rows[0]?.['user_version']);
    if (version > all.length)
      throw new Error(`The database is of a newer board (${version}): update this one.`);
    for (const file of all.slice(version))
      await upgrade.executeMultiple(await readFile(join(MIGRATIONS, file), 'utf8'));
    await upgrade.execute(`PRAGMA user_version = ${all.length}`);
    await upgrade.commit();
  } finally {
    upgrade.close();
  }
}
