// The database: users, their access tokens (as hashes only) and the results that each of them keeps. A libSQL file, which
// several processes may have open at once.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient, type Client } from '@libsql/client';
export interface User {
  id: number;
  email: string;
  name: string;
  role: 'admin' | 'member';
  team: string;
}
export type Result = { label: string; value: number };

/** How long a token is valid when nobody says otherwise. */
export const TOKEN_DAYS = 30;
const DAY_MS = 86_400_000;

/** What each version of the tables adds to the one before. A step that has been released is never edited. */
const STEPS = [
  [
    `CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE COLLATE NOCASE,
     name TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('admin', 'member')), team TEXT NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS tokens (hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id))`,
    `CREATE TABLE IF NOT EXISTS results (user_id INTEGER NOT NULL REFERENCES users (id), label TEXT NOT NULL,
     value REAL NOT NULL, PRIMARY KEY (user_id, label))`,
    `INSERT INTO users (email, name, role, team) VALUES
     ('ada@example.org', 'Ada Lovelace', 'admin', 'research'),
     ('bob@example.org', 'Bob Kahn', 'member', 'network'),
     ('cleo@example.org', 'Cleo Vaughan', 'member', 'research') ON CONFLICT DO NOTHING`,
  ],
  // Tokens end. Those from before get the days of a new one.
  [
    'ALTER TABLE tokens ADD COLUMN expires_ms INTEGER NOT NULL DEFAULT 0',
    `UPDATE tokens SET expires_ms = (unixepoch() + ${TOKEN_DAYS} * 86400) * 1000`,
  ],
];

export class Database {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Opens the file in `DATA_DIR`, or in `data/` of this example. Whoever opens it closes it. */
  static async open(
    folder = process.env['DATA_DIR'] ?? fileURLToPath(new URL('../data', import.meta.url)),
  ): Promise<Database> {
    mkdirSync(folder, { recursive: true });
    // Another process may be writing: wait for it rather than fail.
    const client = createClient({ url: pathToFileURL(join(folder, 'tool-server.db')).href, timeout: 5000 });
    await client.execute('PRAGMA journal_mode = WAL');
    await bringUpToDate(client);
    return new Database(client);
  }

  async findUser(email: string): Promise<User | undefined> {
    return (await this.#rows<User>('SELECT * FROM users WHERE email = ?', email))[0];
  }

  async renameUser(id: number, name: string): Promise<void> {
    await this.#rows('UPDATE users SET name = ? WHERE id = ?', name, id);
  }

  /** A new token for a user. It is shown this once: the file keeps its hash, and when it ends. */
  async issueToken({ id }: User, days = TOKEN_DAYS): Promise<string> {
    const token = randomBytes(24).toString('base64url');
    const sql = 'INSERT INTO tokens (hash, user_id, expires_ms) VALUES (?, ?, ?)';
    await this.#rows(sql, hash(token), id, Date.now() + days * DAY_MS);
    return token;
  }

  async findUserByToken(token: string): Promise<User | undefined> {
    const sql = 'SELECT users.* FROM users JOIN tokens ON user_id = id WHERE hash = ? AND expires_ms > ?';
    return (await this.#rows<User>(sql, hash(token), Date.now()))[0];
  }

  async revokeToken(token: string): Promise<void> {
    await this.#rows('DELETE FROM tokens WHERE hash = ?', hash(token));
  }

  async keepResult(userId: number, { label, value }: Result): Promise<void> {
    const sql = 'INSERT OR REPLACE INTO results (user_id, label, value) VALUES (?, ?, ?)';
    await this.#rows(sql, userId, label, value);
  }

  listResults(userId: number, most: number): Promise<Result[]> {
    return this.#rows(
      'SELECT label, value FROM results WHERE user_id = ? ORDER BY label LIMIT ?',
      userId,
      most,
    );
  }

  close(): void {
    this.#client.close();
  }

  // The tables above say what a row holds.
  async #rows<Row>(sql: string, ...args: (string | number)[]): Promise<Row[]> {
    const { rows, columns } = await this.#client.execute(sql, args);
    return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])) as Row);
  }
}

/** Several processes may try it at once: the first one does it, in one transaction. */
async function bringUpToDate(client: Client): Promise<void> {
  const transaction = await client.transaction('write');
  try {
    const { rows } = await transaction.execute('PRAGMA user_version');
    const version = Number(rows[0]?.['user_version']);
    if (version > STEPS.length)
      throw new Error(`The database has tables of version ${version}; this program knows ${STEPS.length}.`);
    for (const sql of STEPS.slice(version).flat()) await transaction.execute(sql);
    await transaction.execute(`PRAGMA user_version = ${STEPS.length}`);
    await transaction.commit();
  } finally {
    transaction.close();
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
