// Sessions in a store: the same answers as on disk, and which calls they cost.
import { describe, expect, it, vi } from 'vitest';
import { InvalidOptionsError, SessionNotFoundError } from '../../../src/errors.js';
import type { SessionStore, SessionStoreEntry } from '../../../src/wire/protocol/config/session-store.js';
import { foldSessionSummary } from '../../../src/record/history/store/fold-session-summary.js';
import { importSessionToStore } from '../../../src/record/history/store/import-session.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { getSessionInfo, listSessions } from '../../../src/record/history/sessions/list-sessions.js';
import { createProjectKey } from '../../../src/record/history/folders/project-folders.js';
import { getSessionMessages } from '../../../src/record/history/sessions/session-messages.js';
import {
  deleteSession,
  renameSession,
  tagSession,
} from '../../../src/record/history/sessions/change-session.js';
import { getTranscriptState } from '../../../src/record/history/sessions/transcript-state.js';
import { forkSession } from '../../../src/record/history/sessions/fork-session.js';
import { getSubagentMessages, listSubagents } from '../../../src/record/history/sessions/subagents.js';
import { createDeferred } from '../../../src/util/deferred.js';
import { createConfigFolder, useConfigFolders } from './support/config-folder.js';
import { assistant, filler, idOf, SESSION, user } from './support/entries.js';
import { RECORDED_CASES } from './support/recorded-cases.js';

const useFolder = useConfigFolders();
const DIR = '/x/y';
const KEY = { projectKey: '-x-y', sessionId: SESSION };

/** A store without summaries that notes what it was asked. */
function observe(store: InMemorySessionStore, more: Partial<SessionStore> = {}) {
  const asked: string[] = [];
  const note =
    <Given extends unknown[], Value>(name: string, call: (...given: Given) => Value) =>
    (...given: Given): Value => {
      asked.push(
        `${name} ${typeof given[0] === 'string' ? given[0] : ((given[0] as { subpath?: string }).subpath ?? 'session')}`,
      );
      return call(...given);
    };
  const sessionStore: SessionStore = {
    append: note('append', (key, entries) => store.append(key, entries)),
    load: note('load', (key) => store.load(key)),
    listSessions: note('listSessions', (projectKey) => store.listSessions(projectKey)),
    listSubkeys: note('listSubkeys', (key) => store.listSubkeys(key)),
    ...more,
  };
  return { sessionStore, asked };
}

/** A store that can do no more than it must. */
function keepRequired(store: InMemorySessionStore): SessionStore {
  return { append: (key, entries) => store.append(key, entries), load: (key) => store.load(key) };
}

