// Conformance cases for session stores: `append` and `load`, the two required methods.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import {
  createEntries,
  createStoreEntry,
  createKey,
  expectEntries,
  expectNothing,
  type StoreCheck,
} from './session-store-check.js';

const SUBPATH = 'subagents/agent-a1b2c3';
const LARGE_ENTRY_CHARACTERS = 3_000_000;

/** Cases for every store. */
export const APPEND_CASES: readonly StoreCheck[] = [
  {
    name: 'returns entries in the order in which they were appended',
    async run(store) {
      const key = createKey();
      const entries = createEntries(7);
      await store.append(key, entries.slice(0, 3));
      await store.append(key, entries.slice(3, 4));
      await store.append(key, entries.slice(4));
      await expectEntries(store, key, entries);
    },
  },
  {
    name: 'returns null for what was never appended',
    async run(store) {
      const key = createKey();
      await expectNothing(store, key, 'an unknown project');
      await store.append(key, createEntries(1));
      await expectNothing(store, { ...key, sessionId: randomUUID() }, 'an unknown session');
      await expectNothing(store, { ...key, subpath: SUBPATH }, 'an unknown subpath');
    },
  },
  {
    name: 'returns every entry unchanged',
    async run(store) {
      const key = createKey();
      const odd = createStoreEntry('"quotes" \\ back\\slashes \u2028 日本 😀 \r\n', {
        nested: { list: [1, 2.5, -0.1, true, false, null, [], {}], '': 'empty name', 'a.b': '$c' },
        isSidechain: false,
        parentUuid: null,
        $set: { __proto: 1 },
      });
      await store.append(key, [odd, { type: 'summary', summary: '' }]);
      await expectEntries(store, key, [odd, { type: 'summary', summary: '' }]);
    },
  },
  {
    name: 'keeps control characters, which the output of a command may have',
    async run(store) {
      const key = createKey();
      const entries = [createStoreEntry('\u0000 \u0001 \u001b[31m \u007f \u0085 \ufeff')];
      await store.append(key, entries);
      await expectEntries(store, key, entries);
    },
  },
  {
    name: 'keeps projects, sessions and subpaths apart',
    async run(store) {
      const own = createKey();
      const others = [
        { ...own, sessionId: randomUUID() },
        createKey({ sessionId: own.sessionId }),
        { ...own, subpath: SUBPATH },
        { ...own, subpath: `${SUBPATH}4` },
        { ...own, subpath: `subagents/deeper/agent-a1b2c3` },
      ];
      const entries = createEntries(others.length + 1);
      await store.append(own, entries.slice(0, 1));
      for (const [index, key] of others.entries()) {
        await store.append(key, entries.slice(index + 1, index + 2));
      }
      await expectEntries(store, own, entries.slice(0, 1));
      for (const [index, key] of others.entries()) {
        await expectEntries(store, key, entries.slice(index + 1, index + 2));
      }
    },
  },
  {
    name: 'keeps keys apart that are equal when joined',
    async run(store) {
      const id = randomUUID();
      const keys = [
        { projectKey: `-p-${id}`, sessionId: 'a-b' },
        { projectKey: `-p-${id}-a`, sessionId: 'b' },
        { projectKey: `-p-${id}`, sessionId: 'a', subpath: 'b' },
      ];
      for (const [index, key] of keys.entries())
        await store.append(key, [createStoreEntry(`${index}`, { uuid: id })]);
      for (const [index, key] of keys.entries()) {
        await expectEntries(store, key, [createStoreEntry(`${index}`, { uuid: id })]);
      }
    },
  },
  {
    name: 'keeps an entry once, however often it is appended',
    async run(store) {
      const key = createKey();
      const entries = createEntries(4);
      await store.append(key, entries.slice(0, 3));
      // This happens when an append was stored but its answer was lost.
      await store.append(key, entries.slice(0, 3));
      await store.append(key, entries.slice(1, 4));
      await expectEntries(store, key, entries);
    },
  },
  {
    name: 'keeps the same entry in two transcripts',
    async run(store) {
      const key = createKey();
      const shared = createEntries(2);
      const keys = [key, { ...key, subpath: SUBPATH }, { ...key, sessionId: randomUUID() }];
      for (const each of keys) await store.append(each, shared);
      for (const each of keys) await expectEntries(store, each, shared);
    },
  },
  {
    name: 'keeps every entry without a uuid, even if two are equal',
    async run(store) {
      const key = createKey();
      const tag = { type: 'tag', tag: 'same' };
      await store.append(key, [tag, createStoreEntry('between', { uuid: 'u-1' }), tag]);
      await store.append(key, [tag]);
      const loaded = await store.load(key);
      assert.deepEqual(
        loaded?.map(({ type }) => type),
        ['tag', 'user', 'tag', 'tag'],
      );
    },
  },
  {
    name: 'accepts an empty append without inventing anything',
    async run(store) {
      const key = createKey();
      await store.append(key, []);
      const loaded = await store.load(key);
      assert.ok(loaded === null || loaded.length === 0, 'entries appeared from nowhere');
      const entries = createEntries(1);
      await store.append(key, entries);
      await store.append(key, []);
      await expectEntries(store, key, entries);
    },
  },
  {
    name: 'loses and repeats nothing when appends to one transcript overlap',
    async run(store) {
      const key = createKey();
      const batches = Array.from({ length: 20 }, (_, index) => createEntries(5, `batch ${index} entry`));
      await Promise.all(batches.map((batch) => store.append(key, batch)));
      const uuids = listUuids((await store.load(key)) ?? []);
      assert.deepEqual(uuids.toSorted(), batches.flatMap(listUuids).toSorted());
      for (const batch of batches) {
        const places = listUuids(batch).map((uuid) => uuids.indexOf(uuid));
        assert.deepEqual(
          places,
          places.toSorted((one, other) => one - other),
          'a batch was put out of order',
        );
      }
    },
  },
  {
    name: 'keeps transcripts apart that are appended to at the same time',
    async run(store) {
      const project = createKey();
      const keys = Array.from({ length: 20 }, () => ({ ...project, sessionId: randomUUID() }));
      const entries = keys.map((_, index) => createEntries(3, `session ${index} entry`));
      await Promise.all(keys.map((key, index) => store.append(key, entries[index] ?? [])));
      for (const [index, key] of keys.entries()) await expectEntries(store, key, entries[index] ?? []);
    },
  },
  {
    name: 'accepts a large entry and many small ones',
    async run(store) {
      const key = createKey();
      const entries = [createStoreEntry('é'.repeat(LARGE_ENTRY_CHARACTERS)), ...createEntries(2000)];
      await store.append(key, entries);
      await expectEntries(store, key, entries);
    },
  },
  {
    name: 'accepts the longest possible key',
    async run(store) {
      const key = createKey({ subpath: 'subagents/workflows/a.run-1_2/agent-a1b2c3d4e5f6a7b8c9' });
      // The CLI makes this key from the folder's path. It cuts a long path to 200 characters and adds a hash.
      const long = { ...key, projectKey: key.projectKey.padEnd(207, 'x') };
      const entries = createEntries(2);
      await store.append(long, entries);
      await expectEntries(store, long, entries);
      await expectNothing(store, { ...long, projectKey: long.projectKey.slice(0, -1) }, 'a similar long key');
    },
  },
  {
    name: 'leaves the entries it is given alone, and is not changed through them',
    async run(store) {
      const key = createKey();
      const entry = createStoreEntry('before', { nested: { list: [1] } });
      const asGiven = structuredClone(entry);
      await store.append(key, [entry]);
      assert.deepEqual(entry, asGiven, 'append() changed the entry');
      (entry['nested'] as { list: number[] }).list.push(2);
      const loaded = await store.load(key);
      assert.deepEqual(loaded, [asGiven]);
      loaded.push(createStoreEntry('added by the reader'));
      const nested = loaded[0]?.['nested'] as { list: number[] } | undefined;
      nested?.list.push(3);
      await expectEntries(store, key, [asGiven]);
    },
  },
];

function listUuids(entries: readonly SessionStoreEntry[]): string[] {
  return entries.map(({ uuid }) => uuid ?? '');
}
