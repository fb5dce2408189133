// The index in one libSQL file: full text (FTS5) and vectors, fused by sql/search.sql. It is derived data: built when it is
// missing, damaged, or made of other texts or by another model.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createClient } from '@libsql/client';
import type { Embedder } from './embed.js';
import { BriefingError } from './errors.js';
import type { Guideline } from './records.js';

const readSql = (name: string): Promise<string> => readFile(join(import.meta.dirname, 'sql', name), 'utf8');
const TABLES = await readSql('tables.sql');
const FILL = await readSql('fill.sql');
const SEARCH = await readSql('search.sql');
const CHECK = 'SELECT fingerprint, quick_check FROM meta, pragma_quick_check';
const WORD_WEIGHTS = { fused: 0.5, words: 1, meaning: 0 };
export type SearchMode = keyof typeof WORD_WEIGHTS;

export interface IndexSource {
  file: string;
  guidelines: readonly Guideline[];
  embedder: Embedder;
  onBuild?: () => void;
}

/** Opens the index, and builds it first if need be. Throws INDEX_BROKEN when that cannot be done. */
export async function openIndex(source: IndexSource) {
  const { file, guidelines, embedder } = source;
  const facts = JSON.stringify([TABLES, FILL, embedder.name, guidelines]);
  const fingerprint = createHash('sha256').update(facts).digest('hex');
  try {
    await mkdir(dirname(file), { recursive: true });
    await buildIndex(source, fingerprint);
  } catch (error) {
    throw new BriefingError('INDEX_BROKEN', `${file} cannot be built:`, error);
  }
  const client = createClient({ url: `file:${file}` });
  return {
    close: () => client.close(),
    async search(query: string, limit: number, mode: SearchMode = 'fused'): Promise<Guideline[]> {
      // Only letters and digits, each word in quotes: nothing a model writes is syntax of the full-text search.
      const words = query.match(/[\p{L}\p{N}]+/gu)?.map((word) => `"${word}"`) ?? ['""'];
      const vector = JSON.stringify((await embedder.embed([query]))[0]);
      const args = { words: words.join(' OR '), vector, wordWeight: WORD_WEIGHTS[mode], limit };
      return (await client.execute({ sql: SEARCH, args })).rows as unknown as Guideline[];
    },
  };
}

/** Builds the index, unless it is current and sound: beside the old file, and put in place as a whole. */
async function buildIndex({ file, guidelines, embedder, onBuild }: IndexSource, fingerprint: string) {
  const old = createClient({ url: `file:${file}` });
  // New, damaged, or no database at all: in each case it is built, and a failure of that is told.
  const { rows } = await old.execute(CHECK).catch(() => ({ rows: [] }));
  old.close();
  if (rows[0]?.['fingerprint'] === fingerprint && rows[0]['quick_check'] === 'ok') return;
  onBuild?.();
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  const texts = guidelines.map(({ title, action, text }) => `${title}. ${action}. ${text}`);
  const vectors = await embedder.embed(texts);
  const list = JSON.stringify(guidelines.map((guideline, at) => ({ ...guideline, vector: vectors[at] })));
  const client = createClient({ url: `file:${draft}` });
  try {
    await client.executeMultiple(TABLES);
    await client.execute({ sql: FILL, args: { guidelines: list } });
    await client.execute("INSERT INTO words(words) VALUES ('rebuild')");
    await client.execute({ sql: 'INSERT INTO meta VALUES (?)', args: [fingerprint] });
  } finally {
    client.close();
  }
  await rename(draft, file);
}
