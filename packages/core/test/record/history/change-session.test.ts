// What changes leave on disk and in stores.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError, SessionNotFoundError } from '../../../src/errors.js';
import {
  archiveSession,
  deleteSession,
  renameSession,
  tagSession,
  unarchiveSession,
} from '../../../src/record/history/sessions/change-session.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { getSessionInfo } from '../../../src/record/history/sessions/list-sessions.js';
import { useConfigFolders } from './support/config-folder.js';
import { idOf, SESSION, textOf, user } from './support/entries.js';

const createConfigFolder = useConfigFolders();
const FILE = `-p/${SESSION}.jsonl`;

describe('renameSession', () => {
  it('adds one line, and the last name counts', async () => {
    const folder = createConfigFolder({ [FILE]: [user(2, 'q')] });
    await renameSession(SESSION, '  One ');
    await renameSession(SESSION, 'Two');
    expect(folder.read(FILE)).toBe(
      textOf([
        user(2, 'q'),
        { type: 'custom-title', customTitle: 'One', sessionId: SESSION },
        { type: 'custom-title', customTitle: 'Two', sessionId: SESSION },
      ]),
    );
    expect(await getSessionInfo(SESSION)).toMatchObject({ summary: 'Two', customTitle: 'Two' });
  });

  it('begins a new line where the last one was left open', async () => {
    const folder = createConfigFolder({ [FILE]: JSON.stringify(user(2, 'q')) });
    await renameSession(SESSION, 'One');
    expect(folder.read(FILE).split('\n')).toHaveLength(3);
    expect(await getSessionInfo(SESSION)).toMatchObject({ firstPrompt: 'q', customTitle: 'One' });
  });

  it('does not get in the way of others who append', async () => {
    const folder = createConfigFolder({ [FILE]: [user(2, 'q')] });
    const renaming = Array.from({ length: 20 }, (_, index) => renameSession(SESSION, `name ${index}`));
    for (let number = 3; number < 23; number++) {
      appendFileSync(join(folder.root, 'projects', FILE), textOf([user(number, 'more')]));
    }
    await Promise.all(renaming);
    const lines = folder.read(FILE).trimEnd().split('\n');
    expect(lines).toHaveLength(41);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toHaveLength(41);
  });

  it.each([
    ['no id', () => renameSession('abc', 'x'), InvalidOptionsError, /Invalid sessionId: abc.*UUID/],
    ['no name', () => renameSession(SESSION, '  '), InvalidOptionsError, /title must be non-empty/],
    ['a number', () => renameSession(SESSION, 5 as never), InvalidOptionsError, /title must be a string/],
    [
      'no session',
      () => renameSession(idOf(9), 'x'),
      SessionNotFoundError,
      /not found in any project directory/,
    ],
    ['another project', () => renameSession(SESSION, 'x', { dir: '/q' }), SessionNotFoundError, /for \/q/],
  ])('refuses %s', async (_, rename, errorClass, message) => {
    const folder = createConfigFolder({ [FILE]: [user(2, 'q')] });
    const error: unknown = await rename().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ message: expect.stringMatching(message) as unknown, phase: 'options' });
    expect(folder.read(FILE)).toBe(textOf([user(2, 'q')]));
  });

  it('does not take an empty file for a session', async () => {
    createConfigFolder({ [FILE]: '' });
    await expect(renameSession(SESSION, 'x')).rejects.toBeInstanceOf(SessionNotFoundError);
  });

  it('appends to a store, with an id by which it is known again', async () => {
    const sessionStore = new InMemorySessionStore();
    await renameSession(SESSION, 'x', { sessionStore, dir: '/x/y' });
    expect(sessionStore.getEntries({ projectKey: '-x-y', sessionId: SESSION })).toEqual([
      {
        type: 'custom-title',
        customTitle: 'x',
        sessionId: SESSION,
        uuid: expect.any(String) as unknown,
        timestamp: expect.any(String) as unknown,
      },
    ]);
  });
});

describe('tagSession', () => {
  it('sets, cleans and takes away', async () => {
    createConfigFolder({ [FILE]: [user(2, 'q')] });
    await tagSession(SESSION, ' a\u200bＡ\ud800\u{e0041} ');
    expect(await getSessionInfo(SESSION)).toMatchObject({ tag: 'aA' });
    await tagSession(SESSION, null);
    expect((await getSessionInfo(SESSION))?.tag).toBeUndefined();
  });

  it.each([' ', '\u200b', undefined, 5])('refuses %j', async (tag) => {
    createConfigFolder({ [FILE]: [user(2, 'q')] });
    await expect(tagSession(SESSION, tag as string)).rejects.toBeInstanceOf(InvalidOptionsError);
  });
});

describe('archiveSession', () => {
  it('marks, unmarks, and keeps the mark to the owner', async () => {
    const folder = createConfigFolder({ [FILE]: [user(2, 'q')] });
    expect((await getSessionInfo(SESSION))?.archived).toBeUndefined();
    await archiveSession(SESSION);
    expect(await getSessionInfo(SESSION)).toMatchObject({ archived: true });
    expect(folder.tree()).toMatchObject({
      [`-p/${SESSION}/`]: '700',
      [`-p/${SESSION}/archived.json`]: '600',
    });
    await unarchiveSession(SESSION);
    expect(await getSessionInfo(SESSION)).toMatchObject({ archived: false });
    expect(Object.keys(folder.tree())).toHaveLength(4);
  });

  it('leaves nothing half done', async () => {
    const folder = createConfigFolder({ [FILE]: [user(2, 'q')], [`-p/${SESSION}/archived.json/x`]: '' });
    const before = folder.tree();
    await expect(archiveSession(SESSION)).rejects.toThrow();
    expect(folder.tree()).toEqual(before);
  });

  it('is not for stores', async () => {
    const sessionStore = new InMemorySessionStore();
    await expect(archiveSession(SESSION, { sessionStore })).rejects.toThrow(
      /not supported with sessionStore/,
    );
  });
});

describe('deleteSession', () => {
  it('takes the transcript and what is beside it, and nothing else', async () => {
    const folder = createConfigFolder({
      [FILE]: [user(2, 'q')],
      [`-p/${SESSION}/subagents/agent-a.jsonl`]: [user(3, 'q')],
      [`-p/${idOf(2)}.jsonl`]: [user(2, 'other')],
      [`-q/${idOf(3)}.jsonl`]: [user(2, 'other')],
    });
    await deleteSession(SESSION);
    expect(Object.keys(folder.tree()).sort()).toEqual([
      '-p/',
      `-p/${idOf(2)}.jsonl`,
      '-q/',
      `-q/${idOf(3)}.jsonl`,
    ]);
    await expect(deleteSession(SESSION)).rejects.toBeInstanceOf(SessionNotFoundError);
  });

  it('asks a store, and is content with one that cannot', async () => {
    const sessionStore = new InMemorySessionStore();
    const key = { projectKey: '-x-y', sessionId: SESSION };
    await sessionStore.append(key, [{ type: 'x' }]);
    await deleteSession(SESSION, { sessionStore, dir: '/x/y' });
    expect(await sessionStore.load(key)).toBeNull();
    const small = { append: () => Promise.resolve(), load: () => Promise.resolve(null) };
    await deleteSession(SESSION, { sessionStore: small });
  });
});
