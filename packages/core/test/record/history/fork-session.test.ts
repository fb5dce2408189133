// Copies of sessions, and what must not be copied.
import { describe, expect, it } from 'vitest';
import { SessionNotFoundError } from '../../../src/errors.js';
import { forkSession } from '../../../src/record/history/sessions/fork-session.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { getSessionInfo } from '../../../src/record/history/sessions/list-sessions.js';
import { getSessionMessages } from '../../../src/record/history/sessions/session-messages.js';
import { stringifyDeep } from '../../../src/util/deep-json.js';
import { useConfigFolders } from './support/config-folder.js';
import {
  assistant,
  boundary,
  createEntry,
  filler,
  idOf,
  numberOf,
  SESSION,
  textOf,
  user,
  type Line,
} from './support/entries.js';

const createConfigFolder = useConfigFolders();
const FILE = `-p/${SESSION}.jsonl`;
const TALK = [user(2, 'one'), assistant(3, 'two', { parent: 2 }), user(4, 'three', { parent: 3 })];
const segment = (head: number, anchor: number, tail: number): Line => ({
  preservedSegment: { headUuid: idOf(head), anchorUuid: idOf(anchor), tailUuid: idOf(tail) },
});

/** Forks a transcript and gives the entries of the fork. */
async function fork(lines: string | readonly (string | Line)[], options = {}): Promise<Line[]> {
  const folder = createConfigFolder({ [FILE]: lines });
  const { sessionId } = await forkSession(SESSION, options);
  expect(folder.read(FILE)).toBe(textOf(lines));
  expect(folder.tree()[`-p/${sessionId}.jsonl`]).toBe('600');
  const copied = folder.read(`-p/${sessionId}.jsonl`).trimEnd().split('\n');
  return copied.map((line) => JSON.parse(line) as Line);
}

/** The numbers of the originals of copied entries. */
function originals(copied: readonly Line[]): number[] {
  return copied.flatMap(({ forkedFrom }) =>
    forkedFrom ? numberOf((forkedFrom as { messageUuid: string }).messageUuid) : [],
  );
}

