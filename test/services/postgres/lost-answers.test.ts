// The connection breaks after the database did what it was asked, and before it could say so. What is asked again then.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ClusterError } from '../../../packages/core/src/errors.js';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { openLossyLink, type LossyLink } from '../support/lossy-link.js';
import { nameSchema, openJournal } from '../support/journals.js';

const schema = nameSchema('lost');
const outcome = { ok: true, kind: 'success', text: '', turnCostUsd: 0.5 };
const question = { id: '', kind: 'permission', attempt: 1, askedAt: 0, input: {} } as const;
const start = { agent: 'a', data: null };

let link: LossyLink;
let journal: Journal;
beforeAll(async () => {
  link = await openLossyLink(inject('postgresUrl'));
  journal = openJournal({ schema, connectionString: link.url, maxConnections: 1 });
  await journal.open();
});
afterAll(async () => {
  await link[Symbol.asyncDispose]();
});

async function begin(): Promise<Fence> {
  const key = randomUUID();
  await journal.enqueue({ key, id: 'one', content: 'x', start });
  const lease = await journal.lease(key, { owner: 'w', ms: 60_000 });
  if (lease.state !== 'granted') throw new Error('not granted');
  await journal.next(lease.fence);
  return lease.fence;
}

/** Does it, without hearing of it, and once more. */
async function twice<T>(call: () => Promise<T>): Promise<T> {
  // So that the connection stands.
  await journal.workers();
  link.mode = 'lose-answers';
  const error = await call().then(
    () => undefined,
    (cause: unknown) => cause,
  );
  link.mode = 'pass';
  expect(error).toBeInstanceOf(ClusterError);
  expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
  expect((error as Error).message).not.toMatch(/127\.0\.0\.1|\d{4}/);
  return call();
}

