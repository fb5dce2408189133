// Conformance cases for session stores: the optional methods that delete, list, and keep facts about calls.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';
import type { SessionKey } from '@inboard/core/wire/protocol/config/session-store.js';
import { foldSessionSummary } from '@inboard/core/record/history/store/fold-session-summary.js';
import {
  createEntries,
  createStoreEntry,
  createKey,
  expectEntries,
  expectNothing,
  requireMethod,
  type StoreCheck,
} from './session-store-check.js';

const [ONE, TWO] = ['subagents/agent-one', 'subagents/deeper/agent-two'];

/** Cases for stores that can delete. */
export const DELETE_CASES: readonly StoreCheck[] = [
  {
    name: 'deletes a session with all of its subagents, and nothing else',
    needs: ['delete'],
    async run(store) {
      const key = createKey();
      const neighbours = [
        { ...key, sessionId: randomUUID() },
        { ...key, sessionId: `${key.sessionId}0` },
        createKey({ sessionId: key.sessionId }),
      ];
      const entries = createEntries(2);
      const all = [key, { ...key, subpath: ONE }, { ...key, subpath: TWO }];
      for (const each of [...all, ...neighbours]) await store.append(each, entries);
      await requireMethod(store, 'delete')(key);
      for (const each of all) await expectNothing(store, each, 'a deleted transcript');
      for (const each of neighbours) await expectEntries(store, each, entries);
    },
  },
  {
    name: 'deletes one subagent alone',
    needs: ['delete'],
    async run(store) {
      const key = createKey();
      const entries = createEntries(2);
      for (const each of [key, { ...key, subpath: ONE }, { ...key, subpath: TWO }]) {
        await store.append(each, entries);
      }
      await requireMethod(store, 'delete')({ ...key, subpath: ONE });
      await expectNothing(store, { ...key, subpath: ONE }, 'a deleted subagent');
      await expectEntries(store, key, entries);
      await expectEntries(store, { ...key, subpath: TWO }, entries);
    },
  },
  {
    name: 'deletes something that does not exist without an error',
    needs: ['delete'],
    async run(store) {
      const remove = requireMethod(store, 'delete');
      await remove(createKey());
      await remove(createKey({ subpath: ONE }));
    },
  },
  {
    name: 'starts over after a deletion, even with the same entries',
    needs: ['delete'],
    async run(store) {
      const key = createKey();
      const entries = createEntries(3);
      await store.append(key, entries);
      await requireMethod(store, 'delete')(key);
      await store.append(key, entries.slice(1));
      await expectEntries(store, key, entries.slice(1));
    },
  },
];

