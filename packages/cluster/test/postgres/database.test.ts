// What a transaction asks of a connection that gives no answer any more, which no real server does at a test's word.
import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { Database } from '../../src/postgres/database.js';
import { readJournalSettings } from '../../src/postgres/journal-options.js';

/** A database whose pool has one connection. `fail` throws in place of the answer to a statement. */
function createDatabase(fail: (text: string) => void) {
  const asked: string[] = [];
  const released: unknown[] = [];
  const client = {
    on() {},
    off() {},
    async query({ text }: { text: string }) {
      asked.push(text);
      fail(text);
      return { rows: [] };
    },
    release: (fault: unknown) => released.push(fault),
  };
  const pool = { query() {}, connect: async () => client } as unknown as Pool;
  const database = new Database(readJournalSettings({ pool }), async () => {});
  return { database, asked, released };
}

it('asks a connection that gave no answer nothing more, and ends it: each question takes as long as the first', async () => {
  const silence = new Error('Query read timeout');
  const { database, asked, released } = createDatabase((text) => {
    if (text === 'select 1') throw silence;
  });
  await expect(database.transaction('begin', (run) => run('select 1'))).rejects.toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
  });
  expect(asked).toEqual(['begin', 'select 1']);
  expect(released).toEqual([silence]);
});

it('rolls back what a statement or the program refused, and keeps a connection that has said so', async () => {
  const refused = Object.assign(new Error('division by zero'), { code: '22012', severity: 'ERROR' });
  const { database, asked, released } = createDatabase((text) => {
    if (text === 'select 1/0') throw refused;
  });
  await expect(database.transaction('begin', (run) => run('select 1/0'))).rejects.toThrow();
  expect(asked).toEqual(['begin', 'select 1/0', 'rollback']);
  expect(released).toEqual([false]);
  asked.length = 0;
  const failing = database.transaction('begin', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow();
  expect(asked).toEqual(['begin', 'rollback']);
});
