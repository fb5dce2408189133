// Pools and groups as objects: their methods stand on one prototype, and which receivers they work with.
import { describe, expect, it } from 'vitest';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createSessionGroup, type SessionGroup } from '../../../src/verbs/fleet/session-group.js';
import { createWarmPool, type WarmPool } from '../../../src/verbs/fleet/warm-pool.js';

const FORMS: [string, <T extends object>(object: T) => T][] = [
  ['on the object itself', (object) => object],
  ['through a proxy', (object) => new Proxy(object, {})],
  ['on an object that inherits from it', <T extends object>(object: T) => Object.create(object) as T],
  ['copied from the prototype, with the object as receiver', copyMethods],
];

/** What programs do that wrap an object without knowing its type. */
function copyMethods<T extends object>(object: T): T {
  const prototype = Object.getPrototypeOf(object) as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key of Object.getOwnPropertyNames(prototype)) {
    const value = prototype[key];
    if (typeof value === 'function' && key !== 'constructor')
      copy[key] = (...given: unknown[]) => (value as (...given: unknown[]) => unknown).apply(object, given);
  }
  return copy as T;
}

function ownNames(object: object): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(object)).toSorted();
}

describe('the methods of a pool', () => {
  it.each(FORMS)('work %s', async (_form, wrap) => {
    await using fake = createFakeCli([say('hello')], { allowEarlyEnd: true });
    const pool: WarmPool = createWarmPool({ options: { transport: fake.transport } });
    const wrapped = wrap(pool);
    await wrapped.ready();
    const types: string[] = [];
    for await (const message of wrapped.query({ prompt: 'hi' })) types.push(message.type);
    expect(types.at(-1)).toBe('result');
    expect(wrapped.stats()).toMatchObject({ warm: 1, cold: 0 });
    await wrapped.close();
    expect(() => pool.query({ prompt: 'hi' })).toThrow('The pool is closed');
  });

  it('are all own members of its prototype, and need their receiver', async () => {
    await using fake = createFakeCli([say('hello')], { allowEarlyEnd: true });
    await using pool = createWarmPool({ options: { transport: fake.transport } });
    expect(ownNames(pool)).toEqual(['close', 'constructor', 'query', 'ready', 'stats']);
    expect(Object.keys(pool)).toEqual([]);
    const stats = Reflect.get(pool, 'stats') as () => unknown;
    expect(() => stats()).toThrow(TypeError);
  });
});

describe('the methods of a group', () => {
  it.each(FORMS)('work %s', async (_form, wrap) => {
    await using fake = createFakeCli([say('hello')], { allowEarlyEnd: true });
    const group: SessionGroup = createSessionGroup({
      maxRunning: 1,
      options: { transport: fake.transport },
    });
    const wrapped = wrap(group);
    expect(await wrapped.open().send('hi').text()).toBe('hello');
    expect(wrapped.stats()).toMatchObject({ sessions: 1, open: 1 });
    await wrapped.closeAll();
    expect(() => group.open()).toThrow('The group is closed');
  });

  it('are all own members of its prototype, and need their receiver', async () => {
    await using group = createSessionGroup({ maxRunning: 1 });
    expect(ownNames(group)).toEqual(['closeAll', 'constructor', 'open', 'stats']);
    expect(Object.keys(group)).toEqual([]);
    const stats = Reflect.get(group, 'stats') as () => unknown;
    expect(() => stats()).toThrow(TypeError);
  });
});
