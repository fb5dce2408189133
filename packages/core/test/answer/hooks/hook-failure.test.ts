// The option "hookFailure": one switch for all hooks whose matcher does not say what a failure does.
import { describe, expect, it, vi } from 'vitest';
import type { HookError } from '../../../src/errors.js';
import { canBlock } from '../../../src/answer/hooks/block-answer.js';
import { createHookRegistry } from '../../../src/answer/hooks/hook-registry.js';
import { WITHDRAWN } from '../../../src/wire/protocol/answer.js';
import {
  HOOK_EVENTS,
  type HookCallback,
  type HookCallbackMatcher,
  type HookFailure,
} from '../../../src/wire/protocol/hooks/hook-callback.js';
import { elapse, useVirtualClock } from '../../../../../test/support/virtual-clock.js';

interface Case {
  event?: string;
  matcher?: Partial<HookCallbackMatcher>;
  hookFailure?: HookFailure | undefined;
}

const broken = (): never => {
  throw new Error('broken');
};
const rejecting = (): Promise<never> => Promise.reject(new Error('broken'));
const never = (): Promise<never> => new Promise(() => {});

function setUp(callback: unknown, { event = 'PreToolUse', matcher = {}, hookFailure = 'refuse' }: Case = {}) {
  const failures: HookError[] = [];
  const registry = createHookRegistry(
    { [event]: [{ hooks: [callback as HookCallback], ...matcher }] },
    { onFailure: (error) => failures.push(error), hookFailure },
  );
  const controller = new AbortController();
  const call = async (): Promise<unknown> =>
    await registry.answer(
      { callback_id: 'hook_0', input: { hook_event_name: event } },
      { requestId: 'r1', signal: controller.signal },
    );
  return { call, failures, controller, registry };
}

const REFUSED = { hookSpecificOutput: { permissionDecision: 'deny' } };

describe('with "refuse"', () => {
  it.each(HOOK_EVENTS.filter((event) => canBlock(event)))(
    'a failed hook of %s gives the answer that failClosed gives',
    async (event) => {
      for (const callback of [broken, rejecting, () => 'nonsense', () => Promise.resolve([1])]) {
        const own = await setUp(callback, {
          event,
          matcher: { failClosed: true },
          hookFailure: undefined,
        }).call();
        expect(own).toBeTypeOf('object');
        expect(await setUp(callback, { event }).call()).toEqual(own);
      }
    },
  );

  it.each(HOOK_EVENTS.filter((event) => !canBlock(event)))(
    'a failed hook of %s has no effect: there is nothing to refuse',
    async (event) => {
      const { call, failures } = setUp(broken, { event });
      await expect(call()).rejects.toThrow('broken');
      expect(failures).toMatchObject([
        { code: 'HOOK_FAILED', message: expect.not.stringContaining('hookFailure') as string },
      ]);
    },
  );

  it.each([undefined, null, {}])('%j stays no decision', async (value) => {
    for (const event of HOOK_EVENTS) {
      const { call, failures } = setUp(() => Promise.resolve(value), { event });
      expect(await call()).toEqual({});
      expect(failures).toEqual([]);
    }
  });

  it.each<[string, Partial<HookCallbackMatcher>]>([
    ['failClosed: false', { failClosed: false }],
    ["onFailure: 'continue'", { onFailure: 'continue' }],
  ])('%s of a matcher wins, and its warning advises nothing else', async (_name, matcher) => {
    const { call, failures } = setUp(broken, { matcher });
    await expect(call()).rejects.toThrow('broken');
    expect(failures).toMatchObject([
      { code: 'HOOK_FAILED', message: expect.not.stringContaining('hookFailure') as string },
    ]);
  });

  it('is not declared to the CLI, so that it works with every one', () => {
    const { registry } = setUp(broken);
    expect(registry.declared).toEqual({ PreToolUse: [{ hookCallbackIds: ['hook_0'] }] });
    expect(registry.mustBeHonoured).toBe(false);
  });
});

