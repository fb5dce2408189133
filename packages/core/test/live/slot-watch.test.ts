// When a CLI of a group lends its slot, and what waits until it has one again.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeferred } from '../../src/util/deferred.js';
import { SlotWatch } from '../../src/live/slot-watch.js';
import { LEFT_OPEN, type AnswerContext } from '../../src/wire/protocol/answer.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settle = (): Promise<void> => new Promise(setImmediate);

function open() {
  const told: string[] = [];
  const regained = createDeferred<void>();
  const watch = new SlotWatch({
    lend: () => told.push('lent'),
    regain: async () => {
      told.push('wanted');
      await regained.promise;
    },
  });
  const signals = new Map<string, AbortController>();
  const ask = (how: 'person' | 'work', requestId: string, answer: () => unknown): Promise<unknown> => {
    const aborting = new AbortController();
    signals.set(requestId, aborting);
    const context = { requestId, signal: aborting.signal } as unknown as AnswerContext;
    return Promise.resolve(watch[how](answer)({}, context));
  };
  return { watch, told, regained, ask, withdraw: (id: string) => signals.get(id)?.abort() };
}

/** An answer that comes when the test says so. */
function later(): { given: () => Promise<unknown>; give: (value: unknown) => void } {
  const deferred = createDeferred<unknown>();
  return { given: () => deferred.promise, give: deferred.resolve };
}

describe('a slot', () => {
  it('is lent once a person takes longer than a moment, and the answer waits until there is one again', async () => {
    const { told, ask, regained } = open();
    const { given, give } = later();
    let answer: unknown;
    const asked = ask('person', 'a', given).then((value) => (answer = value));
    vi.advanceTimersByTime(499);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['lent']);
    give('yes');
    await settle();
    expect([told, answer]).toEqual([['lent', 'wanted'], undefined]);
    regained.resolve();
    await asked;
    expect([answer, vi.getTimerCount()]).toEqual(['yes', 0]);
  });

  it('is kept where the answer comes at once, or fails at once', async () => {
    const { told, ask } = open();
    expect(await ask('person', 'a', () => 'yes')).toBe('yes');
    expect(await ask('person', 'b', async () => 'yes')).toBe('yes');
    await expect(ask('person', 'c', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    vi.advanceTimersByTime(1000);
    expect([told, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it('is kept while this process works on another request, and lent once that is done', async () => {
    for (const how of ['resolves', 'rejects', 'throws'] as const) {
      const { told, ask } = open();
      const work = later();
      const working = ask('work', 'w', async () => {
        await work.given();
        if (how !== 'resolves') throw new Error('it broke');
      }).catch(() => {});
      void ask('person', 'a', later().given);
      vi.advanceTimersByTime(1000);
      expect(told).toEqual([]);
      if (how === 'throws')
        expect(() =>
          ask('work', 'w', () => {
            throw new Error('it broke');
          }),
        ).toThrow('it broke');
      else work.give(undefined);
      if (how !== 'throws') await working;
      expect(told, how).toEqual(['lent']);
    }
  });

  it('is lent while a tool waits for a person, and got back before the tool goes on', async () => {
    const { told, ask, watch, regained } = open();
    const end = later();
    const tool = ask('work', 'tool', end.given);
    const [one, other] = [later(), later()];
    let hasGoneOn = false;
    const waits = [watch.wait('tool', one.given()), watch.wait('tool', other.given())];
    const goingOn = waits[0]?.then(() => (hasGoneOn = true));
    expect(told).toEqual(['lent']);
    one.give('yes');
    await settle();
    expect([told, hasGoneOn]).toEqual([['lent', 'wanted'], false]);
    regained.resolve();
    await goingOn;
    // The other person still thinks, but the tool works again.
    expect(told).toEqual(['lent', 'wanted']);
    other.give('no');
    expect(await waits[1]).toBe('no');
    end.give('done');
    expect(await tool).toBe('done');
  });

  it('is not wanted back for a tool whose call was answered meanwhile, nor for an unknown one', async () => {
    const { told, ask, watch } = open();
    const end = later();
    const tool = ask('work', 'tool', end.given);
    const person = later();
    const waiting = watch.wait('tool', person.given());
    end.give('cancelled');
    await tool;
    person.give('late');
    expect(await waiting).toBe('late');
    expect(await watch.wait('unknown', Promise.resolve('at once'))).toBe('at once');
    expect(told).toEqual(['lent']);
  });

  it('is left alone once the CLI is gone', async () => {
    const { told, ask, watch } = open();
    const { given, give } = later();
    const asked = ask('person', 'a', given);
    watch.stop();
    vi.advanceTimersByTime(1000);
    give('yes');
    expect(await asked).toBe('yes');
    expect(told).toEqual([]);
  });
});

describe('a question that is left open', () => {
  it('lends the slot until it is answered by its id, and is written once there is one again', async () => {
    const { told, ask, watch, regained } = open();
    expect(await ask('person', 'a', async () => LEFT_OPEN)).toBe(LEFT_OPEN);
    expect(told).toEqual(['lent']);
    const write = vi.fn(() => true);
    expect(watch.release('a', write)).toBe(true);
    await settle();
    expect([told, write.mock.calls.length]).toEqual([['lent', 'wanted'], 0]);
    regained.resolve();
    await settle();
    expect(write).toHaveBeenCalledOnce();
    // It is no longer open, and the slot is there.
    expect(watch.release('a', () => false)).toBe(false);
  });

  it('counts no more once it is withdrawn', async () => {
    const { told, ask, watch, withdraw } = open();
    const work = later();
    const working = ask('work', 'w', work.given);
    await ask('person', 'a', async () => LEFT_OPEN);
    withdraw('a');
    work.give(undefined);
    await working;
    expect(told).toEqual([]);
    expect(watch.release('a', () => false)).toBe(false);
  });

  it('does not count where it was withdrawn before', async () => {
    const { told, ask, withdraw } = open();
    const { given, give } = later();
    const asked = ask('person', 'a', given);
    withdraw('a');
    give(LEFT_OPEN);
    await asked;
    expect(told).toEqual([]);
  });
});
