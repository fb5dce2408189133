// The conformance suite: passed by a good store, and failed by every store that does one thing wrong.
import { describe, expect, it } from 'vitest';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '../../../src/wire/protocol/config/session-store.js';
import {
  createMemoryCallRecords,
  MemoryCallRegistry,
} from '../../../src/record/calls/memory-call-records.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import {
  describeSessionStore,
  sessionStoreCases,
} from '@inboard/testing/conformance/session-store-conformance.js';

describeSessionStore('InMemorySessionStore', () => new InMemorySessionStore(), { describe, it });

/** A store with no more than it must have. */
function createSmallStore(): SessionStore {
  const { append, load } = bindAll(new InMemorySessionStore());
  return { append, load };
}

describeSessionStore('a store that can only append and load', createSmallStore, {
  describe,
  it,
  methods: [],
});

type FullStore = Required<SessionStore>;

function bindAll(store: InMemorySessionStore): FullStore {
  return {
    append: (key, entries) => store.append(key, entries),
    load: (key) => store.load(key),
    delete: (key) => store.delete(key),
    listSessions: (projectKey) => store.listSessions(projectKey),
    listSessionSummaries: (projectKey) => store.listSessionSummaries(projectKey),
    listSubkeys: (key) => store.listSubkeys(key),
    calls: (key) => store.calls(key),
  };
}

const sleepOneTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const reverse = <Value>(list: Value[] | null): Value[] | null => list && list.toReversed();

