import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { HookError } from '../../../src/errors.js';
import { describeValue } from '../../../src/answer/hooks/answer-fields.js';
import { createHookRegistry } from '../../../src/answer/hooks/hook-registry.js';
import { findMeantEvents } from '../../../src/answer/hooks/meant-events.js';
import { translateDecision } from '../../../src/answer/hooks/permission-answer.js';
import { findRefusal } from '../../../src/answer/hooks/refusal-words.js';
import type {
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
} from '../../../src/wire/protocol/hooks/hook-callback.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
import { elapse, useVirtualClock } from '../../../../../test/support/virtual-clock.js';

const DENY = { hookEventName: 'PreToolUse', permissionDecision: 'deny' };

function setUp(event: HookEvent, callback: unknown, more: Partial<HookCallbackMatcher> = {}) {
  const failures: HookError[] = [];
  const registry = createHookRegistry(
    { [event]: [{ hooks: [callback as HookCallback], ...more }] },
    { onFailure: (error) => failures.push(error) },
  );
  const controller = new AbortController();
  const call = async (): Promise<unknown> =>
    await registry.answer(
      { callback_id: 'hook_0', input: { hook_event_name: event } },
      { requestId: 'r1', signal: controller.signal },
    );
  return { call, failures, controller };
}

/** What the CLI reads for a callback that returns a value. */
async function answerTo(event: HookEvent, value: unknown, more?: Partial<HookCallbackMatcher>) {
  const { call, failures } = setUp(event, () => Promise.resolve(value), more);
  const answer = await call().catch((error: unknown) => ({ error: (error as Error).message }));
  return { answer, codes: failures.map(({ code }) => code) };
}

describe('a return value', () => {
  it.each([
    {},
    { async: true, asyncTimeout: 5 },
    { continue: false, stopReason: 'enough' },
    { decision: 'block', reason: 'no' },
    { hookSpecificOutput: { ...DENY, permissionDecisionReason: 'no' } },
    { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { keep: null } } },
  ])('that is right, as %j, goes as it is', async (value) => {
    expect(await answerTo('PreToolUse', value)).toEqual({ answer: value, codes: [] });
  });

  it('that is missing changes nothing', async () => {
    expect(await answerTo('Stop', undefined)).toEqual({ answer: {}, codes: [] });
    expect(await answerTo('Stop', null)).toEqual({ answer: {}, codes: [] });
  });

  it('is repaired where it can only mean one thing: the CLI would treat the refusal as no answer', async () => {
    const value = { reason: null, hookSpecificOutput: { permissionDecision: 'deny', updatedInput: null } };
    expect(await answerTo('PreToolUse', value)).toEqual({ answer: { hookSpecificOutput: DENY }, codes: [] });
    const asked = { hookSpecificOutput: { decision: { behavior: 'deny', message: null } } };
    expect(await answerTo('PermissionRequest', asked)).toEqual({
      answer: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny' } } },
      codes: [],
    });
  });

  it.each<[HookEvent, unknown, string]>([
    ['Stop', 'text', 'returned "text", which is not an object'],
    ['Stop', 7, 'returned 7, which is not an object'],
    ['Stop', [], 'returned a list, which is not an object'],
    ['Stop', { continue: 'no' }, 'returned "continue": "no"; expected a boolean'],
    ['Stop', { decision: 'allow' }, 'returned "decision": "allow"; expected "approve" or "block"'],
    ['Stop', { hookSpecificOutput: 'x' }, 'returned "hookSpecificOutput": "x"; expected an object'],
    [
      'Stop',
      { hookSpecificOutput: { hookEventName: 'PreToolUse' } },
      'returned "hookEventName": "PreToolUse" in answer to Stop; expected "Stop"',
    ],
    [
      'SessionStart',
      { hookSpecificOutput: { additionalContext: 1 } },
      'returned "additionalContext": 1; expected a string',
    ],
  ])('of %s that is wrong, %j, is an error that says where and what', async (event, value, text) => {
    const { answer, codes } = await answerTo(event, value);
    expect(answer).toEqual({ error: `The hook hooks.${event}[0].hooks[0] ${text}` });
    expect(codes).toEqual(['HOOK_OUTPUT_INVALID']);
  });

  it.each([
    { permissionDecision: 'deny' },
    { decision: 'deny' },
    { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'never' } },
    { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', updatedInput: 'x' } },
    { hookSpecificOutput: { hookEventName: 'PostToolUse' } },
    { systemMessage: 5, decision: 'block' },
    { hookSpecificOutput: { ...DENY, updatedInput: { big: 1n } } },
  ])('that may have been a refusal counts as one', async (value) => {
    const { answer, codes } = await answerTo('PreToolUse', value);
    expect(answer).toMatchObject({
      hookSpecificOutput: {
        ...DENY,
        permissionDecisionReason: expect.stringContaining('PreToolUse[0]') as string,
      },
    });
    expect(codes).toEqual(['HOOK_OUTPUT_INVALID']);
  });

  it('can always be encoded', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const odd = fc.oneof(
      fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true }),
      fc.constant(cycle),
      fc.constant(() => {}),
      fc.record({ hookSpecificOutput: fc.anything({ withBigInt: true }), decision: fc.anything() }),
    );
    await fc.assert(
      fc.asyncProperty(odd, fc.boolean(), async (value, failClosed) => {
        const { answer } = await answerTo('PreToolUse', value, { failClosed });
        expect(JSON.parse(JSON.stringify(answer))).toBeTypeOf('object');
      }),
      propertyOptions(100),
    );
  });
});

