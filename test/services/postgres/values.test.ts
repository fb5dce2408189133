// Whatever a person, a model or a tool writes comes back as it was.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { InvalidOptionsError } from '../../../packages/core/src/errors.js';
import type { Fence, Json } from '../../../packages/cluster/src/journal/records.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const schema = nameSchema('values');
const journal = openJournal({ schema });

async function begin(key: string, content: Json = 'hi'): Promise<Fence> {
  await journal.enqueue({ key, id: 'one', content, start: { agent: 'a', data: null } });
  const lease = await journal.lease(key, { owner: 'w', ms: 60_000 });
  if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
  await journal.next(lease.fence);
  return lease.fence;
}

const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as Json;
const MESSAGES: ReadonlyArray<[string, Json]> = [
  ['NUL, lone surrogates and control characters', '\0 \ud800 \udfff \u001b[0m \u2028 😀'],
  ['field names with NUL, and the order of fields', { 'z\0': 1, a: 2, __proto__x: 3, '': null }],
  ['numbers of all sizes', [2 ** 53 + 2, 1e308, 5e-324, -1.5, 0.1 + 0.2]],
  ['quotes, backslashes and dollar signs', `'; drop table x; -- $$ \\ \\u0000 "{}" {"a":`],
  ['a text of ten megabytes', 'é'.repeat(5_000_000)],
];

it.each(MESSAGES)('keeps %s', async (_name, content) => {
  const key = randomUUID();
  const fence = await begin(key, content);
  await journal.publish(fence, [{ turn: 'one', type: 'message', message: content }]);
  await journal.beginCall(fence, { callKey: 'c', turn: 'one', toolName: 't', input: content });
  await journal.endCall(fence, 'c', content);
  const sessionKey = { projectKey: 'p', sessionId: randomUUID() };
  await journal.store(fence).append(sessionKey, [{ type: 'user', content }]);
  const outcome = { ok: true, kind: 'success', text: 'x', turnCostUsd: 0, structuredOutput: content };
  await journal.finish(fence, 'one', { outcome });

  expect((await journal.turn(key, 'one'))?.content).toEqual(content);
  const history = await journal.history(key);
  expect(history?.calls[0]?.result).toEqual(content);
  expect(history?.turns[0]?.outcome?.structuredOutput).toEqual(content);
  expect(history?.events.find(({ type }) => type === 'message')).toMatchObject({ message: content });
  expect(await journal.store().load(sessionKey)).toEqual([{ type: 'user', content }]);
});

it('keeps what is nested deeper than a recursion can go', async () => {
  const key = randomUUID();
  await begin(key, deep);
  let [depth, at] = [0, (await journal.turn(key, 'one'))?.content];
  for (; Array.isArray(at); at = at[0] as Json) depth += 1;
  expect(depth).toBe(20_000);
});

it.each([`'; drop schema "x" cascade; --`, '"quoted"', '$1', 'ключ 😀', "it's", '%_\\'])(
  'takes %j for a key, and nothing else happens',
  async (name) => {
    const key = `${name} ${randomUUID()}`;
    const fence = await begin(key);
    expect(await journal.release(fence)).toBe(true);
    expect((await journal.conversation(key))?.key).toBe(key);
    expect(await journal.remove(key)).toBe(true);
  },
);

it('refuses keys that it could not keep', async () => {
  for (const key of ['', 'a\0b', '\ud800', 'x'.repeat(501)])
    await expect(journal.conversation(key)).rejects.toThrow(InvalidOptionsError);
  await expect(journal.conversations({ after: 'a\0' })).rejects.toThrow(InvalidOptionsError);
});

it('keeps the longest names there are, where no character can be left out', async () => {
  // Four bytes each.
  const random = (units: number): string =>
    Array.from({ length: units / 2 }, () =>
      String.fromCodePoint(0x20_000 + Math.floor(Math.random() * 40_000)),
    ).join('');
  const [key, id, callKey] = [random(500), random(200), random(200)];
  await journal.enqueue({
    key,
    id,
    content: 'x',
    start: { agent: random(200), data: null, tenant: random(200) },
  });
  const heard = new Promise((resolve) => {
    void journal.listen((change) => {
      if (change.key === key) resolve(change.kind);
    });
  });
  const lease = await journal.lease(key, { owner: random(200), ms: 60_000 });
  if (lease.state !== 'granted') throw new Error('not granted');
  await journal.next(lease.fence);
  await journal.beginCall(lease.fence, { callKey, turn: id, toolName: 't', input: {} });
  const publishing = setInterval(() => {
    journal.publish(lease.fence, [{ turn: id, type: 'text', text: 'x' }]).catch(() => {});
  }, 20);
  expect(await heard).toBe('events');
  clearInterval(publishing);
  expect((await journal.history(key))?.calls[0]?.callKey).toBe(callKey);
});

it('works in a schema of any name, beside others', async () => {
  const odd = `odd "name'; -- ${nameSchema('Ünï')}`.slice(0, 40);
  const other = openJournal({ schema: odd });
  const key = randomUUID();
  const changes: unknown[] = [];
  await other.listen((change) => changes.push(change));
  await other.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null } });
  expect((await other.lease(key, { owner: 'w', ms: 1_000 })).state).toBe('granted');
  expect(await journal.conversation(key)).toBeUndefined();
  await expect.poll(() => changes.length).toBeGreaterThan(0);
  const rows = await runSql('select nspname from pg_namespace where nspname = $1', [odd]);
  expect(rows).toHaveLength(1);
});