describe('asked again after a lost answer', () => {
  it('enqueue has one turn', async () => {
    const key = randomUUID();
    expect((await twice(() => journal.enqueue({ key, id: 'one', content: 'x', start }))).isNew).toBe(false);
    expect(await journal.turns(key)).toHaveLength(1);
  });

  it('lease finds that somebody has it, and nobody else can', async () => {
    const key = randomUUID();
    await journal.enqueue({ key, id: 'one', content: 'x', start });
    const answer = await twice(() => journal.lease(key, { owner: 'me', ms: 60_000 }));
    expect(answer).toMatchObject({ state: 'held', owner: 'me' });
  });

  it('next has tried once', async () => {
    const key = randomUUID();
    await journal.enqueue({ key, id: 'one', content: 'x', start });
    const lease = await journal.lease(key, { owner: 'w', ms: 60_000 });
    if (lease.state !== 'granted') throw new Error('not granted');
    expect(await twice(() => journal.next(lease.fence))).toMatchObject({ attempt: 1, tries: 1 });
    const events = await journal.events(key);
    expect(events.filter((event) => event.type === 'turn' && event.state === 'running')).toHaveLength(1);
  });

  it('renew renews', async () => {
    const fence = await begin();
    expect(await twice(() => journal.renew([fence], 60_000))).toMatchObject([{ held: true }]);
  });

  it('publish with the same batch has published once', async () => {
    const fence = await begin();
    const events = [{ turn: 'one', type: 'text', text: 'x' }] as const;
    const last = await twice(() => journal.publish(fence, events, 'batch'));
    expect((await journal.events(fence.key)).at(-1)?.id).toBe(last);
    expect((await journal.events(fence.key)).filter(({ type }) => type === 'text')).toHaveLength(1);
  });

  it('beginCall has begun once, and is still new', async () => {
    const fence = await begin();
    const call = { callKey: 'c', turn: 'one', toolName: 't', input: {} };
    expect(await twice(() => journal.beginCall(fence, call))).toEqual({ state: 'new' });
    expect((await journal.history(fence.key))?.calls).toMatchObject([{ begun: 1 }]);
  });

  it('endCall has ended once', async () => {
    const fence = await begin();
    await journal.beginCall(fence, { callKey: 'c', turn: 'one', toolName: 't', input: {} });
    await twice(() => journal.endCall(fence, 'c', 'result'));
    expect((await journal.history(fence.key))?.calls).toMatchObject([{ ended: 1, result: 'result' }]);
  });

  it('ask has asked once', async () => {
    const fence = await begin();
    const id = randomUUID();
    expect(await twice(() => journal.ask(fence, 'one', { ...question, id }))).toBeUndefined();
    expect((await journal.events(fence.key)).filter(({ type }) => type === 'question')).toHaveLength(1);
  });

  it('park has parked, and counted once', async () => {
    const fence = await begin();
    const id = randomUUID();
    await journal.ask(fence, 'one', { ...question, id });
    expect(await twice(() => journal.park(fence, 'one', { questions: [id], turnCostUsd: 0.5 }))).toBe(true);
    expect((await journal.conversation(fence.key))?.totalCostUsd).toBe(0.5);
  });

  it('answer was taken: the question has it', async () => {
    const fence = await begin();
    const id = randomUUID();
    await journal.ask(fence, 'one', { ...question, id });
    const answer = { result: { behavior: 'allow' }, answeredAt: 0, by: 'me' } as const;
    expect(await twice(() => journal.answer(id, answer))).toMatchObject({ taken: false });
    expect(await journal.questions({ id, answered: true })).toMatchObject([{ answer: { by: 'me' } }]);
  });

  it('finish has ended it once, and counted once', async () => {
    const fence = await begin();
    expect(await twice(() => journal.finish(fence, 'one', { outcome }))).toBe(false);
    expect(await journal.turn(fence.key, 'one')).toMatchObject({ state: 'ended', turnCostUsd: 0.5 });
  });

  it('release has released', async () => {
    const fence = await begin();
    expect(await twice(() => journal.release(fence, { turn: 'one', turnCostUsd: 0.5 }))).toBe(false);
    expect(await journal.conversation(fence.key)).toMatchObject({ totalCostUsd: 0.5 });
  });

  it('append has each entry once that has a uuid', async () => {
    const fence = await begin();
    const key = { projectKey: 'p', sessionId: fence.key };
    await twice(() => journal.store(fence).append(key, [{ type: 'user', uuid: 'u' }]));
    expect(await journal.store().load(key)).toHaveLength(1);
  });

  it('cancel and remove have done it', async () => {
    const key = randomUUID();
    await journal.enqueue({ key, id: 'one', content: 'x', start });
    expect(await twice(() => journal.cancel(key, 'one'))).toBe(false);
    expect(await journal.turn(key, 'one')).toMatchObject({ outcome: { kind: 'cancelled' } });
    expect(await twice(() => journal.remove(key))).toBe(false);
    expect(await journal.conversation(key)).toBeUndefined();
  });
});

describe('a network that is cut in two', () => {
  it('is noticed without a word, by callers and by those who listen', async () => {
    const cut = await openLossyLink(inject('postgresUrl'));
    const near = openJournal({
      schema,
      connectionString: cut.url,
      // Soon enough for a test, and not before a busy machine has made the connection.
      statementTimeoutMs: 2000,
      connectTimeoutMs: 2000,
    });
    const key = randomUUID();
    const heard: Array<string | undefined> = [];
    await near.listen((change) => heard.push(change.key));
    cut.mode = 'silent';
    await expect(near.enqueue({ key, id: 'one', content: 'x', start })).rejects.toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      retryable: true,
    });
    await journal.enqueue({ key, id: 'two', content: 'x', start });
    cut.mode = 'pass';
    // A change of everything is reported, because it is unknown what was missed.
    await expect.poll(() => heard.includes(undefined), { timeout: 20_000 }).toBe(true);
    await near.enqueue({ key, id: 'three', content: 'x', start });
    await expect.poll(() => heard.includes(key)).toBe(true);
    await near.close();
    await cut[Symbol.asyncDispose]();
  });
});