describe('what is in a store', () => {
  const cases = Object.values(RECORDED_CASES)
    .flat()
    .filter(({ files }) => Object.keys(files).some((path) => path.endsWith(`${SESSION}.jsonl`)));

  it('is read as on disk', async () => {
    expect(cases.length).toBeGreaterThan(100);
    for (const { name, files } of cases) {
      const folder = createConfigFolder(files);
      try {
        const sessionStore = new InMemorySessionStore();
        await importSessionToStore(SESSION, sessionStore, { dir: undefined }).catch((error: unknown) => {
          if (!(error instanceof SessionNotFoundError)) throw error;
        });
        const dir = process.cwd();
        // The store keeps an entry once, and no line that is none.
        if (name.includes('twice') || name.includes('cut') || name.includes('edge')) continue;
        expect(await getSessionMessages(SESSION, { sessionStore, dir }), name).toEqual(
          await getSessionMessages(SESSION),
        );
        // A store has no transcripts without entries.
        const subagents = (await listSubagents(SESSION)).filter((id) => id !== 'empty');
        expect(await listSubagents(SESSION, { sessionStore, dir }), name).toEqual(subagents);
        expect(await getSubagentMessages(SESSION, 'a1', { sessionStore, dir }), name).toEqual(
          await getSubagentMessages(SESSION, 'a1'),
        );
      } finally {
        folder.remove();
      }
    }
  });

  it('is described as on disk', async () => {
    const lines = [user(2, 'q'), { type: 'custom-title', customTitle: 'T' }, { type: 'tag', tag: 'G' }];
    useFolder({ [`-x-y/${SESSION}.jsonl`]: lines });
    const sessionStore = new InMemorySessionStore();
    await importSessionToStore(SESSION, sessionStore, { dir: DIR });
    const onDisk = await getSessionInfo(SESSION, { dir: DIR });
    expect(await getSessionInfo(SESSION, { sessionStore, dir: DIR })).toEqual({
      ...onDisk,
      lastModified: expect.any(Number) as unknown,
    });
    expect(await listSessions({ sessionStore, dir: DIR })).toEqual([
      { ...onDisk, lastModified: expect.any(Number) as unknown, fileSize: undefined, archived: undefined },
    ]);
  });

  it('is looked for under the directory of the process when none is given', async () => {
    const sessionStore = new InMemorySessionStore();
    await sessionStore.append({ ...KEY, projectKey: createProjectKey(process.cwd()) }, [
      user(2, 'here'),
    ] as never[]);
    await sessionStore.append(KEY, [user(2, 'elsewhere')] as never[]);
    expect(await listSessions({ sessionStore })).toMatchObject([{ firstPrompt: 'here' }]);
    expect(await getSessionInfo(SESSION, { sessionStore })).toMatchObject({ firstPrompt: 'here' });
  });
});

describe('a list from a store', () => {
  async function fill(count: number): Promise<InMemorySessionStore> {
    const store = new InMemorySessionStore();
    for (let number = 1; number <= count; number++) {
      await store.append({ ...KEY, sessionId: idOf(number) }, [user(2, `session ${number}`)] as never[]);
    }
    return store;
  }

  it('loads nothing where there are summaries', async () => {
    const store = await fill(3);
    const { sessionStore, asked } = observe(store, {
      listSessionSummaries: (projectKey) => store.listSessionSummaries(projectKey),
    });
    const prompts = (await listSessions({ sessionStore, dir: DIR })).map(({ firstPrompt }) => firstPrompt);
    expect(prompts).toEqual(['session 3', 'session 2', 'session 1']);
    expect(asked).toEqual(['listSessions -x-y']);
  });

  it('loads only what is on the page where there are none', async () => {
    const { sessionStore, asked } = observe(await fill(9));
    const page = await listSessions({ sessionStore, dir: DIR, limit: 2, offset: 3 });
    expect(page.map(({ firstPrompt }) => firstPrompt)).toEqual(['session 6', 'session 5']);
    expect(asked).toEqual(['listSessions -x-y', 'load session', 'load session']);
  });

  it('loads a session that its summary does not cover', async () => {
    const store = await fill(2);
    const stale = foldSessionSummary(undefined, KEY, [user(2, 'stale')] as never[], { mtime: 1 });
    const { sessionStore, asked } = observe(store, { listSessionSummaries: () => Promise.resolve([stale]) });
    const prompts = (await listSessions({ sessionStore, dir: DIR })).map(({ firstPrompt }) => firstPrompt);
    expect(prompts).toEqual(['session 2', 'session 1']);
    expect(asked.filter((call) => call.startsWith('load'))).toHaveLength(2);
  });

  it('shows a session that cannot be loaded without its facts', async () => {
    const store = await fill(2);
    const { sessionStore } = observe(store, {
      load: (key) => (key.sessionId === idOf(2) ? Promise.reject(new Error('broken')) : store.load(key)),
    });
    expect(await listSessions({ sessionStore, dir: DIR })).toMatchObject([
      { sessionId: idOf(2), summary: '' },
      { sessionId: idOf(1), summary: 'session 1' },
    ]);
  });

  it('cannot be had from a store that cannot list', async () => {
    const sessionStore = keepRequired(await fill(1));
    await expect(listSessions({ sessionStore })).rejects.toThrow(/listSessions is not implemented/);
    await expect(listSubagents(SESSION, { sessionStore })).rejects.toBeInstanceOf(InvalidOptionsError);
  });

  it('rejects with the store’s own error', async () => {
    const broken = new Error('broken');
    const { sessionStore } = observe(await fill(1), { listSessions: () => Promise.reject(broken) });
    await expect(listSessions({ sessionStore })).rejects.toBe(broken);
  });
});