describe('a hook that fails', () => {
  const broken = (): never => {
    throw new Error('broken');
  };
  const rejecting = (): Promise<never> => Promise.reject(new Error('broken'));

  it.each([broken, rejecting])('is an error for the CLI, and reported to the host', async (callback) => {
    const { call, failures } = setUp('PreToolUse', callback);
    await expect(call()).rejects.toThrow('broken');
    expect(failures).toMatchObject([
      { code: 'HOOK_FAILED', event: 'PreToolUse', hook: 'hooks.PreToolUse[0].hooks[0]' },
    ]);
    expect(failures[0]?.cause).toMatchObject({ message: 'broken' });
  });

  it.each<[HookEvent, object]>([
    ['PreToolUse', { hookSpecificOutput: { permissionDecision: 'deny' } }],
    ['PermissionRequest', { hookSpecificOutput: { decision: { behavior: 'deny' } } }],
    ['PreModelSwitch', { hookSpecificOutput: { permissionDecision: 'deny' } }],
    ['UserPromptSubmit', { decision: 'block' }],
    ['UserPromptExpansion', { decision: 'block' }],
    ['PreCompact', { decision: 'block' }],
    ['PostToolUse', { continue: false }],
    ['PostToolBatch', { continue: false }],
    ['Elicitation', { hookSpecificOutput: { action: 'decline' } }],
    ['ElicitationResult', { hookSpecificOutput: { action: 'decline' } }],
  ])('and guards %s answers with a no', async (event, expected) => {
    for (const more of [{ failClosed: true }, { onFailure: 'block' as const }]) {
      for (const callback of [broken, rejecting, () => 'nonsense', () => undefined]) {
        expect(await setUp(event, callback, more).call()).toMatchObject(expected);
      }
    }
  });

  it('is still an error where nothing can be blocked', async () => {
    await expect(setUp('Stop', broken, { failClosed: true }).call()).rejects.toThrow('broken');
  });

  it('keeps the answer it gave', async () => {
    expect(await answerTo('PreToolUse', {}, { failClosed: true })).toEqual({ answer: {}, codes: [] });
  });
});

