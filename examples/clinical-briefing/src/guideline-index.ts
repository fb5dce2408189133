// The index in one libSQL file: full text (FTS5) and vectors, fused by sql/search.sql. It is derived data: built when it is
// missing, damaged, or made of other texts or by another model.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createClient } from '@libsql/client';
import type { Embedder } from './embed.js';
import { BriefingError } from './errors.js';
import type { Guideline } from './guidelines.js';

const TABLES = await readFile(join(import.meta.dirname, 'sql', 'tables.sql'), 'utf8');
const SEARCH = await readFile(join(import.meta.dirname, 'sql', 'search.sql'), 'utf8');
const WORD_WEIGHTS = { fused: 0.5, words: 1, meaning: 0 };
export type SearchMode = keyof typeof WORD_WEIGHTS;
export type GuidelineIndex = Awaited<ReturnType<typeof openIndex>>;

export interface IndexSource {
  file: string;
  guidelines: readonly Guideline[];
  embedder: Embedder;
  onBuild?: () => void;
}

/** Opens the index, and builds it first if need be. Throws INDEX_BROKEN when that cannot be done. */
export async function openIndex(source: IndexSource) {
  const { file, guidelines, embedder, onBuild } = source;
  const facts = JSON.stringify([TABLES, embedder.name, guidelines]);
  const fingerprint = createHash('sha256').update(facts).digest('hex');
  try {
    await mkdir(dirname(file), { recursive: true });
    if (!(await isCurrent(file, fingerprint))) {
      onBuild?.();
      await buildIndex(source, fingerprint);
    }
  } catch (error) {
    throw new BriefingError('INDEX_BROKEN', `${file} cannot be built:`, error);
  }
  const client = createClient({ url: `file:${file}` });
  return {
    close: () => client.close(),
    async search(query: string, limit: number, mode: SearchMode = 'fused'): Promise<Guideline[]> {
      // Only letters and digits, each word in quotes: nothing a model writes is syntax of the full-text search.
      const words = query.match(/[\p{L}\p{N}]+/gu)?.map((word) => `"${word}"`) ?? ['""'];
      const vector = toBlob((await embedder.embed([query]))[0]);
      const args = { words: words.join(' OR '), vector, wordWeight: WORD_WEIGHTS[mode], limit };
      return (await client.execute({ sql: SEARCH, args })).rows as unknown as Guideline[];
    },
  };
}

async function isCurrent(file: string, fingerprint: string): Promise<boolean> {
  const client = createClient({ url: `file:${file}` });
  try {
    const { rows } = await client.execute('SELECT fingerprint, quick_check FROM meta, pragma_quick_check');
    return rows[0]?.['fingerprint'] === fingerprint && rows[0]['quick_check'] === 'ok';
  } catch {
    return false; // New, damaged, or no database at all: in each case it is built, and a failure of that is told.
  } finally {
    client.close();
  }
}

/** Builds beside the old file and puts it in place as a whole, so that a build cut short leaves nothing half done. */
async function buildIndex({ file, guidelines, embedder }: IndexSource, fingerprint: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  const vectors = await embedder.embed(
    guidelines.map((each) => `${each.title}. ${each.action}. ${each.text}`),
  );
  const rows = guidelines.map(({ id, title, section, date, action, text }, at) => ({
    sql: 'INSERT INTO guidelines VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    args: [at, id, title, section, date, action, text, toBlob(vectors[at])],
  }));
  const fillWords = "INSERT INTO words(words) VALUES ('rebuild')";
  const fillMeta = { sql: 'INSERT INTO meta VALUES (?)', args: [fingerprint] };
  await rm(draft, { force: true });
  const client = createClient({ url: `file:${draft}` });
  try {
    await client.executeMultiple(TABLES);
    await client.batch([...rows, fillWords, fillMeta], 'write');
  } finally {
    client.close();
  }
  await rename(draft, file);
}

function toBlob(vector: readonly number[] = []): ArrayBuffer {
  return new Float32Array(vector).buffer;
}
