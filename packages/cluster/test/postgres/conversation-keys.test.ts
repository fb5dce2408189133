// Numbers of conversations become keys with few questions to the database, on a clock that the test moves.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JournalChange } from '../../src/journal/journal.js';
import { ConversationKeys, type KnownKeys } from '../../src/postgres/conversation-keys.js';
import { createDeferred } from '@inboard/core/util/deferred.js';

describe('keys of conversations', () => {
  let told: JournalChange[];
  let known: KnownKeys;
  let looks: string[][];
  let answer: (numbers: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  let keys: ConversationKeys;

  beforeEach(() => {
    vi.useFakeTimers();
    told = [];
    looks = [];
    known = new Map();
    answer = async (numbers) => new Map(numbers.map((number) => [number, `key ${number}`]));
    keys = new ConversationKeys({
      known,
      tell: (change) => told.push(change),
      look: (numbers) => {
        looks.push([...numbers]);
        return answer(numbers);
      },
    });
  });
  afterEach(() => {
    keys.close();
    vi.useRealTimers();
  });
  const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  it('are looked up once, and then known', async () => {
    keys.hear('inbox', '7');
    keys.hear('events', '7');
    expect(told).toEqual([]);
    await pass();
    expect(told).toEqual([
      { kind: 'inbox', key: 'key 7' },
      { kind: 'events', key: 'key 7' },
    ]);
    keys.hear('stop', '7');
    expect(told.at(-1)).toEqual({ kind: 'stop', key: 'key 7' });
    await pass(100);
    expect(looks).toEqual([['7']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are looked up together, as far as they come while it is looked', async () => {
    const first = createDeferred<ReadonlyMap<string, string>>();
    answer = () => first.promise;
    keys.hear('inbox', '1');
    await pass();
    for (let number = 1; number <= 1500; number += 1) keys.hear('inbox', String(number));
    answer = async (numbers) => new Map(numbers.map((number) => [number, `key ${number}`]));
    expect(looks).toEqual([['1']]);
    first.resolve(new Map([['1', 'key 1']]));
    await pass(100);
    expect(looks.map(({ length }) => length)).toEqual([1, 1000, 499]);
    expect(told.map(({ key }) => key)).toEqual(Array.from({ length: 1500 }, (_, at) => `key ${at + 1}`));
  });

  it('of conversations that are gone make everybody look, once a second at most', async () => {
    answer = async () => new Map();
    for (let number = 1; number <= 40; number += 1) {
      keys.hear('stop', String(number));
      keys.hear('events', String(number));
      await pass(20);
    }
    const count = (): number => told.filter((change) => change.kind === 'stop' && !('key' in change)).length;
    expect([count(), told.length]).toEqual([1, 2]);
    await pass(1000);
    expect([count(), told.length]).toEqual([2, 4]);
    await pass(5000);
    expect([count(), vi.getTimerCount()]).toEqual([2, 0]);
  });

  it('that cannot be looked up make everybody look', async () => {
    answer = () => Promise.reject(new Error('permission denied'));
    keys.hear('question', '3');
    await pass();
    expect(told).toEqual([{ kind: 'question' }]);
  });

  it('are forgotten from the one that was not used for longest, and never pile up', async () => {
    for (let number = 1; number <= 10_000; number += 1) known.set(String(number), `key ${number}`);
    keys.hear('inbox', '1');
    keys.hear('inbox', 'new');
    await pass();
    expect([known.size, known.has('1'), known.has('2'), known.has('new')]).toEqual([
      10_000,
      true,
      false,
      true,
    ]);
    const never = createDeferred<ReadonlyMap<string, string>>();
    answer = () => never.promise;
    await pass(100);
    told.length = 0;
    for (let number = 1; number <= 10_002; number += 1) keys.hear('answer', `x${number}`);
    await pass();
    expect(told).toEqual([{ kind: 'answer' }]);
  });

  it('are told no more once it is closed', async () => {
    keys.hear('inbox', '7');
    keys.close();
    await pass(2000);
    expect([told, vi.getTimerCount()]).toEqual([[], 0]);
  });
});