describe('a subagent in a store', () => {
  it('is found where they usually are by a store that cannot list', async () => {
    const store = new InMemorySessionStore();
    await store.append({ ...KEY, subpath: 'subagents/agent-a' }, [
      { type: 'agent_metadata', toolUseId: 'toolu_1' },
      user(3, 'x') as SessionStoreEntry,
    ]);
    const sessionStore = keepRequired(store);
    expect(await getSubagentMessages(SESSION, 'a', { sessionStore, dir: DIR })).toMatchObject([
      { uuid: idOf(3), parent_tool_use_id: 'toolu_1' },
    ]);
  });
});

describe('the id of a subagent', () => {
  const HOSTILE = [
    '../../x',
    '..',
    '.',
    '',
    'a/b',
    'a\\b',
    'a\0',
    'a\nb',
    '\u001b[2J',
    'c:',
    'x'.repeat(300),
    'a\u2028',
  ];

  it.each([...HOSTILE, 5, null, undefined, {}, ['a']])('%j reaches no store and no file', async (agentId) => {
    const store = new InMemorySessionStore();
    const entry = user(3, 'x') as SessionStoreEntry;
    await store.append(
      { ...KEY, subpath: `subagents/agent-${typeof agentId === 'string' ? agentId : 'x'}` },
      [entry],
    );
    const { sessionStore, asked } = observe(store, { listSubkeys: undefined });
    useFolder({ [`-x-y/${SESSION}.jsonl`]: [user(2, 'x')] });
    expect(await getSubagentMessages(SESSION, agentId as string, { sessionStore, dir: DIR })).toEqual([]);
    expect(await getSubagentMessages(SESSION, agentId as string, { dir: DIR })).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('that a store lists is left out where it leads elsewhere', async () => {
    const subpaths = [
      ...HOSTILE.map((id) => `subagents/agent-${id}`),
      'subagents/../agent-x',
      '../subagents/agent-x',
      '/subagents/agent-x',
      'subagents/\n/agent-x',
      'subagents/agent-ok',
      'subagents/deep/agent-ok2',
      'subagents/agent-a.b_c-d@e',
    ];
    const { sessionStore, asked } = observe(new InMemorySessionStore(), {
      listSubkeys: () => Promise.resolve(subpaths),
    });
    const ids = await listSubagents(SESSION, { sessionStore, dir: DIR });
    expect(ids).toEqual(['ok', 'ok2', 'a.b_c-d@e']);
    for (const id of ids) await getSubagentMessages(SESSION, id, { sessionStore, dir: DIR });
    expect(asked).toEqual([
      'load subagents/agent-ok',
      'load subagents/deep/agent-ok2',
      'load subagents/agent-a.b_c-d@e',
    ]);
  });
});

describe('a store that misbehaves', () => {
  const hang = (): Promise<never> => new Promise(() => {});
  const give = (value: unknown) => () => Promise.resolve(value as never);
  const throwNull = (): never => {
    throw null;
  };
  const base: SessionStore = { append: () => Promise.resolve(), load: () => Promise.resolve(null) };
  const calls: Record<string, (sessionStore: SessionStore) => Promise<unknown>> = {
    listSessions: (sessionStore) => listSessions({ sessionStore, dir: DIR }),
    getSessionInfo: (sessionStore) => getSessionInfo(SESSION, { sessionStore, dir: DIR }),
    getSessionMessages: (sessionStore) => getSessionMessages(SESSION, { sessionStore, dir: DIR }),
    getTranscriptState: (sessionStore) => getTranscriptState(SESSION, { sessionStore, dir: DIR }),
    listSubagents: (sessionStore) => listSubagents(SESSION, { sessionStore, dir: DIR }),
    getSubagentMessages: (sessionStore) => getSubagentMessages(SESSION, 'a', { sessionStore, dir: DIR }),
    forkSession: (sessionStore) => forkSession(SESSION, { sessionStore, dir: DIR }),
    renameSession: (sessionStore) => renameSession(SESSION, 'x', { sessionStore, dir: DIR }),
    tagSession: (sessionStore) => tagSession(SESSION, 'x', { sessionStore, dir: DIR }),
    deleteSession: (sessionStore) => deleteSession(SESSION, { sessionStore, dir: DIR }),
  };
  /** The method of the store that a call comes to first. */
  const METHODS: Record<string, keyof SessionStore> = {
    listSessions: 'listSessions',
    getSessionInfo: 'load',
    getSessionMessages: 'load',
    getTranscriptState: 'load',
    listSubagents: 'listSubkeys',
    getSubagentMessages: 'load',
    forkSession: 'load',
    renameSession: 'append',
    tagSession: 'append',
    deleteSession: 'delete',
  };

  describe.each(Object.keys(calls))('to %s', (name) => {
    const method = METHODS[name] as keyof SessionStore;
    const call = (answer: () => unknown): Promise<unknown> =>
      (calls[name] as (store: SessionStore) => Promise<unknown>)({ ...base, [method]: answer });
    const typed = { name: 'SessionStoreError', operation: method };

    it('throws nothing but a SessionStoreError, or the Error it was given', async () => {
      await expect(call(throwNull)).rejects.toMatchObject({ ...typed, code: 'SESSION_STORE_FAILED' });
      await expect(call(() => Promise.reject('text'))).rejects.toMatchObject({ ...typed, cause: 'text' });
      const own = new TypeError('own');
      await expect(call(() => Promise.reject(own))).rejects.toBe(own);
    });

    it('does not wait for ever', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const asked = createDeferred<void>();
        const ended = expect(
          call(() => {
            asked.resolve();
            return hang();
          }),
        ).rejects.toMatchObject({ ...typed, code: 'SESSION_STORE_TIMEOUT' });
        await asked.promise;
        await vi.advanceTimersByTimeAsync(60_000);
        await ended;
      } finally {
        vi.useRealTimers();
      }
    });

    // The other two give nothing back.
    if (method === 'append' || method === 'delete') return;
    it('names what it cannot use', async () => {
      for (const value of [{}, 'text', 5, true, [null], [5], [['x']]]) {
        await expect(call(give(value)), JSON.stringify(value)).rejects.toMatchObject({
          ...typed,
          message: expect.stringMatching(
            /^SessionStore\.\w+\(\) returned something that cannot be used/,
          ) as unknown,
        });
      }
      if (name === 'forkSession') return;
      // Nothing is nothing, however it is said.
      for (const value of [null, undefined]) await call(give(value));
    });
  });

  it('has its summaries checked too, and sessions without a real id left out', async () => {
    const list = (summaries: unknown): Promise<unknown> =>
      listSessions({ sessionStore: { ...base, listSessionSummaries: give(summaries) }, dir: DIR });
    await expect(list([{ sessionId: SESSION, mtime: 1 }])).rejects.toThrow(
      /the "data" of element 0 is undefined/,
    );
    await expect(list([{ sessionId: SESSION, mtime: '1', data: {} }])).rejects.toThrow(
      /"mtime" of element 0/,
    );
    const data = { customTitle: 'T' };
    const ids = ['../../x', 'a\nb', '', SESSION];
    expect(await list(ids.map((sessionId) => ({ sessionId, mtime: 1, data })))).toMatchObject([
      { sessionId: SESSION, summary: 'T' },
    ]);
    const listed = ids.map((sessionId, index) => ({ sessionId, mtime: new Date(index) }));
    const sessionStore = { ...base, load: give([user(2, 'hello')]), listSessions: give(listed) };
    expect(await listSessions({ sessionStore, dir: DIR })).toMatchObject([
      { sessionId: SESSION, lastModified: 3 },
    ]);
  });
});