/** Cases for stores that can list. */
export const LIST_CASES: readonly StoreCheck[] = [
  {
    name: 'lists the subpaths of a session, each once, and no others',
    needs: ['listSubkeys'],
    async run(store) {
      const listSubkeys = requireMethod(store, 'listSubkeys');
      const key = createKey();
      assert.deepEqual(await listSubkeys(key), [], 'subpaths of an unknown session');
      await store.append(key, createEntries(1));
      assert.deepEqual(await listSubkeys(key), [], 'the session itself is no subpath');
      for (const subpath of [TWO, ONE, ONE]) await store.append({ ...key, subpath }, createEntries(1));
      await store.append({ ...key, sessionId: randomUUID(), subpath: 'subagents/agent-x' }, createEntries(1));
      await store.append(
        createKey({ sessionId: key.sessionId, subpath: 'subagents/agent-y' }),
        createEntries(1),
      );
      assert.deepEqual((await listSubkeys(key)).toSorted(), [ONE, TWO].sort());
    },
  },
  {
    name: 'no longer lists a subpath that was deleted',
    needs: ['listSubkeys', 'delete'],
    async run(store) {
      const listSubkeys = requireMethod(store, 'listSubkeys');
      const key = createKey();
      for (const subpath of [ONE, TWO]) await store.append({ ...key, subpath }, createEntries(1));
      await requireMethod(store, 'delete')({ ...key, subpath: ONE });
      assert.deepEqual(await listSubkeys(key), [TWO]);
      await requireMethod(store, 'delete')(key);
      assert.deepEqual(await listSubkeys(key), []);
    },
  },
  {
    name: 'lists the sessions of a project, each once, without those that are only subagents',
    needs: ['listSessions'],
    async run(store) {
      const listSessions = requireMethod(store, 'listSessions');
      const [one, two, subagentOnly, other] = createProject();
      assert.deepEqual(await listSessions(one.projectKey), [], 'sessions of an unknown project');
      await store.append(one, createEntries(1));
      await store.append(one, createEntries(1));
      await store.append({ ...one, subpath: ONE }, createEntries(1));
      await store.append(two, createEntries(1));
      await store.append({ ...subagentOnly, subpath: ONE }, createEntries(1));
      await store.append(other, createEntries(1));
      expectSessions(await listSessions(one.projectKey), [one, two]);
    },
  },
  {
    name: 'reports when a session was last appended to, in milliseconds, never going back',
    needs: ['listSessions'],
    async run(store) {
      const listSessions = requireMethod(store, 'listSessions');
      const key = createKey();
      const readTime = async (): Promise<number> => {
        const [session] = await listSessions(key.projectKey);
        assert.equal(typeof session?.mtime, 'number', 'mtime must be a number');
        return session?.mtime ?? 0;
      };
      await store.append(key, createEntries(1));
      const first = await readTime();
      // The clock may be wrong by hours, but it must count milliseconds since 1970.
      assert.ok(
        Math.abs(first - Date.now()) < 48 * 3_600_000,
        `mtime ${first} is not milliseconds since 1970`,
      );
      await store.append(key, createEntries(1));
      assert.ok((await readTime()) >= first, 'mtime went back');
    },
  },
  {
    name: 'no longer lists a session that was deleted',
    needs: ['listSessions', 'delete'],
    async run(store) {
      const [one, two] = createProject();
      for (const key of [one, two]) await store.append(key, createEntries(1));
      await requireMethod(store, 'delete')(one);
      expectSessions(await requireMethod(store, 'listSessions')(one.projectKey), [two]);
    },
  },
  {
    name: 'keeps a summary of every session, as foldSessionSummary() makes it',
    needs: ['listSessionSummaries'],
    async run(store) {
      const listSummaries = requireMethod(store, 'listSessionSummaries');
      const [one, two, subagentOnly, other] = createProject();
      assert.deepEqual(await listSummaries(one.projectKey), [], 'summaries of an unknown project');
      const entries = [
        createStoreEntry('What is it about?', { cwd: '/work', gitBranch: 'main' }),
        createStoreEntry('And now?', { gitBranch: 'topic' }),
        { type: 'custom-title', customTitle: 'A title' },
      ];
      await store.append(one, entries.slice(0, 1));
      await store.append(one, entries.slice(1));
      // This title belongs to a subagent, not to the session itself.
      await store.append({ ...one, subpath: ONE }, [{ type: 'custom-title', customTitle: 'Not this' }]);
      await store.append(two, createEntries(1));
      await store.append({ ...subagentOnly, subpath: ONE }, createEntries(1));
      await store.append(other, createEntries(1));
      const summaries = await listSummaries(one.projectKey);
      expectSessions(summaries, [one, two]);
      const summary = summaries.find(({ sessionId }) => sessionId === one.sessionId);
      assert.deepEqual(summary?.data, foldSessionSummary(undefined, one, entries).data);
    },
  },
  {
    name: 'keeps summaries that are as new as their sessions',
    needs: ['listSessionSummaries', 'listSessions'],
    async run(store) {
      const key = createKey();
      await store.append(key, createEntries(1));
      await store.append(key, createEntries(1));
      const [session] = await requireMethod(store, 'listSessions')(key.projectKey);
      const [summary] = await requireMethod(store, 'listSessionSummaries')(key.projectKey);
      assert.ok(
        (summary?.mtime ?? 0) >= (session?.mtime ?? Number.POSITIVE_INFINITY),
        'a summary older than its session is taken for stale, and the session loaded whenever it is listed',
      );
    },
  },
  {
    name: 'no longer keeps the summary of a session that was deleted',
    needs: ['listSessionSummaries', 'delete'],
    async run(store) {
      const key = createKey();
      await store.append(key, createEntries(1));
      await requireMethod(store, 'delete')(key);
      assert.deepEqual(await requireMethod(store, 'listSessionSummaries')(key.projectKey), []);
    },
  },
];

