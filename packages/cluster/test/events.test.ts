// The events of a conversation, read from any place, by any process, while they are written.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryDispatcher } from '../src/dispatch/memory-dispatcher.js';
import type { Journal } from '../src/journal/journal.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import type { ClusterEvent, Fence } from '../src/journal/records.js';
import { readEventStart } from '../src/follow-events.js';
import { take, useClusters } from './support/test-cluster.js';

const START = { agent: 'support' };

/** A lease on a conversation with one turn under way. */
async function lease(journal: Journal, key: string): Promise<{ fence: Fence; turn: string }> {
  const { turn } = await journal.enqueue({ key, id: 'm1', content: 'x', start: { ...START, data: null } });
  const granted = await journal.lease(key, { owner: 'w', ms: 60_000 });
  if (granted.state !== 'granted') throw new Error(granted.state);
  await journal.next(granted.fence);
  return { fence: granted.fence, turn: turn.id };
}

const textEvent = (turn: string, text: string): { turn: string; type: 'text'; text: string } => ({
  turn,
  type: 'text',
  text,
});

describe('events', () => {
  const make = useClusters();

  it('come once and in order to a reader that leaves and comes back anywhere, while they are written', async () => {
    // Each number: how many events are written next, and how many the reader takes before it comes back.
    const steps = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (script, asText) => {
        const journal = memoryJournal();
        const chat = make({ journal, dispatcher: memoryDispatcher() }).conversation('a', START);
        const { fence, turn } = await lease(journal, 'a');
        let written = 2;
        const seen: ClusterEvent[] = [];
        for (const [write, want] of script) {
          const readable = Math.min(want, written + write - seen.length);
          const after = seen.at(-1)?.id ?? 0;
          const reading = take(chat.events({ after: asText ? String(after) : after }), readable);
          for (let index = 0; index < write; index += 1)
            await journal.publish(fence, [textEvent(turn, `${(written += 1)}`)]);
          seen.push(...(await reading));
        }
        expect(seen.map(({ id }) => id)).toEqual(seen.map((_, index) => index + 1));
        const all = await journal.events('a');
        expect(seen).toEqual(all.slice(0, seen.length));
        const rest = await take(chat.events({ after: seen.length }), all.length - seen.length);
        expect([...seen, ...rest]).toEqual(all);
      }),
      { numRuns: 20 },
    );
  });

  it('of more than one batch come whole', async () => {
    const journal = memoryJournal();
    const chat = make({ journal }).conversation('a', START);
    const { fence, turn } = await lease(journal, 'a');
    await journal.publish(
      fence,
      Array.from({ length: 1700 }, (_, index) => textEvent(turn, `${index}`)),
    );
    const seen = await take(chat.events(), 1702);
    expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: 1702 }, (_, index) => index + 1));
  });

  it('are waited for where the conversation does not exist yet', async () => {
    const cluster = make();
    const fromStart = take(cluster.conversation('a').events(), 1);
    const fromEnd = take(cluster.conversation('a').events({ after: 'end' }), 1);
    await cluster.conversation('a', START).send('x');
    expect(await fromStart).toMatchObject([{ id: 1, type: 'turn', state: 'queued' }]);
    expect(await fromEnd).toMatchObject([{ id: 1 }]);
    const later = take(cluster.conversation('a').events({ after: 'end' }), 1);
    // Its place is that of the first look, which is over once it listens.
    await new Promise((resolve) => setImmediate(resolve));
    await cluster.conversation('a').send('y');
    expect(await later).toMatchObject([{ id: 2 }]);
  });

  it('end with the signal, also while nothing comes, and before anything was read', async () => {
    const chat = make().conversation('a', START);
    await chat.send('x');
    const controller = new AbortController();
    const reader = chat.events({ signal: controller.signal });
    expect(await reader.next()).toMatchObject({ done: false });
    const waiting = reader.next();
    controller.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await chat.events({ signal: AbortSignal.abort() }).next()).toEqual({
      done: true,
      value: undefined,
    });
  });

  it('end when the conversation is removed, also when another has its key by then', async () => {
    const journal = memoryJournal();
    const chat = make({ journal }).conversation('a', START);
    const { fence, turn } = await lease(journal, 'a');
    await journal.publish(fence, [textEvent(turn, 'old')]);
    const reader = chat.events();
    const ids: number[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await reader.next()).value?.id ?? 0);
    expect(ids).toEqual([1, 2, 3]);
    await journal.remove('a');
    const next = await lease(journal, 'a');
    await journal.publish(next.fence, [textEvent(turn, 'new 3'), textEvent(turn, 'new 4')]);
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    const waiting = chat.events({ after: 'end' });
    const ended = waiting.next();
    await new Promise((resolve) => setImmediate(resolve));
    await journal.remove('a');
    expect(await ended).toEqual({ done: true, value: undefined });
  });

  it('are read from the first where the place is of a longer conversation that had the key before', async () => {
    const chat = make().conversation('a', START);
    await chat.send('x');
    expect(await take(chat.events({ after: 77 }), 1)).toMatchObject([{ id: 1 }]);
  });

  it('let their reader go while the journal does not answer', async () => {
    const journal = memoryJournal();
    await lease(journal, 'a');
    const silent: Journal = {
      ...journal,
      events: () => new Promise(() => {}),
      turn: () => new Promise(() => {}),
    };
    const cluster = make({ journal: silent });
    const controller = new AbortController();
    const reader = cluster.conversation('a').events({ signal: controller.signal });
    const waiting = reader.next();
    const outcome = cluster.conversation('a').turn('m1').outcome({ signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await expect(outcome).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('go on when the journal was away for a moment', async () => {
    const journal = memoryJournal();
    const { fence, turn } = await lease(journal, 'a');
    let isAway = false;
    const flaky: Journal = {
      ...journal,
      events: (...given) =>
        isAway ? ((isAway = false), Promise.reject(new Error('ECONNREFUSED'))) : journal.events(...given),
    };
    const troubles: unknown[] = [];
    const chat = make({ journal: flaky, onTrouble: ({ what }) => troubles.push(what) }).conversation('a');
    const reader = chat.events();
    for (let index = 0; index < 2; index += 1) await reader.next();
    isAway = true;
    await journal.publish(fence, [textEvent(turn, 'after')]);
    expect(await reader.next()).toMatchObject({ value: { id: 3, text: 'after' } });
    expect(troubles).toEqual(['read']);
    await reader.return?.();
  });
});

describe('readPlace', () => {
  it('takes what a header gives', () => {
    expect([undefined, '', 0, 7, '7', '0', 'end'].map(readEventStart)).toEqual([0, 0, 0, 7, 7, 0, 'end']);
  });

  it.each([-1, 1.5, Number.NaN, '-1', '1e3', ' 7', 'abc', {}, null, '99999999999999999999'])(
    'refuses %j',
    (after) => {
      expect(() => readEventStart(after)).toThrow(/"after" must be the id of an event/);
    },
  );
});
