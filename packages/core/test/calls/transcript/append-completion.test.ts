// Appending to a file and to stores that fail, hang, write half, or lose an answer.
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { appendCompletion, readForCompletion } from '../../../src/calls/transcript/append-completion.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import type { SessionStore, SessionStoreEntry } from '../../../src/wire/protocol/config/session-store.js';

const KEY = { projectKey: 'p', sessionId: 's' };
const FIRST: SessionStoreEntry = { type: 'user', uuid: 'u1', message: { content: 'Pay.' } };
const ADDED: SessionStoreEntry[] = [
  { type: 'user', uuid: 'r1', message: { content: 'a' } },
  { type: 'user', uuid: 'r2', message: { content: 'b' } },
  { type: 'last-prompt', lastPrompt: 'Pay.', leafUuid: 'r2' },
];

async function createFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'append-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 's.jsonl');
  await writeFile(path, text);
  return path;
}

/** A store whose next appends do something else; `takes` says how many of the entries are kept before that. */
async function createStore(
  faults: { takes: number; after: 'fails' | 'hangs' | 'is fenced off' }[],
): Promise<{ store: SessionStore; appended: SessionStoreEntry[][] }> {
  const inner = new InMemorySessionStore();
  await inner.append(KEY, [FIRST]);
  const appended: SessionStoreEntry[][] = [];
  const store: SessionStore = {
    load: (key) => inner.load(key),
    async append(key, entries) {
      appended.push(entries);
      const fault = faults.shift();
      await inner.append(key, entries.slice(0, fault?.takes));
      if (fault?.after === 'hangs') await new Promise(() => {});
      if (fault?.after === 'fails') throw new Error('connection lost');
      if (fault) throw Object.assign(new Error('another process has it'), { fatal: true });
    },
  };
  return { store, appended };
}

const names = (entries: readonly object[]): unknown[] =>
  entries.map((entry) => (entry as SessionStoreEntry).uuid ?? (entry as SessionStoreEntry)['leafUuid']);

it('appends whole lines to a file, behind one that was cut off', async () => {
  const path = await createFile(`${JSON.stringify(FIRST)}\n{"type":"user","uu`);
  await appendCompletion({ path }, ADDED);
  const lines = (await readFile(path, 'utf8')).split('\n');
  expect(lines).toEqual([
    JSON.stringify(FIRST),
    '{"type":"user","uu',
    ...ADDED.map((entry) => JSON.stringify(entry)),
    '',
  ]);
  expect(names(await readForCompletion({ path }))).toEqual(['u1', 'r1', 'r2', 'r2']);
});

it('never creates a file', async () => {
  const path = await createFile('');
  await rm(path);
  await expect(appendCompletion({ path }, ADDED)).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('leaves out of reading what says nothing about calls', async () => {
  const path = await createFile('');
  await appendFile(path, `${JSON.stringify({ type: 'api-request', message: 'long' })}\n`);
  await appendFile(path, `${JSON.stringify(FIRST)}\n`);
  expect(await readForCompletion({ path })).toEqual([FIRST]);
});

it('appends to a store, and reads an empty one', async () => {
  const { store, appended } = await createStore([]);
  await appendCompletion({ store, key: KEY }, []);
  expect(appended).toEqual([]);
  await appendCompletion({ store, key: KEY }, ADDED);
  expect(names(await readForCompletion({ store, key: KEY }))).toEqual(['u1', 'r1', 'r2', 'r2']);
  expect(await readForCompletion({ store, key: { ...KEY, sessionId: 'other' } })).toEqual([]);
});

it.each([
  ['an answer that was lost', [{ takes: 3, after: 'fails' as const }], [3]],
  ['an answer that never comes', [{ takes: 3, after: 'hangs' as const }], [3]],
  ['half of the entries', [{ takes: 1, after: 'fails' as const }], [3, 2]],
  ['all but the name of the end', [{ takes: 2, after: 'hangs' as const }], [3, 1]],
  ['nothing at first', [{ takes: 0, after: 'fails' as const }], [3, 3]],
  [
    'two lost answers',
    [
      { takes: 1, after: 'fails' as const },
      { takes: 2, after: 'fails' as const },
    ],
    [3, 2],
  ],
])('looks and writes what is missing after %s', async (_name, faults, counts) => {
  const { store, appended } = await createStore([...faults]);
  await appendCompletion({ store, key: KEY, limitMs: 20 }, ADDED);
  expect(appended.map(({ length }) => length)).toEqual(counts);
  expect(names(await readForCompletion({ store, key: KEY }))).toEqual(['u1', 'r1', 'r2', 'r2']);
});

it('rejects with the first failure where the second try does not help', async () => {
  const { store, appended } = await createStore([
    { takes: 0, after: 'hangs' },
    { takes: 0, after: 'fails' },
  ]);
  const appending = appendCompletion({ store, key: KEY, limitMs: 20 }, ADDED);
  await expect(appending).rejects.toMatchObject({ code: 'SESSION_STORE_TIMEOUT', limitMs: 20 });
  expect(appended).toHaveLength(2);
});

it('tries nothing more once the store says that another process has the session', async () => {
  const { store, appended } = await createStore([{ takes: 0, after: 'is fenced off' }]);
  await expect(appendCompletion({ store, key: KEY }, ADDED)).rejects.toThrow('another process has it');
  expect(appended).toHaveLength(1);
});