describe('a timeout', () => {
  useVirtualClock();

  it.each<[HookEvent, object]>([
    ['PreToolUse', { hookSpecificOutput: DENY }],
    ['UserPromptSubmit', { decision: 'block' }],
  ])('of %s is a no, given before the CLI stops waiting', async (event, expected) => {
    const seen: AbortSignal[] = [];
    const { call, failures } = setUp(
      event,
      (_input: unknown, _id: unknown, { signal }: { signal: AbortSignal }) => {
        seen.push(signal);
        return new Promise(() => {});
      },
      { timeout: 2 },
    );
    const answer = call();
    await elapse(1500);
    expect(failures).toEqual([]);
    await elapse(499);
    expect(await answer).toMatchObject(expected);
    expect(seen[0]?.reason).toBe(failures[0]);
    expect(failures[0]).toMatchObject({ code: 'HOOK_TIMEOUT', event });
    expect(failures[0]?.message).toContain('within its timeout of 2 s');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of another event is an error, or a refusal with failClosed', async () => {
    const never = () => new Promise(() => {});
    const open = expect(setUp('PostToolUse', never, { timeout: 1 }).call()).rejects.toMatchObject({
      code: 'HOOK_TIMEOUT',
    });
    const closed = setUp('PostToolUse', never, { timeout: 1, failClosed: true }).call();
    await elapse(1000);
    await open;
    expect(await closed).toMatchObject({ continue: false });
  });

  it('that is met leaves no timer behind', async () => {
    expect(await setUp('Stop', () => Promise.resolve({}), { timeout: 1 }).call()).toEqual({});
    await expect(
      setUp(
        'Stop',
        () => {
          throw new Error('broken');
        },
        { timeout: 1 },
      ).call(),
    ).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('no longer counts once the CLI has withdrawn the call', async () => {
    let finish: (value: object) => void = () => {};
    const reasons: unknown[] = [];
    const { call, controller, failures } = setUp(
      'Stop',
      (_input: unknown, _id: unknown, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        return new Promise((resolve) => (finish = resolve));
      },
      { timeout: 1 },
    );
    const answer = call();
    controller.abort('withdrawn');
    expect(reasons).toEqual(['withdrawn']);
    expect(vi.getTimerCount()).toBe(0);
    await elapse(5000);
    finish({ continue: true });
    expect(await answer).toEqual({ continue: true });
    expect(failures).toEqual([]);
  });

  it('makes the late result irrelevant, even an error', async () => {
    let finish: (error: Error) => void = () => {};
    const { call, failures } = setUp('PreToolUse', () => new Promise((_, reject) => (finish = reject)), {
      timeout: 1,
    });
    const answer = call();
    await elapse(1000);
    await answer;
    finish(new Error('too late'));
    await elapse(0);
    expect(failures).toHaveLength(1);
  });

  it.each([0, -1, Number.NaN, 1e9, undefined])('of %s is left to the CLI', async (timeout) => {
    void setUp('Stop', () => new Promise(() => {}), timeout === undefined ? {} : { timeout }).call();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a no that the CLI could not read', () => {
  const no = (reason?: string): object => ({ reason });

  it.each<[Record<string, unknown>, object | undefined]>([
    [{ decision: 'Denied' }, no()],
    [{ decision: ' BLOCKED ' }, no()],
    [{ Deny: true }, no()],
    [{ deny: 'Not as root.' }, no('Not as root.')],
    [{ deny: 'deny' }, no()],
    [{ allow: false, reason: 'why' }, no('why')],
    [{ ALLOW: false }, no()],
    [{ shouldContinue: false, denyReason: 'because' }, no('because')],
    [{ deny: true, message: 'm' }, no('m')],
    [{ deny: true, stopReason: 's' }, no('s')],
    [{ deny: true, permissionDecisionReason: 'p' }, no('p')],
    [{ message: 'outer', output: { deny: true } }, no('outer')],
    [{ message: 'outer', output: { deny: true, reason: 'inner' } }, no('inner')],
    [{ a: { b: { c: { deny: true } } } }, no()],
    [{ a: { b: { c: { d: { deny: true } } } } }, undefined],
    // Near misses.
    [{ deny: false }, undefined],
    [{ allow: true }, undefined],
    [{ allow: 0 }, undefined],
    [{ decision: 'not denied' }, undefined],
    [{ decision: 'denied?' }, undefined],
    [{ undeny: true }, undefined],
    [{ denylist: true }, undefined],
    [{ disallowance: false }, undefined],
    [{ notallow: false }, undefined],
    [{ allowlist: false }, undefined],
    [{ reason: 'deny' }, undefined],
    [{ other: 'Not as root.' }, undefined],
  ])('%o', (fields, found) => {
    expect(findRefusal(fields)).toEqual(found);
  });
});

describe('a permission decision of a hook', () => {
  it('names the fields beside it that nobody knows, and not those of a permission result', () => {
    const given = { behavior: 'deny', message: 'm', toolUseID: 't', decisionClassification: 'c', extra: 1 };
    expect(translateDecision('PreToolUse', given)).toMatchObject({ ignored: ['extra'] });
  });
});

it.each([
  ['PreTooluse', ['PreToolUse']],
  ['on_before_tool_use', ['PreToolUse']],
  ['afterToolUse', ['PostToolUse']],
  ['pre_tool_use_hook', ['PreToolUse']],
  ['stopEvent', ['Stop']],
  ['subagent', ['SubagentStart', 'SubagentStop']],
  ['sub', []],
  ['failure', []],
  ['xyzzy', []],
])('guesses which events %s means', (name, events) => {
  expect(findMeantEvents(name)).toEqual(events);
});

it('names the class of an object in an answer, and nothing else of it', () => {
  class Verdict {
    readonly value = 1;
  }
  expect(
    [new Verdict(), {}, Object.create(null), [], () => 1, 'a', 5, null].map((value) => describeValue(value)),
  ).toEqual([
    'an object of class Verdict',
    'an object',
    'an object',
    'a list',
    'a function',
    '"a"',
    '5',
    'null',
  ]);
});