describe('importSessionToStore', () => {
  const FILE = `-x-y/${SESSION}.jsonl`;

  function collect() {
    const batches: { subpath: string | undefined; types: string[] }[] = [];
    const store: SessionStore = {
      append: (key, entries) => {
        batches.push({ subpath: key.subpath, types: entries.map(({ type }) => type) });
        return Promise.resolve();
      },
      load: () => Promise.resolve(null),
    };
    return { store, batches };
  }

  it('sends entries in batches, those of subagents after them, with their notes', async () => {
    const lines = [2, 3, 4, 5, 6].map((number) => user(number, 'q'));
    useFolder({
      [FILE]: [...lines.slice(0, 3), 'garbage', '[1]', ...lines.slice(3)],
      [`-x-y/${SESSION}/subagents/agent-a.jsonl`]: [assistant(7, 'a')],
      [`-x-y/${SESSION}/subagents/agent-a.meta.json`]: '{"toolUseId":"toolu_1"}',
      [`-x-y/${SESSION}/subagents/deep/agent-b.jsonl`]: [user(8, 'q')],
    });
    const { store, batches } = collect();
    await importSessionToStore(SESSION, store, { dir: DIR, batchSize: 2 });
    expect(batches).toEqual([
      { subpath: undefined, types: ['user', 'user'] },
      { subpath: undefined, types: ['user', 'user'] },
      { subpath: undefined, types: ['user'] },
      { subpath: 'subagents/agent-a', types: ['assistant'] },
      { subpath: 'subagents/agent-a', types: ['agent_metadata'] },
      { subpath: 'subagents/deep/agent-b', types: ['user'] },
    ]);
  });

  it('leaves subagents out, where told to', async () => {
    useFolder({ [FILE]: [user(2, 'q')], [`-x-y/${SESSION}/subagents/agent-a.jsonl`]: [user(3, 'q')] });
    const { store, batches } = collect();
    await importSessionToStore(SESSION, store, { dir: DIR, includeSubagents: false });
    expect(batches).toHaveLength(1);
  });

  it('keeps batches small in bytes too', async () => {
    useFolder({ [FILE]: [2, 3, 4].map((number) => user(number, 'x'.repeat(600_000))) });
    const { store, batches } = collect();
    await importSessionToStore(SESSION, store, { dir: DIR });
    expect(batches.map(({ types }) => types.length)).toEqual([1, 1, 1]);
  });

  it('waits for the store, and goes no further than its first failure', async () => {
    useFolder({ [FILE]: filler(2_000_000) });
    let calls = 0;
    let atOnce = 0;
    const store: SessionStore = {
      async append() {
        calls += 1;
        atOnce += 1;
        expect(atOnce).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        if (calls === 2) throw new Error('full');
      },
      load: () => Promise.resolve(null),
    };
    await expect(importSessionToStore(SESSION, store, { dir: DIR })).rejects.toThrow('full');
    expect(calls).toBe(2);
  });

  it('refuses what is not there', async () => {
    useFolder({ [FILE]: '' });
    const { store, batches } = collect();
    await expect(importSessionToStore(SESSION, store)).rejects.toBeInstanceOf(SessionNotFoundError);
    await expect(importSessionToStore('abc', store)).rejects.toBeInstanceOf(InvalidOptionsError);
    expect(batches).toEqual([]);
  });
});

