// Conformance cases for journals: each message that is sent is stored once, unchanged and in order.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expectRefused, race, type JournalCheck } from './journal-check.js';

const RACERS = 12;
const MEGABYTE = 1_000_000;

/** Cases about the inbox. */
export const INBOX_CASES: readonly JournalCheck[] = [
  {
    name: 'stores a message, and creates the conversation with the first one',
    async run({ journal, other, tenant }) {
      const key = `first-${randomUUID()}`;
      const start = { agent: 'support', data: { name: 'Ann', list: [1, null, 'x'] }, tenant };
      const content = [{ type: 'text', text: 'hello' }];
      const { turn, isNew } = await journal.enqueue({ key, id: 'one', content, start, trace: '00-ab-cd-01' });
      assert.equal(isNew, true);
      assert.deepEqual(
        { ...turn, uuid: 'u', sentAt: 0 },
        {
          key,
          id: 'one',
          place: 1,
          uuid: 'u',
          content,
          state: 'queued',
          attempt: 0,
          tries: 0,
          turnCostUsd: 0,
          epoch: 0,
          trace: '00-ab-cd-01',
          sentAt: 0,
        },
      );
      assert.match(turn.uuid, /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/);
      assert.deepEqual(await other.turn(key, 'one'), turn);
      assert.deepEqual(await other.turns(key), [turn]);
      const found = await other.conversation(key);
      assert.ok(found);
      // A journal need not say what its turn waits for.
      const { createdAt, updatedAt, sessionId, waitsFor = 'place', ...facts } = found;
      assert.equal(waitsFor, 'place');
      assert.ok(createdAt > 0 && updatedAt >= createdAt && sessionId.length === 36);
      const counts = { turns: 1, queued: 1, questions: 0, totalCostUsd: 0, lastEventId: 1 };
      assert.deepEqual({ ...facts }, { key, ...start, state: 'queued', ...counts });
    },
  },
  {
    name: 'stores a message once, however many send it at the same time, and gives all of them the same turn',
    async run(bench) {
      const key = bench.key();
      const start = { agent: 'support', data: null, tenant: bench.tenant };
      const all = await race(bench, RACERS, (journal, at) =>
        journal.enqueue({ key, id: 'same', content: `from ${at}`, start }),
      );
      assert.equal(all.filter(({ isNew }) => isNew).length, 1, 'exactly one is new');
      for (const { turn } of all) assert.deepEqual(turn, all[0]?.turn);
      assert.equal((await bench.journal.turns(key)).length, 1);
      assert.equal((await bench.journal.events(key)).length, 1);
    },
  },
  {
    name: 'numbers messages without gaps, however many are sent at the same time',
    async run(bench) {
      const key = bench.key();
      await race(bench, RACERS, (journal, at) =>
        journal.enqueue({ key, id: `m${at}`, content: at, start: { agent: 'a', data: null } }),
      );
      const turns = await bench.other.turns(key);
      assert.deepEqual(
        turns.map(({ place }) => place),
        turns.map((_, at) => at + 1),
      );
      assert.equal(new Set(turns.map(({ id }) => id)).size, RACERS);
      assert.equal(new Set(turns.map(({ uuid }) => uuid)).size, RACERS);
      const events = await bench.other.events(key);
      assert.deepEqual(
        events.map(({ id }) => id),
        turns.map((_, at) => at + 1),
        'events are numbered without gaps',
      );
      assert.deepEqual(
        events.map(({ turn }) => turn),
        turns.map(({ id }) => id),
        'events tell turns in their order',
      );
    },
  },
  {
    name: 'refuses a first message that does not describe its conversation, and ignores the description later',
    async run(bench) {
      const key = bench.key();
      await expectRefused(
        () => bench.journal.enqueue({ key, id: 'a', content: 'hi' }),
        'CONVERSATION_UNKNOWN',
        'a first message without start',
      );
      assert.equal(await bench.journal.conversation(key), undefined);
      await bench.send(key);
      await bench.send(key, { start: { agent: 'another', data: 1, tenant: 'another' } });
      await bench.send(key, { start: undefined });
      const found = await bench.journal.conversation(key);
      assert.deepEqual([found?.agent, found?.tenant, found?.turns], ['support', bench.tenant, 3]);
    },
  },
  {
    name: 'stores a message unchanged, with control characters and a megabyte of text',
    async run(bench) {
      const key = bench.key();
      const content = [
        '\u0000 \u001b "\' \\ \u2028 日本 😀',
        { '': null, 'a.b': [1.5, -0.25, true] },
        'x'.repeat(MEGABYTE),
      ];
      const { id } = await bench.send(key, { content });
      assert.deepEqual((await bench.other.turn(key, id))?.content, content);
      const [event] = await bench.other.events(key);
      assert.deepEqual(event?.type === 'turn' && event.content, content);
    },
  },
  {
    name: 'shares no objects with its callers',
    async run(bench) {
      const key = bench.key();
      const content = { text: 'as sent' };
      const turn = await bench.send(key, { content });
      content.text = 'changed later';
      (turn as { state: string }).state = 'ended';
      const again = await bench.journal.turn(key, turn.id);
      assert.deepEqual([again?.content, again?.state], [{ text: 'as sent' }, 'queued']);
    },
  },
  {
    name: 'accepts any well-formed text as a key or id, and keeps them apart',
    async run(bench) {
      const salt = randomUUID();
      const names = [
        `${salt} "quotes' \\ $1 %s ; --`,
        `${salt} 日本語 😀 ä`,
        `${salt} Case`,
        `${salt} case`,
        `${salt} case `,
        `${salt}\n\t\u0001`,
      ];
      const keys = [...names, salt.padEnd(500, '語')];
      for (const key of keys)
        await bench.send(key, { id: keys.indexOf(key) % 2 ? 'ä "\' \\' : 'x'.repeat(200) });
      for (const key of keys)
        assert.equal((await bench.other.conversation(key))?.turns, 1, JSON.stringify(key));
      const listed: string[] = [];
      for (let after: string | undefined; ; after = listed.at(-1)) {
        const page = await bench.journal.conversations({
          tenant: bench.tenant,
          limit: 2,
          ...(after !== undefined && { after }),
        });
        listed.push(...page.map(({ key }) => key));
        if (page.length < 2) break;
      }
      assert.deepEqual(new Set(listed), new Set(keys));
      assert.equal(listed.length, keys.length);
    },
  },
  {
    name: 'refuses names that a database cannot store',
    async run(bench) {
      const bad = ['', 'a\0b', 'half \ud83d', 7 as unknown as string];
      for (const name of bad) {
        await expectRefused(() => bench.send(name), 'INVALID_OPTIONS', `the key ${JSON.stringify(name)}`);
        await expectRefused(
          () => bench.send(bench.key(), { id: name }),
          'INVALID_OPTIONS',
          `the id ${JSON.stringify(name)}`,
        );
      }
      await expectRefused(() => bench.send('k'.repeat(501)), 'INVALID_OPTIONS', 'a key of 501 characters');
      await expectRefused(
        () => bench.send(bench.key(), { id: 'i'.repeat(201) }),
        'INVALID_OPTIONS',
        'an id of 201 characters',
      );
      await expectRefused(
        () => bench.send(bench.key(), { start: { agent: 'a', data: null, tenant: 'a\0' } }),
        'INVALID_OPTIONS',
        'a tenant with NUL',
      );
      await expectRefused(
        () => bench.send(bench.key(), { content: undefined as unknown as string }),
        'INVALID_OPTIONS',
        'content that JSON does not have',
      );
      await expectRefused(
        () => bench.send(bench.key(), { afterMs: Number.NaN }),
        'INVALID_OPTIONS',
        'afterMs NaN',
      );
    },
  },
];
