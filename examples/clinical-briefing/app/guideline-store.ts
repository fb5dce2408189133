// Where the texts and their vectors are kept, and the one store there is: a libSQL file with full text (FTS5) and vectors,
// fused by sql/search.sql. Another vector database is another object with these four methods.
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createClient } from '@libsql/client';
import { BriefingError } from '../src/errors.js';
import type { Guideline } from './records.js';

export type Entry = Pick<Guideline, 'id' | 'title' | 'section' | 'action' | 'keywords' | 'text'> & {
  vectors: number[][]; // of its text and of its keywords
};
export type Question = { words: string[]; vector: number[]; wordWeight: number; limit: number };
export interface GuidelineStore {
  /** Of what it was filled with; undefined when it is empty or damaged. */
  readFingerprint(): Promise<string | undefined>;
  /** Replaces all that it holds, as a whole. */
  fill(fingerprint: string, entries: readonly Entry[]): Promise<void>;
  /** The ids of the nearest texts, fused from a ranking by words and one by meaning. */
  search(question: Question): Promise<string[]>;
  close(): void;
}

const readSql = (name: string): Promise<string> => readFile(join(import.meta.dirname, 'sql', name), 'utf8');
const TABLES = await readSql('tables.sql');
const FILL = await readSql('fill.sql');
const FILL_VECTORS = await readSql('fill-vectors.sql');
const SEARCH = await readSql('search.sql');
const CHECK = 'SELECT fingerprint, quick_check FROM meta, pragma_quick_check';

export async function openLibsqlStore(file: string): Promise<GuidelineStore> {
  await mkdir(dirname(file), { recursive: true }).catch((error: unknown) => {
    throw new BriefingError('INDEX_BROKEN', `${file} cannot be opened:`, error);
  });
  let client = createClient({ url: `file:${file}` });
  return {
    close: () => client.close(),
    async readFingerprint() {
      // New, damaged, or no database at all: in each case it is filled, and a failure of that is told.
      const { rows } = await client.execute(CHECK).catch(() => ({ rows: [] }));
      return rows[0]?.['quick_check'] === 'ok' ? (rows[0]['fingerprint'] as string) : undefined;
    },
    async fill(fingerprint, entries) {
      const draft = `${file}.${process.pid}`;
      await rm(draft, { force: true });
      const next = createClient({ url: `file:${draft}` });
      try {
        await next.executeMultiple(TABLES);
        const args = { entries: JSON.stringify(entries) };
        for (const sql of [FILL, FILL_VECTORS]) await next.execute({ sql, args });
        await next.execute("INSERT INTO words(words) VALUES ('rebuild')");
        await next.execute({ sql: 'INSERT INTO meta VALUES (?)', args: [fingerprint] });
      } finally {
        next.close();
      }
      client.close();
      await rename(draft, file);
      client = createClient({ url: `file:${file}` });
    },
    async search({ words, vector, wordWeight, limit }) {
      // Each word in quotes: nothing a model writes is syntax of the full-text search.
      const quoted = words.map((word) => `"${word}"`).join(' OR ') || '""';
      const args = { words: quoted, vector: JSON.stringify(vector), wordWeight, limit };
      return (await client.execute({ sql: SEARCH, args })).rows.map(({ id }) => id as string);
    },
  };
}
