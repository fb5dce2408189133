// Reads values that are stored in parts, a few parts at a time, in a transaction that sees one state of the database.
import { ClusterError } from '@inboard/core/errors.js';
import type { Json } from '../../journal/records.js';
import type { Database, Run } from '../database.js';
import { TableReader } from '../table-reader.js';

const PARTS = new TableReader('content_parts');

/** How many parts one statement reads. */
const PARTS_AT_A_TIME = 8;

/** Runs statements that all see the same state of the database. */
export async function readAtOnce<T>(database: Database, read: (run: Run) => Promise<T>): Promise<T> {
  await database.open();
  return await database.transaction('begin isolation level repeatable read read only', read);
}

/** Reads a value that is stored in parts. Rejects if they were removed after the caller got the number of the content. */
export async function readContent(run: Run, schema: string, content: number): Promise<Json> {
  const texts: string[] = [];
  await readTexts(run, schema, content, texts);
  if (texts.length === 0)
    throw new ClusterError('JOURNAL_UNAVAILABLE', 'What was to be read was removed meanwhile.', {
      retryable: true,
    });
  return PARTS.json({ text: texts.join('') }, 'text');
}

async function readTexts(run: Run, schema: string, content: number, texts: string[]): Promise<void> {
  for (let place = 0; ; place += PARTS_AT_A_TIME) {
    const rows = await run(
      `select text, inner_content from ${schema}.content_parts where content = $1 and place >= $2 and place < $3 order by place`,
      [content, place, place + PARTS_AT_A_TIME],
    );
    for (const row of rows) {
      const inner = row['inner_content'];
      if (typeof inner === 'number') await readTexts(run, schema, inner, texts);
      else texts.push(PARTS.text(row, 'text'));
    }
    if (rows.length < PARTS_AT_A_TIME) return;
  }
}