describe('a project with a key of its own', () => {
  const key = { projectKey: 'shop', sessionId: SESSION };

  async function createShop(): Promise<{ sessionStore: InMemorySessionStore; projectKey: string }> {
    const sessionStore = new InMemorySessionStore();
    await sessionStore.append(key, [user(2, 'q')] as SessionStoreEntry[]);
    await sessionStore.append({ ...key, subpath: 'subagents/agent-a1' }, [
      user(3, 's'),
    ] as SessionStoreEntry[]);
    return { sessionStore, projectKey: 'shop' };
  }

  it('is read, changed and copied under it, wherever this process runs', async () => {
    const shop = await createShop();
    const { sessionStore } = shop;
    expect(await getSessionMessages(SESSION, shop)).toHaveLength(1);
    expect(await listSubagents(SESSION, shop)).toEqual(['a1']);
    expect(await getSubagentMessages(SESSION, 'a1', shop)).toHaveLength(1);
    await renameSession(SESSION, 'Named', shop);
    await tagSession(SESSION, 'tagged', shop);
    expect(await getSessionInfo(SESSION, shop)).toMatchObject({ customTitle: 'Named', tag: 'tagged' });
    const fork = await forkSession(SESSION, shop);
    expect(await getSessionMessages(fork.sessionId, shop)).toHaveLength(1);
    expect(await listSessions(shop)).toHaveLength(2);
    await deleteSession(SESSION, shop);
    expect(await listSessions(shop)).toMatchObject([{ sessionId: fork.sessionId }]);
    // Nothing of it is under the key that this process's own directory would give.
    expect(await listSessions({ sessionStore })).toEqual([]);
  });

  it('is what a session from disk is imported into', async () => {
    useFolder({ [`-x-y/${SESSION}.jsonl`]: [user(2, 'q')] });
    const sessionStore = new InMemorySessionStore();
    await importSessionToStore(SESSION, sessionStore, { dir: DIR, projectKey: 'shop' });
    expect(sessionStore.getEntries(key)).toHaveLength(1);
  });

  it('names no directory for a session that does not say its own', async () => {
    const sessionStore = new InMemorySessionStore();
    await sessionStore.append(key, [{ ...user(2, 'q'), cwd: undefined }] as never[]);
    expect((await listSessions({ sessionStore, projectKey: 'shop' }))[0]?.cwd).toBeUndefined();
  });

  it.each([
    ['without a store', { projectKey: 'shop' }, 'sessionStore'],
    ['that is empty', { projectKey: '', sessionStore: new InMemorySessionStore() }, 'not empty'],
  ])('is refused %s', async (_, options, reason) => {
    for (const ask of [
      listSessions(options),
      getSessionInfo(SESSION, options),
      getSessionMessages(SESSION, options),
      listSubagents(SESSION, options),
      getSubagentMessages(SESSION, 'a1', options),
      renameSession(SESSION, 'T', options),
      forkSession(SESSION, options),
      deleteSession(SESSION, options),
    ]) {
      await expect(ask).rejects.toThrow(InvalidOptionsError);
      await expect(ask).rejects.toThrow(reason);
    }
  });
});