// Each takes a good store and breaks one promise of it.
const broken: Record<string, (good: FullStore) => Partial<FullStore>> = {
  'puts entries in another order': (good) => ({ load: async (key) => reverse(await good.load(key)) }),
  'puts the newest batch first': () => createNaiveStore((old, fresh) => [...fresh, ...old]),
  'gives an empty list for what it does not know': (good) => ({
    load: async (key) => (await good.load(key)) ?? [],
  }),
  'fails on what it does not know': (good) => ({
    load: async (key) => (await good.load(key)) ?? Promise.reject(new Error('unknown')),
  }),
  'mixes up projects': (good) => ({
    append: (key, entries) => good.append({ ...key, projectKey: 'one' }, entries),
    load: (key) => good.load({ ...key, projectKey: 'one' }),
  }),
  'mixes up subpaths': (good) => ({
    append: (key, entries) => good.append({ ...key, ...(key.subpath && { subpath: 'one' }) }, entries),
    load: (key) => good.load({ ...key, ...(key.subpath && { subpath: 'one' }) }),
  }),
  'ignores subpaths': (good) => ({
    append: ({ projectKey, sessionId }, entries) => good.append({ projectKey, sessionId }, entries),
    load: ({ projectKey, sessionId }) => good.load({ projectKey, sessionId }),
  }),
  'joins keys to a name': () =>
    createNaiveStore(
      undefined,
      (key) => `${key.projectKey}-${key.sessionId}${key.subpath ? `-${key.subpath}` : ''}`,
    ),
  'keeps entries twice': () => createNaiveStore(),
  'tells duplicates in the whole store': () => {
    const seen = new Set<string>();
    return createNaiveStore((old, fresh) => [
      ...old,
      ...fresh.filter(({ uuid }) => !uuid || (!seen.has(uuid) && seen.add(uuid))),
    ]);
  },
  'takes equal entries for one': () =>
    createNaiveStore((old, fresh) => [
      ...new Map([...old, ...fresh].map((entry) => [entry.uuid ?? JSON.stringify(entry), entry])).values(),
    ]),
  'loses entries without a uuid': (good) => ({
    append: (key, entries) =>
      good.append(
        key,
        entries.filter(({ uuid }) => uuid),
      ),
  }),
  'writes over what was appended meanwhile': (good) => ({
    async append(key, entries) {
      const before = (await good.load(key)) ?? [];
      await sleepOneTurn();
      await good.delete(key);
      await good.append(key, [...before, ...entries]);
    },
  }),
  'writes entries one by one': (good) => ({
    async append(key, entries) {
      await Promise.all(
        entries.map(async (entry, index) => {
          // The later the sooner; within some turns, however many there are.
          const turns = Math.ceil((20 * (entries.length - index)) / entries.length);
          for (let turn = 0; turn < turns; turn++) await sleepOneTurn();
          await good.append(key, [entry]);
        }),
      );
    },
  }),
  'cuts long entries': (good) => ({
    append: (key, entries) =>
      good.append(
        key,
        entries.map((entry) => (JSON.stringify(entry).length > 1_000_000 ? { type: entry.type } : entry)),
      ),
  }),
  'cuts long batches': (good) => ({ append: (key, entries) => good.append(key, entries.slice(0, 1000)) }),
  'cuts long keys': (good) => ({
    append: (key, entries) => good.append({ ...key, projectKey: key.projectKey.slice(0, 128) }, entries),
    load: (key) => good.load({ ...key, projectKey: key.projectKey.slice(0, 128) }),
  }),
  'cannot keep control characters': (good) => ({
    append: (key, entries) =>
      good.append(key, JSON.parse(JSON.stringify(entries).replaceAll('\\u0000', '')) as SessionStoreEntry[]),
  }),
  'drops what is null': (good) => ({
    append: (key, entries) =>
      good.append(
        key,
        entries.map(
          (entry) =>
            Object.fromEntries(
              Object.entries(entry).filter(([, value]) => value !== null),
            ) as SessionStoreEntry,
        ),
      ),
  }),
  'adds a field of its own': (good) => ({
    load: async (key) => (await good.load(key))?.map((entry) => ({ ...entry, _id: 1 })) ?? null,
  }),
  'changes what it is given': (good) => ({
    append(key, entries) {
      for (const entry of entries) entry['storedAt'] = 1;
      return good.append(key, entries);
    },
  }),
  'hands out what it keeps': () =>
    createNaiveStore((old, fresh) => [
      ...old,
      ...fresh.filter((entry) => !old.some(({ uuid }) => uuid && uuid === entry.uuid)),
    ]),
  'fails on an empty append': (good) => ({
    append: (key, entries) =>
      entries.length === 0 ? Promise.reject(new Error('empty')) : good.append(key, entries),
  }),
  'deletes only the session itself': (good) => ({
    async delete(key) {
      const subpaths = key.subpath === undefined ? await good.listSubkeys(key) : [];
      const kept = await Promise.all(
        subpaths.map(async (subpath) => ({ subpath, entries: await good.load({ ...key, subpath }) })),
      );
      await good.delete(key);
      for (const { subpath, entries } of kept) await good.append({ ...key, subpath }, entries ?? []);
    },
  }),
  'deletes the session with a subagent': (good) => ({
    delete: ({ projectKey, sessionId }) => good.delete({ projectKey, sessionId }),
  }),
  'deletes everything that begins alike': (good) => {
    const keys = new Map<string, SessionKey>();
    return {
      append(key, entries) {
        keys.set(JSON.stringify(key), key);
        return good.append(key, entries);
      },
      async delete(key) {
        await good.delete(key);
        if (key.subpath !== undefined) return;
        for (const each of keys.values()) {
          if (each.projectKey === key.projectKey && each.sessionId.startsWith(key.sessionId))
            await good.delete(each);
        }
      },
    };
  },
  'fails to delete what is not there': (good) => ({
    delete: async (key) =>
      (await good.load(key)) ? good.delete(key) : Promise.reject(new Error('not there')),
  }),
  'remembers what was deleted': () => {
    const deleted = new Set<string>();
    const naive = createNaiveStore((old, fresh) => [
      ...old,
      ...fresh.filter(({ uuid }) => !uuid || !deleted.has(uuid)),
    ]);
    return {
      ...naive,
      async delete(key) {
        for (const { uuid } of (await naive.load(key)) ?? []) deleted.add(uuid ?? '');
        await naive.delete(key);
      },
    };
  },
  'lists the session among its subpaths': (good) => ({
    listSubkeys: async (key) => ['', ...(await good.listSubkeys(key))],
  }),
  'lists subpaths by their last part': (good) => ({
    listSubkeys: async (key) =>
      (await good.listSubkeys(key)).map((subpath) => subpath.split('/').at(-1) ?? ''),
  }),
  'lists no subpaths': () => ({ listSubkeys: () => Promise.resolve([]) }),
  'lists subagents as sessions': (good) => ({
    append: async (key, entries) => {
      await good.append(key, entries);
      if (key.subpath !== undefined)
        await good.append({ ...key, sessionId: `${key.sessionId}/${key.subpath}`, subpath: undefined }, []);
    },
  }),
  'lists the sessions of every project': (good) => {
    const projects = new Set<string>();
    return {
      append(key, entries) {
        projects.add(key.projectKey);
        return good.append(key, entries);
      },
      listSessions: async () =>
        (await Promise.all([...projects].map((key) => good.listSessions(key)))).flat(),
    };
  },
  'counts seconds': (good) => ({
    listSessions: async (projectKey) =>
      (await good.listSessions(projectKey)).map(({ sessionId, mtime }) => ({
        sessionId,
        mtime: Math.floor(mtime / 1000),
      })),
  }),
  'gives times as text': (good) => ({
    listSessions: async (projectKey) =>
      (await good.listSessions(projectKey)).map(({ sessionId, mtime }) => ({
        sessionId,
        mtime: new Date(mtime).toISOString() as unknown as number,
      })),
  }),
  'lists what was deleted': (good) => {
    const known = new Map<string, { sessionId: string; mtime: number }>();
    return {
      async listSessions(projectKey) {
        for (const each of await good.listSessions(projectKey)) known.set(each.sessionId, each);
        return [...known.values()];
      },
      async delete(key) {
        for (const each of await good.listSessions(key.projectKey)) known.set(each.sessionId, each);
        await good.delete(key);
      },
    };
  },
  'summarizes only the first append': (good) => {
    const seen = new Set<string>();
    const summaries = new InMemorySessionStore();
    return {
      async append(key, entries) {
        await good.append(key, entries);
        if (key.subpath !== undefined || seen.has(key.sessionId)) return;
        seen.add(key.sessionId);
        await summaries.append(key, entries);
      },
      listSessionSummaries: (projectKey) => summaries.listSessionSummaries(projectKey),
    };
  },
  'summarizes subagents too': (good) => {
    const summaries = new InMemorySessionStore();
    return {
      async append(key, entries) {
        await good.append(key, entries);
        await summaries.append({ projectKey: key.projectKey, sessionId: key.sessionId }, entries);
      },
      listSessionSummaries: (projectKey) => summaries.listSessionSummaries(projectKey),
    };
  },
  'has other records for everyone who asks': () => ({ calls: () => createMemoryCallRecords() }),
  'has the same records for all projects': (good) => ({
    calls: ({ sessionId }) => good.calls({ projectKey: 'one', sessionId }),
  }),
  'has the same records for all sessions': (good) => ({
    calls: ({ projectKey }) => good.calls({ projectKey, sessionId: 'one' }),
  }),
  'keeps facts about calls among the entries': (good) => ({
    calls: (key) => {
      const records = good.calls(key);
      return {
        ...records,
        add: async (fact) => {
          await records.add(fact);
          await good.append(key, [{ ...fact }]);
        },
      };
    },
  }),
  'keeps facts about calls of a session that was deleted': (good) => {
    const registry = new MemoryCallRegistry();
    return { delete: (key) => good.delete(key), calls: (key) => registry.open(JSON.stringify(key)) };
  },
  'deletes facts about calls with a subagent': (good) => {
    const registry = new MemoryCallRegistry();
    const nameOf = ({ projectKey, sessionId }: { projectKey: string; sessionId: string }): string =>
      JSON.stringify([projectKey, sessionId]);
    return {
      delete: (key) => {
        registry.delete(nameOf(key));
        return good.delete(key);
      },
      calls: (key) => registry.open(nameOf(key)),
    };
  },
  'keeps summaries that are always stale': (good) => ({
    listSessionSummaries: async (projectKey) =>
      (await good.listSessionSummaries(projectKey)).map((summary) => ({ ...summary, mtime: 0 })),
  }),
};

