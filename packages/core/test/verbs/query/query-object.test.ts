// The query as an object: its methods stand on one prototype, and which receivers they work with.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Controls, UnlistedControls } from '../../../src/live/controls/controls.js';
import { CONTROLS, UNLISTED_CONTROLS } from '../../../src/live/controls/control-table.js';
import type { SDKMessage } from '../../../src/wire/protocol/messages/messages.js';
import { createFakeCli, type FakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { query, type Query } from '../../../src/verbs/query/query.js';

let fake: FakeCli;
let q: Query;

beforeEach(() => {
  fake = createFakeCli([say('hello')], { allowEarlyEnd: true });
  q = query({ prompt: 'hi', options: { transport: fake.transport } });
});

afterEach(async () => {
  await q.close();
  await fake[Symbol.asyncDispose]();
});

/** A control that is sent, one that is read, the members of the query's own, and the iteration, each by the receiver. */
async function expectToWork(receiver: Query): Promise<void> {
  expect(await receiver.setPermissionMode('plan')).toBeUndefined();
  expect(await receiver.supportedModels()).toBeInstanceOf(Array);
  expect(receiver.pendingPermissions()).toEqual([]);
  expect(receiver.usageReport()).toEqual(q.usageReport());
  expect(receiver.pid).toBe(q.pid);
  const messages: SDKMessage[] = [];
  for await (const message of receiver) messages.push(message);
  expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'hello' });
  await receiver.close();
}

describe('the methods of a query', () => {
  it('work on the query itself', async () => {
    await expectToWork(q);
  });

  it('work through a proxy', async () => {
    await expectToWork(new Proxy(q, {}));
  });

  it('work through a proxy that passes itself on as the receiver', async () => {
    const handler: ProxyHandler<Query> = {
      get: (target, key, receiver) => Reflect.get(target, key, receiver) as unknown,
    };
    await expectToWork(new Proxy(q, handler));
  });

  it('work on an object that inherits from the query', async () => {
    await expectToWork(Object.create(q) as Query);
  });

  it('work when they were read from the prototype for the query as receiver', async () => {
    const prototype = Object.getPrototypeOf(q) as Query;
    const read = (key: string | symbol): unknown => Reflect.get(prototype, key, q);
    expect(read('pid')).toBe(q.pid);
    expect(await (read('supportedModels') as Query['supportedModels']).call(q)).toEqual(
      await q.supportedModels(),
    );
    expect((read(Symbol.asyncIterator) as () => unknown).call(q)).toBe(q);
  });

  it('work when a program copies them from the prototype onto an object of its own', async () => {
    const prototype = Object.getPrototypeOf(q) as Record<string | symbol, unknown>;
    const copy: Record<string | symbol, unknown> = {};
    for (const key of [
      ...Object.getOwnPropertyNames(prototype),
      ...Object.getOwnPropertySymbols(prototype),
    ]) {
      const value = prototype[key];
      if (typeof value === 'function' && key !== 'constructor')
        copy[key] = (...given: unknown[]) => (value as (...given: unknown[]) => unknown).apply(q, given);
    }
    const own = copy as unknown as Query;
    expect(await own.setPermissionMode('plan')).toBeUndefined();
    const messages: SDKMessage[] = [];
    for await (const message of own) messages.push(message);
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    await own.return();
  });

  it('are all own members of its prototype', () => {
    const names = new Set(Object.getOwnPropertyNames(Object.getPrototypeOf(q)));
    const expected: (keyof Query)[] = [
      ...(Object.keys(CONTROLS) as (keyof Controls)[]),
      ...(Object.keys(UNLISTED_CONTROLS) as (keyof UnlistedControls)[]),
      ...(['request', 'next', 'return', 'throw', 'close', 'streamInput', 'output', 'ready', 'pid'] as const),
      ...(['pendingPermissions', 'usageReport'] as const),
    ];
    expect(expected.filter((name) => !names.has(name as string))).toEqual([]);
    expect(Object.keys(q)).toEqual([]);
    for (const symbol of [Symbol.asyncIterator, Symbol.asyncDispose])
      expect(Object.hasOwn(Object.getPrototypeOf(q) as object, symbol)).toBe(true);
  });

  it('are the same functions on every query, and have their names', async () => {
    const other = createFakeCli([say('hello')], { allowEarlyEnd: true });
    await using second = query({ prompt: 'hi', options: { transport: other.transport } });
    for (const name of ['interrupt', 'request', 'getStatus', 'next', 'close'] as const) {
      expect(second[name]).toBe(q[name]);
      expect(q[name].name).toBe(name);
    }
    await second.close();
    await other[Symbol.asyncDispose]();
  });

  it('need their receiver, and say so when they have none', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- detached on purpose
    const { usageReport, supportedModels } = q;
    const complaint = new TypeError(
      'A method of a query was called without its query: call it as query.method(), or bind it',
    );
    expect(() => usageReport()).toThrow(complaint);
    expect(() => supportedModels()).toThrow(complaint);
    expect(await supportedModels.bind(q)()).toBeInstanceOf(Array);
  });
});