describe('foldSessionSummary', () => {
  it('is the same in one go and in many, and leaves what it is given alone', () => {
    const entries = [
      user(2, '<command-name>/x</command-name>'),
      user(3, 'A prompt'),
      assistant(4, 'a', { gitBranch: 'topic' }),
      { type: 'custom-title', customTitle: 'T' },
      { type: 'tag', tag: 'G' },
      { type: 'last-prompt', lastPrompt: 'L' },
    ] as SessionStoreEntry[];
    const whole = foldSessionSummary(undefined, KEY, entries, { mtime: 7 });
    let step = foldSessionSummary(undefined, KEY, []);
    for (const entry of entries) {
      const before = structuredClone(step);
      const next = foldSessionSummary(step, KEY, [entry], { mtime: 7 });
      expect(step).toEqual(before);
      step = next;
    }
    expect(step).toEqual(whole);
    expect(whole).toEqual({
      sessionId: SESSION,
      mtime: 7,
      data: {
        isSidechain: false,
        createdAt: Date.parse('2025-01-02T03:04:05.000Z'),
        cwd: '/x/y',
        commandFallback: '/x',
        firstPrompt: 'A prompt',
        firstPromptLocked: true,
        gitBranch: 'topic',
        customTitle: 'T',
        tag: 'G',
        lastPrompt: 'L',
      },
    });
  });
});