describe('with "continue", or without the option', () => {
  it.each(['continue', undefined] as const)(
    '%s: a matcher that fails closed still does',
    async (hookFailure) => {
      for (const matcher of [{ failClosed: true }, { onFailure: 'block' as const }])
        expect(await setUp(broken, { matcher, hookFailure }).call()).toMatchObject(REFUSED);
    },
  );

  it('a hook that fails has no effect, and the warning names the switch', async () => {
    for (const callback of [broken, rejecting]) {
      const { call, failures } = setUp(callback, { hookFailure: 'continue' });
      await expect(call()).rejects.toThrow('broken');
      expect(failures).toMatchObject([
        { code: 'HOOK_FAILED', message: expect.stringContaining("hookFailure: 'refuse'") as string },
      ]);
    }
  });
});

describe('a late hook', () => {
  useVirtualClock();

  it('refuses, also where the CLI would go on', async () => {
    const { call, failures } = setUp(never, { event: 'PermissionRequest', matcher: { timeout: 1 } });
    const answer = call();
    await elapse(1000);
    expect(await answer).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
    expect(failures).toMatchObject([{ code: 'HOOK_TIMEOUT' }]);
  });

  it('refuses without a timeout of its own, before an old CLI would run the tool after its 600 seconds', async () => {
    for (const matcher of [{}, { failClosed: true }, { timeout: 0 }]) {
      const { call, failures } = setUp(never, { matcher });
      const answer = call();
      await elapse(599_000);
      expect(failures).toEqual([]);
      await elapse(999);
      expect(await answer).toMatchObject(REFUSED);
      expect(failures).toMatchObject([{ code: 'HOOK_TIMEOUT' }]);
    }
  });

  it('has no limit where nothing can be refused', () => {
    void setUp(never, { event: 'Notification' }).call();
    void setUp(never, { matcher: { failClosed: false } }).call();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('names the switch where it had no effect', async () => {
    const { call, failures } = setUp(never, {
      event: 'PermissionRequest',
      matcher: { timeout: 1 },
      hookFailure: 'continue',
    });
    const answer = expect(call()).rejects.toMatchObject({ code: 'HOOK_TIMEOUT' });
    await elapse(1000);
    await answer;
    expect(failures).toMatchObject([{ message: expect.stringContaining('hookFailure') as string }]);
  });
});

describe('a hook that gives up', () => {
  const untilAborted: HookCallback = (_input, _id, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')));
    });

  it.each([{}, { timeout: 5 }])('because the session ends has not failed (%j)', async (matcher) => {
    const { call, failures, controller } = setUp(untilAborted, { matcher });
    const answer = call();
    await Promise.resolve();
    controller.abort(new Error('The session ended'));
    // The CLI does not read this answer; if it did, the answer would let nothing pass.
    expect(await answer).toMatchObject(REFUSED);
    expect(failures).toEqual([]);
  });

  it('because the session ends is no failure without the option either', async () => {
    const { call, failures, controller } = setUp(untilAborted, { hookFailure: 'continue' });
    const answer = call();
    controller.abort(new Error('The session ended'));
    await expect(answer).rejects.toThrow('given up');
    expect(failures).toEqual([]);
  });

  it('because the CLI withdrew the call has failed: an old CLI continues after its own timeout', async () => {
    const { call, failures, controller } = setUp(untilAborted);
    const answer = call();
    controller.abort(new Error('Withdrawn', { cause: WITHDRAWN }));
    expect(await answer).toMatchObject(REFUSED);
    expect(failures).toMatchObject([{ code: 'HOOK_FAILED' }]);
  });
});

describe('a switch of a matcher with a wrong value', () => {
  it.each([
    ['failClosed', 'yes'],
    ['failClosed', 'true'],
    ['failClosed', 1],
    ['onFailure', 'refuse'],
    ['onFailure', 'Block'],
    ['onFailure', true],
  ])('is refused, because it would count as off: %s %j', (name, value) => {
    const create = () => setUp(broken, { matcher: { [name]: value } });
    expect(create).toThrow(`"hooks.PreToolUse[0].${name}" must be`);
  });
});