// Keeps what it is given, as it is; the ways to combine and to name are what can be wrong with it.
function createNaiveStore(
  combine = (old: SessionStoreEntry[], fresh: SessionStoreEntry[]): SessionStoreEntry[] => [...old, ...fresh],
  name = (key: SessionKey): string => JSON.stringify([key.projectKey, key.sessionId, key.subpath]),
): Pick<FullStore, 'append' | 'load' | 'delete'> {
  const kept = new Map<string, SessionStoreEntry[]>();
  return {
    append(key, entries) {
      kept.set(name(key), combine(kept.get(name(key)) ?? [], entries));
      return Promise.resolve();
    },
    load: (key) => Promise.resolve(kept.get(name(key)) ?? null),
    delete({ projectKey, sessionId, subpath }) {
      const names = [...kept.keys()].filter((each) => each.startsWith(`["${projectKey}","${sessionId}",`));
      for (const each of subpath === undefined ? names : [name({ projectKey, sessionId, subpath })])
        kept.delete(each);
      return Promise.resolve();
    },
  };
}

// Cases about methods that a store lacks say nothing about it.
async function listFailures(createStore: () => SessionStore): Promise<string[]> {
  const failures: string[] = [];
  const methods = Object.keys(createStore());
  const cases = sessionStoreCases().filter(({ needs }) => needs.every((method) => methods.includes(method)));
  for (const { name, run } of cases) {
    try {
      await run(createStore);
    } catch {
      failures.push(name);
    }
  }
  return failures;
}