/** Cases for stores that also keep facts about calls. `describeCallRecords` tests the records themselves. */
export const CALLS_CASES: readonly StoreCheck[] = [
  {
    name: 'keeps facts about calls by project and session, and gives them to whoever asks again',
    needs: ['calls'],
    async run(store) {
      const calls = requireMethod(store, 'calls');
      const key = createKey();
      const keys = [key, { ...key, sessionId: randomUUID() }, createKey({ sessionId: key.sessionId })];
      for (const [at, each] of keys.entries()) await calls(each).add(createFact(at));
      for (const [at, each] of keys.entries()) assert.deepEqual(await calls(each).load(), [createFact(at)]);
      const claim = await calls(key).claim({ owner: 'one', ttlMs: 60_000 });
      assert.ok('renew' in claim, 'claim() must give a claim that nobody has');
      const held = await calls(key).claim({ owner: 'two', ttlMs: 60_000 });
      assert.equal((held as { heldBy?: unknown }).heldBy, 'one', 'the claim must be the same for all');
      await claim.release();
    },
  },
  {
    name: 'shows facts about calls neither among entries nor as a transcript',
    needs: ['calls'],
    async run(store) {
      const calls = requireMethod(store, 'calls');
      const [key, only] = createProject();
      const entries = createEntries(2);
      await store.append(key, entries);
      await calls(key).add(createFact(1));
      await calls(only).add(createFact(2));
      await expectEntries(store, key, entries);
      await expectNothing(store, only, 'a session that has only facts about calls');
      if (store.listSessions) expectSessions(await store.listSessions(key.projectKey), [key]);
      if (store.listSubkeys) assert.deepEqual(await store.listSubkeys(key), []);
    },
  },
  {
    name: 'deletes facts about calls with the session, and not with a subagent',
    needs: ['calls', 'delete'],
    async run(store) {
      const calls = requireMethod(store, 'calls');
      const [key, other] = createProject();
      for (const each of [key, other]) await calls(each).add(createFact(1));
      await store.append({ ...key, subpath: ONE }, createEntries(1));
      await requireMethod(store, 'delete')({ ...key, subpath: ONE });
      assert.deepEqual(await calls(key).load(), [createFact(1)]);
      const before = calls(key);
      await requireMethod(store, 'delete')(key);
      assert.deepEqual([await before.load(), await calls(key).load()], [[], []]);
      assert.deepEqual(await calls(other).load(), [createFact(1)]);
    },
  },
];

function createFact(at: number): CallFact {
  return { type: 'waiting', callKey: 'call', at };
}

type Listed = ReadonlyArray<{ readonly sessionId: string }>;

function expectSessions(listed: Listed, expected: Listed): void {
  const [found, wanted] = [listed, expected].map((list) => list.map(({ sessionId }) => sessionId).toSorted());
  assert.deepEqual(found, wanted);
}

// Makes the keys of three sessions of one project, and of one session of another project.
function createProject(): [SessionKey, SessionKey, SessionKey, SessionKey] {
  const key = createKey();
  return [key, { ...key, sessionId: randomUUID() }, { ...key, sessionId: randomUUID() }, createKey()];
}