describe('forkSession', () => {
  it('copies entries nested however deep, in files and in stores', async () => {
    const deep = `${'['.repeat(20_000)}7${']'.repeat(20_000)}`;
    const entry = JSON.stringify(user(2, 'one')).replace(/\}$/, `,"toolUseResult":${deep}}`);
    const folder = createConfigFolder({ [FILE]: `${entry}\n` });
    const { sessionId } = await forkSession(SESSION);
    expect(folder.read(`-p/${sessionId}.jsonl`)).toContain(`"toolUseResult":${deep}`);

    const store = new InMemorySessionStore();
    const key = { projectKey: '-p', sessionId: SESSION };
    await store.append(key, [JSON.parse(entry) as never]);
    const stored = await forkSession(SESSION, { sessionStore: store, projectKey: '-p' });
    const [copied] = (await store.load({ ...key, sessionId: stored.sessionId })) ?? [];
    expect(stringifyDeep(copied)).toContain(`"toolUseResult":${deep}`);
  });

  it('copies under new ids that lead to each other', async () => {
    const copied = await fork([
      createEntry('attachment', 10),
      user(2, 'one', {
        parent: 10,
        slug: 's',
        teamName: 't',
        agentName: 'a',
        sourceToolAssistantUUID: idOf(9),
      }),
      createEntry('progress', 11, { parent: 2 }),
      assistant(3, 'two', { parent: 11, logicalParentUuid: idOf(2) }),
      user(5, 'beside', { parent: 3, isSidechain: true }),
      { type: 'last-prompt', lastPrompt: 'x' },
      user(4, 'three', { parent: 3 }),
      'garbage',
    ]);
    expect(originals(copied)).toEqual([10, 2, 3, 4]);
    const [first, second, third, fourth, title] = copied;
    const ids = copied.map(({ uuid }) => uuid);
    expect(new Set(ids).size).toBe(5);
    expect(ids.some((id) => String(id).startsWith('00000000'))).toBe(false);
    expect(first).toMatchObject({ parentUuid: null });
    expect(second).toMatchObject({ parentUuid: first?.['uuid'], message: { content: 'one' } });
    for (const field of ['slug', 'teamName', 'agentName', 'sourceToolAssistantUUID']) {
      expect(second).not.toHaveProperty(field);
    }
    expect(third).toMatchObject({ parentUuid: second?.['uuid'], logicalParentUuid: second?.['uuid'] });
    expect(fourth).toMatchObject({ parentUuid: third?.['uuid'] });
    expect(Date.parse(String(fourth?.['timestamp']))).toBeGreaterThan(Date.parse('2026-01-01'));
    expect(title).toMatchObject({ type: 'custom-title', customTitle: 'one (fork)' });
    expect(new Set(copied.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it('reads as the same conversation', async () => {
    createConfigFolder({ [FILE]: TALK });
    const { sessionId } = await forkSession(SESSION, { title: ' Mine ' });
    const texts = async (id: string): Promise<unknown[]> =>
      (await getSessionMessages(id)).map(({ message }) => message);
    expect(await texts(sessionId)).toEqual(await texts(SESSION));
    expect(await getSessionInfo(sessionId)).toMatchObject({ customTitle: 'Mine', firstPrompt: 'one' });
  });

  it.each([
    ['its title', [...TALK, { type: 'custom-title', customTitle: 'T' }], 'T (fork)'],
    ['the model’s title', [...TALK, { type: 'ai-title', aiTitle: 'A' }], 'A (fork)'],
    ['nothing', [createEntry('system', 2)], 'Forked session (fork)'],
  ])('is named after %s', async (_, lines, title) => {
    expect((await fork(lines)).at(-1)).toMatchObject({ customTitle: title });
  });

  it('takes along what was replaced in the session', async () => {
    const copied = await fork([
      ...TALK,
      { type: 'content-replacement', sessionId: SESSION, replacements: [{ a: 1 }] },
      { type: 'content-replacement', sessionId: idOf(8), replacements: [{ b: 1 }] },
      { type: 'content-replacement', sessionId: SESSION, replacements: [{ c: 1 }] },
    ]);
    expect(copied.at(-2)).toMatchObject({ type: 'content-replacement', replacements: [{ a: 1 }, { c: 1 }] });
  });

  it("takes along the CLI's notes about the whole session, the last of each, before the title", async () => {
    const latch = (atis: unknown, sessionId = SESSION): Line => ({ type: 'atis-latch', atis, sessionId });
    const used = (tools: unknown, sessionId = SESSION): Line => ({ type: 'tools-used', tools, sessionId });
    const copied = await fork(
      [
        used(['A']),
        ...TALK,
        latch('x'),
        latch('y'),
        latch(5),
        latch('z', idOf(9)),
        used(['B', 5]),
        used('no'),
        used(['Z'], idOf(9)),
      ],
      { upToMessageId: idOf(2) },
    );
    const [, note, tools, title] = copied;
    const sessionId = title?.['sessionId'];
    expect(note).toEqual({ type: 'atis-latch', sessionId, atis: 'y' });
    expect(tools).toEqual({ type: 'tools-used', sessionId, tools: ['B'] });
    expect(title).toMatchObject({ type: 'custom-title' });
    expect(copied).toHaveLength(4);
  });

  it('ends at a message', async () => {
    const copied = await fork([...TALK, user(5, 'four', { parent: 2 })], { upToMessageId: idOf(3) });
    expect(originals(copied)).toEqual([2, 3]);
  });

  it('ends before a compaction that would be its end', async () => {
    const lines = [...TALK, boundary(20), user(21, 's', { parent: 20 })];
    expect(originals(await fork(lines, { upToMessageId: idOf(20) }))).toEqual([2, 3, 4]);
  });

  it('leaves out a compaction that is not on the way to the message', async () => {
    const lines = [
      ...TALK,
      boundary(20),
      user(21, 's', { parent: 20 }),
      user(22, 'u', { parent: 21 }),
      user(6, 'u', { parent: 3 }),
    ];
    expect(originals(await fork(lines, { upToMessageId: idOf(6) }))).toEqual([2, 3, 4, 6]);
    expect(originals(await fork(lines, { upToMessageId: idOf(22) }))).toEqual([2, 3, 4, 20, 21, 22]);
    expect(originals(await fork(lines))).toEqual([2, 3, 4, 20, 21, 22, 6]);
  });

  it('follows what a compaction has kept, unless it comes behind the end', async () => {
    const lines = [
      ...TALK,
      boundary(20, segment(3, 21, 4)),
      user(21, 's', { parent: 20 }),
      user(22, 'u', { parent: 21 }),
    ];
    const whole = await fork(lines);
    const newId = (number: number): unknown => whole[originals(whole).indexOf(number)]?.['uuid'];
    expect(whole[3]?.['compactMetadata']).toMatchObject({
      preservedSegment: { headUuid: newId(3), anchorUuid: newId(21), tailUuid: newId(4) },
    });
    const cut = await fork(lines, { upToMessageId: idOf(21) });
    expect(cut[3]?.['compactMetadata']).toEqual({ trigger: 'manual' });
  });

  it('copies a transcript that is larger than what is read at a time', async () => {
    const many = Array.from({ length: 3000 }, (_, index) =>
      user(10 + index, 'x'.repeat(300), { parent: index === 0 ? null : 9 + index }),
    );
    const copied = await fork(textOf(many) + filler(300_000));
    expect(originals(copied)).toEqual(many.map(({ uuid }) => numberOf(String(uuid))));
  });

  it('refuses what cannot be copied, and leaves no file', async () => {
    const folder = createConfigFolder({ [FILE]: TALK, [`-p/${idOf(2)}.jsonl`]: [{ type: 'tag', tag: 'x' }] });
    const before = folder.tree();
    await expect(forkSession(idOf(9))).rejects.toBeInstanceOf(SessionNotFoundError);
    await expect(forkSession('abc')).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
    await expect(forkSession(idOf(2))).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      message: expect.stringContaining('no messages') as unknown,
    });
    await expect(forkSession(SESSION, { upToMessageId: idOf(77) })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: expect.stringContaining(idOf(77)) as unknown,
    });
    expect(folder.tree()).toEqual(before);
  });

  it('copies within a store', async () => {
    const sessionStore = new InMemorySessionStore();
    const key = { projectKey: '-x-y', sessionId: SESSION };
    await sessionStore.append(key, TALK as never);
    const { sessionId } = await forkSession(SESSION, { sessionStore, dir: '/x/y' });
    expect(originals(sessionStore.getEntries({ ...key, sessionId }))).toEqual([2, 3, 4]);
    await expect(forkSession(idOf(9), { sessionStore })).rejects.toBeInstanceOf(SessionNotFoundError);
  });
});
