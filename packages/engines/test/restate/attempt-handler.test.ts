// What the handler of an attempt does with its end, with Restate's cancellation, and where the SDK of Restate cannot be loaded.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import { handleAttempt } from '../../src/restate/attempt-handler.js';
import { conversations } from '../../src/restate/conversations.js';
import type { AttemptExtras, MakeAttempt } from '../../src/turn/engine-agents.js';
import { FakeObject, library } from './fake-restate.js';

const turn = { conversation: 'chat', agent: 'support', id: '1', content: 'Hello' };
const OUTCOME = { ok: false, kind: 'interrupted', text: '', turnCostUsd: 0 } as const;

function attempt(make: MakeAttempt, object = new FakeObject()) {
  return handleAttempt(library, make, object.context, { turn, answers: [] });
}

describe('an attempt', () => {
  it('fails if it lost its conversation, so that Restate makes another', async () => {
    await expect(attempt(async () => ({ state: 'lost' }))).rejects.toThrow('newer attempt');
  });

  it('says for how long a conversation is busy', async () => {
    expect(await attempt(async () => ({ state: 'busy', until: 0 }))).toEqual({ state: 'busy', forMs: 0 });
  });

  it('is interrupted when it is cancelled, and says how the turn ended', async () => {
    const object = new FakeObject();
    const end = attempt(async (_turn, { interrupt }: AttemptExtras = {}) => {
      setImmediate(() => object.cancel());
      await new Promise((resolve) => interrupt?.addEventListener('abort', resolve));
      return { state: 'ended', outcome: OUTCOME };
    }, object);
    expect(await end).toEqual({ state: 'ended', outcome: OUTCOME });
  });

  it('is cancelled if it cannot say how the turn ended', async () => {
    const object = new FakeObject();
    const end = attempt(async (_turn, { interrupt }: AttemptExtras = {}) => {
      setImmediate(() => object.cancel());
      await new Promise((resolve) => interrupt?.addEventListener('abort', resolve));
      throw new Error('The CLI is gone');
    }, object);
    await expect(end).rejects.toBeInstanceOf(library.CancelledError);
  });
});

describe('conversations()', () => {
  const options = { agents: { support: {} }, ledger: createMemoryLedger() };
  const native = Object.getOwnPropertyDescriptor(Promise, 'withResolvers');
  afterEach(() => {
    Reflect.deleteProperty(Promise, 'withResolvers');
    if (native) Object.defineProperty(Promise, 'withResolvers', native);
  });

  it('says that it needs Node 22', async () => {
    Reflect.deleteProperty(Promise, 'withResolvers');
    await expect(conversations(options)).rejects.toMatchObject({
      code: 'PART_UNREADABLE',
      message: expect.stringContaining('needs Node 22 or newer'),
    });
  });

  it('says how to install what it needs', async () => {
    Object.defineProperty(Promise, 'withResolvers', { value: vi.fn(), configurable: true });
    await expect(conversations(options)).rejects.toMatchObject({
      code: 'PART_MISSING',
      message: expect.stringContaining('npm install @restatedev/restate-sdk@^1.17.0'),
    });
  });

  it.each([
    ['name', { name: '' }],
    ['attemptLimitMs', { attemptLimitMs: -1 }],
  ])('refuses a wrong %s', async (name, wrong) => {
    await expect(conversations({ ...options, ...wrong })).rejects.toThrow(`"${name}"`);
  });
});
