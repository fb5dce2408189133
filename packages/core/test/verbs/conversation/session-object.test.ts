// The session as an object: its methods stand on one prototype, and which receivers they work with.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONTROLS } from '../../../src/live/controls/control-table.js';
import { createFakeCli, type FakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { openSession, type Session } from '../../../src/verbs/conversation/open-session.js';

let fake: FakeCli;
let session: Session;

beforeEach(() => {
  fake = createFakeCli([say('hello')], { allowEarlyEnd: true });
  session = openSession({ options: { transport: fake.transport } });
});

afterEach(async () => {
  await session.close();
  await fake[Symbol.asyncDispose]();
});

/** A control that is sent, one that is read, and the members of the session's own, each by the receiver. */
async function expectToWork(receiver: Session): Promise<void> {
  expect(await receiver.setPermissionMode('plan')).toBeUndefined();
  expect(await receiver.supportedModels()).toBeInstanceOf(Array);
  expect(receiver.pendingPermissions()).toEqual([]);
  expect([receiver.sessionId, receiver.state, receiver.pid]).toEqual([
    session.sessionId,
    'ready',
    session.pid,
  ]);
  const messages = receiver.messages();
  expect(await receiver.send('hi').text()).toBe('hello');
  expect((await messages.next()).done).toBe(false);
  expect(receiver.usageReport()).toEqual(session.usageReport());
  expect(await receiver.suspend()).toBe(true);
  await receiver.close();
  expect(session.state).toBe('closed');
}

describe('the methods of a session', () => {
  it('work on the session itself', async () => {
    await expectToWork(session);
  });

  it('work through a proxy', async () => {
    await expectToWork(new Proxy(session, {}));
  });

  it('work on an object that inherits from the session', async () => {
    await expectToWork(Object.create(session) as Session);
  });

  it('work when a program copies them from the prototype onto an object of its own', async () => {
    const prototype = Object.getPrototypeOf(session) as Record<string, unknown>;
    const copy: Record<string, unknown> = {};
    for (const key of Object.getOwnPropertyNames(prototype)) {
      const value = prototype[key];
      if (typeof value === 'function' && key !== 'constructor')
        copy[key] = (...given: unknown[]) =>
          (value as (...given: unknown[]) => unknown).apply(session, given);
    }
    const own = copy as unknown as Session;
    expect(await own.setPermissionMode('plan')).toBeUndefined();
    expect(await own.send('hi').text()).toBe('hello');
    await own.close();
  });

  it('are all own members of its prototype', () => {
    const names = new Set(Object.getOwnPropertyNames(Object.getPrototypeOf(session)));
    const own = 'send messages events pendingPermissions usageReport ready suspend close sessionId state pid';
    const expected = [...Object.keys(CONTROLS), 'request', ...own.split(' ')];
    expect(expected.filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(session)).toEqual([]);
  });

  it('need their receiver, and say so when they have none', () => {
    const send = Reflect.get(session, 'send') as (message: string) => unknown;
    expect(() => send('hi')).toThrow(
      new TypeError(
        'A method of a session was called without its session: call it as session.method(), or bind it',
      ),
    );
  });
});
