// Completing pending calls from outside: on disk and in stores, once, and with clear errors for everything else.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCalls } from '../../../src/calls/pending/create-calls.js';
import { CallError } from '../../../src/errors.js';
import { createFileCallRecords } from '../../../src/record/calls/file/file-call-records.js';
import { foldFacts } from '../../../src/record/calls/fold-facts.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import type { CallFact, CallRecords, PendingOutput } from '../../../src/wire/protocol/config/call-records.js';
import type { Calls, PendingChange } from '../../../src/calls/pending/calls.js';

const SESSION = '00000000-0000-4000-8000-0000000000e1';
const OTHER = '00000000-0000-4000-8000-0000000000e2';
const OUTPUT: PendingOutput = { server: 'shop', tool: 'order' };
const SCHEMA = { type: 'object', properties: { parcel: { type: 'number' } }, required: ['parcel'] };

const begun = (callKey: string): CallFact => ({
  type: 'begun',
  callKey,
  toolUseId: `toolu_${callKey}`,
  toolName: 'mcp__shop__order',
  input: { article: callKey },
  attempt: 1,
  owner: 'host',
  at: 1,
});
const pending = (callKey: string, at = 2, output: PendingOutput = OUTPUT): CallFact => ({
  type: 'pending',
  callKey,
  note: `note ${callKey}`,
  output,
  at,
});

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'calls-'));
  env = { CLAUDE_CONFIG_DIR: folder };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function addToFile(sessionId: string, ...facts: CallFact[]): Promise<CallRecords> {
  const own = join(folder, 'projects', '-shop', sessionId);
  mkdirSync(own, { recursive: true });
  const records = createFileCallRecords({ folder: own });
  for (const fact of facts) await records.add(fact);
  await records.close();
  return records;
}

async function addToStore(store: InMemorySessionStore, sessionId: string, ...facts: CallFact[]) {
  const key = { projectKey: 'shop', sessionId };
  await store.append(key, [{ type: 'user', uuid: sessionId }]);
  for (const fact of facts) await store.calls(key).add(fact);
  return store.calls(key);
}

/** The same records on disk and in a store. */
const PLACES: [
  string,
  () => Promise<{ calls: Calls; add: (id: string, ...facts: CallFact[]) => Promise<CallRecords> }>,
][] = [
  ['on disk', async () => ({ calls: createCalls({ env }), add: addToFile })],
  [
    'in a store',
    async () => {
      const sessionStore = new InMemorySessionStore();
      return {
        calls: createCalls({ sessionStore, projectKey: 'shop', env }),
        add: (id, ...facts) => addToStore(sessionStore, id, ...facts),
      };
    },
  ],
];