describe('the conformance suite', () => {
  it('has nothing against a good store, however it is put together', async () => {
    expect(await listFailures(() => bindAll(new InMemorySessionStore()))).toEqual([]);
    const isNew = (old: SessionStoreEntry[], { uuid }: SessionStoreEntry): boolean =>
      uuid === undefined || !old.some((entry) => entry.uuid === uuid);
    const createStore = (): SessionStore => {
      const naive = createNaiveStore((old, fresh) => [...old, ...fresh.filter((entry) => isNew(old, entry))]);
      return {
        ...naive,
        append: (key, entries) => naive.append(key, structuredClone(entries)),
        load: async (key) => structuredClone(await naive.load(key)),
      };
    };
    expect(await listFailures(createStore)).toEqual([]);
  });

  it.each(Object.entries(broken))('notices a store that %s', async (_, breakStore) => {
    const createStore = (): SessionStore => {
      const good = bindAll(new InMemorySessionStore());
      const bad = breakStore(good);
      // What is put together anew does not go with the lists of the other.
      return bad.append && bad.load && bad.delete ? { ...(bad as SessionStore) } : { ...good, ...bad };
    };
    expect((await listFailures(createStore)).length).toBeGreaterThan(0);
  });

  it('fails a case about a method that is not there, and says so', async () => {
    const about = sessionStoreCases().filter(({ needs }) => needs.length > 0);
    expect(about.length).toBeGreaterThan(5);
    for (const { run, needs } of about) {
      await expect(run(createSmallStore)).rejects.toThrow(new RegExp(`has no (?:${needs.join('|')})`));
    }
  });

  it('declares nothing about methods that are not there', () => {
    const declared: string[] = [];
    describeSessionStore('x', createSmallStore, {
      describe: (_, body) => body(),
      it: (name) => declared.push(name),
      methods: ['delete'],
    });
    const expected = sessionStoreCases().filter(({ needs }) => needs.every((method) => method === 'delete'));
    expect(declared).toEqual(expected.map(({ name }) => name));
  });

  it('disposes of a store after its case, also after a failure', async () => {
    let disposed = 0;
    const createStore = (): SessionStore & AsyncDisposable => ({
      ...createSmallStore(),
      [Symbol.asyncDispose]: async () => {
        disposed += 1;
        await sleepOneTurn();
      },
    });
    const cases = sessionStoreCases();
    for (const { run } of cases) await run(createStore).catch(() => undefined);
    expect(disposed).toBe(cases.length);
  });

  it('has names that tell its cases apart', () => {
    const names = sessionStoreCases().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('InMemorySessionStore', () => {
  const key = { projectKey: '-p', sessionId: 's' };

  it('tells without waiting what it has, and forgets', async () => {
    const store = new InMemorySessionStore();
    expect([store.size, store.getEntries(key)]).toEqual([0, []]);
    await store.append(key, [{ type: 'a' }]);
    await store.append({ ...key, subpath: 'subagents/agent-x' }, [{ type: 'b' }]);
    await store.append({ ...key, sessionId: 't', subpath: 'subagents/agent-x' }, [{ type: 'b' }]);
    expect([store.size, store.getEntries(key)]).toEqual([1, [{ type: 'a' }]]);
    store.clear();
    expect([store.size, store.getEntries(key), await store.load(key)]).toEqual([0, [], null]);
  });

  it('gives every append a time of its own', async () => {
    const store = new InMemorySessionStore();
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await store.append(key, [{ type: 'a' }]);
      times.push(...(await store.listSessions('-p')).map(({ mtime }) => mtime));
    }
    expect(new Set(times).size).toBe(5);
    expect(times.toSorted((one, other) => one - other)).toEqual(times);
  });
});