describe.each(PLACES)('pending calls %s', (_name, open) => {
  it('are listed, those that wait longest first, until they are completed', async () => {
    const { calls, add } = await open();
    const records = await add(SESSION, begun('a'), pending('a', 20), begun('b'));
    await add(OTHER, begun('c'), pending('c', 10));
    const a = {
      callKey: 'a',
      sessionId: SESSION,
      toolName: 'mcp__shop__order',
      input: { article: 'a' },
      note: 'note a',
      since: 20,
    };
    const c = {
      callKey: 'c',
      sessionId: OTHER,
      toolName: 'mcp__shop__order',
      input: { article: 'c' },
      note: 'note c',
      since: 10,
    };
    expect(await calls.list()).toEqual([c, a]);
    await calls.complete('a', { parcel: 7 }, { by: 'warehouse' });
    expect(await calls.list()).toEqual([c]);
    expect(foldFacts(await records.load()).get('a')?.ended).toMatchObject({
      result: { content: [{ type: 'text', text: '{"parcel":7}' }] },
      by: 'warehouse',
    });
    await calls.fail('c', new Error('Sold out'));
    expect(await calls.list()).toEqual([]);
  });

  it('get clear errors for keys that are unknown, not pending, ended or withdrawn', async () => {
    const { calls, add } = await open();
    await add(SESSION, begun('a'), pending('a'), begun('b'), begun('d'), pending('d'));
    await add(SESSION, { type: 'ended', callKey: 'b', result: { content: [] }, at: 3 });
    await add(SESSION, { type: 'withdrawn', callKey: 'd', at: 86_400_000 });
    await expect(calls.complete('nothing', 1)).rejects.toMatchObject({
      code: 'CALL_UNKNOWN',
      callKey: 'nothing',
    });
    await expect(calls.complete('b', 1)).rejects.toMatchObject({
      code: 'CALL_NOT_PENDING',
      sessionId: SESSION,
    });
    await calls.complete('a', 'first', { by: 'ann' });
    const late = await calls.complete('a', 'second').catch((error: unknown) => error);
    expect(late).toBeInstanceOf(CallError);
    expect(late).toMatchObject({ code: 'CALL_ENDED', by: 'ann', sessionId: SESSION });
    expect((late as Error).message).toMatch(/completed already, at .*Z by ann/);
    const stopped = await calls.fail('d', 'late').catch((error: unknown) => error);
    expect(stopped).toMatchObject({ code: 'CALL_ENDED', endedAt: 86_400_000 });
    expect((stopped as Error).message).toContain('its turn was stopped');
  });

  it('refuse a value that does not fit, record nothing, and stay pending', async () => {
    const { calls, add } = await open();
    const records = await add(SESSION, begun('a'), pending('a', 2, { ...OUTPUT, schema: SCHEMA }));
    const before = await records.load();
    await expect(calls.complete('a', { parcel: 'seven' })).rejects.toMatchObject({ code: 'CALL_VALUE' });
    await expect(calls.complete('a', 'text')).rejects.toThrow('does not match its outputSchema');
    await expect(calls.complete('a', () => {})).rejects.toMatchObject({ code: 'CALL_VALUE' });
    expect(await records.load()).toEqual(before);
    await calls.complete('a', { parcel: 7 });
    expect(foldFacts(await records.load()).get('a')?.ended?.result).toEqual({
      content: [{ type: 'text', text: '{"parcel":7}' }],
      structuredContent: { parcel: 7 },
    });
  });

  it.each([
    ['an unknown block', { content: [{ type: 'nope' }] }],
    ['an image without data', { content: [{ type: 'text', text: 'seen' }, { type: 'image' }] }],
  ])('refuse a result that the model could not read, and stay pending: %s', async (_what, value) => {
    const { calls, add } = await open();
    await add(SESSION, begun('a'), pending('a'));
    await expect(calls.complete('a', value)).rejects.toMatchObject({
      code: 'CALL_VALUE',
      message: expect.stringMatching(
        /stays pending, because .* The result could not be used: a content block /,
      ),
    });
    expect(await calls.list()).toMatchObject([{ callKey: 'a' }]);
  });

  it('are completed once, however many try at once', async () => {
    const { calls, add } = await open();
    const records = await add(SESSION, begun('a'), pending('a'));
    const tries = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => calls.complete('a', index, { by: `${index}` })),
    );
    const won = tries.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    expect(won).toHaveLength(1);
    const codes = new Set(
      tries.flatMap((each) => (each.status === 'rejected' ? [(each.reason as CallError).code] : [])),
    );
    expect([...codes]).toEqual(['CALL_ENDED']);
    expect(foldFacts(await records.load()).get('a')?.ended?.by).toBe(String(won[0]));
  });

  it('are watched: what is open, then each change, until the signal aborts', async () => {
    const { calls, add } = await open();
    await add(SESSION, begun('a'), pending('a', 2));
    const stop = new AbortController();
    const changes: PendingChange[] = [];
    for await (const change of calls.watch({ signal: stop.signal })) {
      changes.push(change);
      if (changes.length === 1) await add(OTHER, begun('c'), pending('c', 3));
      if (changes.length === 2) await calls.complete('a', 'x', { by: 'ann' });
      if (changes.length === 3) await calls.fail('c', 'Sold out');
      if (changes.length === 4) stop.abort();
    }
    expect(changes.map((each) => [each.type, each.call.callKey, 'how' in each ? each.how : ''])).toEqual([
      ['pending', 'a', ''],
      ['pending', 'c', ''],
      ['settled', 'a', 'completed'],
      ['settled', 'c', 'failed'],
    ]);
  });
});

it('looks at one session alone if it is told to', async () => {
  await addToFile(SESSION, begun('a'), pending('a'));
  await addToFile(OTHER, begun('c'), pending('c'));
  const calls = createCalls({ env, sessionId: SESSION });
  expect((await calls.list()).map(({ callKey }) => callKey)).toEqual(['a']);
  await expect(calls.complete('c', 1)).rejects.toMatchObject({ code: 'CALL_UNKNOWN' });
});

it('finds a fact that was stored although the store did not answer', async () => {
  const sessionStore = new InMemorySessionStore();
  const records = await addToStore(sessionStore, SESSION, begun('a'), pending('a'));
  sessionStore.calls = () => ({
    ...records,
    add: async (fact) => {
      await records.add(fact);
      throw new Error('The answer was lost');
    },
  });
  await createCalls({ sessionStore, projectKey: 'shop' }).complete('a', 1);
  sessionStore.calls = () => ({
    ...records,
    add: async () => {
      throw new Error('Full');
    },
  });
  await records.add(pending('b'));
  await expect(createCalls({ sessionStore, projectKey: 'shop' }).complete('b', 1)).rejects.toMatchObject({
    code: 'SESSION_STORE_FAILED',
  });
});

it('refuses options and arguments that it would have to ignore', async () => {
  expect(() => createCalls({ session: SESSION } as never)).toThrow('sessionId');
  expect(() => createCalls({ sessionId: 'mine' })).toThrow('UUID');
  expect(() => createCalls({ projectKey: 'shop' })).toThrow('sessionStore');
  const blind = { append: async () => {}, load: async () => null };
  expect(() => createCalls({ sessionStore: blind })).toThrow('cannot list its sessions');
  expect(() => createCalls({ sessionStore: blind, sessionId: SESSION })).not.toThrow();
  const calls = createCalls({ env });
  await expect(calls.complete('', 1)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
  await expect(calls.fail('a', undefined as never)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
  await expect(calls.complete('a', 1, { by: '' })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
  await expect(calls.complete('a', 1, { who: 'ann' } as never)).rejects.toMatchObject({
    code: 'INVALID_OPTIONS',
  });
  expect(await calls.list()).toEqual([]);
});
