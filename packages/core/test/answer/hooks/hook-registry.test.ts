import { describe, expect, it, vi } from 'vitest';
import { createHookRegistry } from '../../../src/answer/hooks/hook-registry.js';
import type { HookCallback, HookRegistrations } from '../../../src/wire/protocol/hooks/hook-callback.js';

const context = { requestId: 'r1', signal: new AbortController().signal };
const quiet: HookCallback = () => Promise.resolve({});

describe('what is declared', () => {
  it('numbers all callbacks in their order, and contains only what was given', () => {
    const { declared } = createHookRegistry({
      PreToolUse: [{ matcher: 'Bash|Read', hooks: [quiet, quiet], timeout: 7 }, { hooks: [quiet] }],
      Stop: [{ hooks: [quiet], onFailure: 'continue' }],
    });
    expect(declared).toEqual({
      PreToolUse: [
        { matcher: 'Bash|Read', hookCallbackIds: ['hook_0', 'hook_1'], timeout: 7 },
        { hookCallbackIds: ['hook_2'] },
      ],
      Stop: [{ hookCallbackIds: ['hook_3'], onFailure: 'continue' }],
    });
  });

  it('leaves out what only this side handles', () => {
    const { declared, mustBeHonoured } = createHookRegistry({
      PreToolUse: [{ hooks: [quiet], failClosed: true }],
    });
    expect(declared).toEqual({ PreToolUse: [{ hookCallbackIds: ['hook_0'] }] });
    expect(mustBeHonoured).toBe(false);
  });

  it.each<[string, HookRegistrations | undefined, object | undefined]>([
    ['nothing', undefined, undefined],
    ['no events', {}, {}],
    ['an event without matchers', { PreToolUse: [] }, {}],
    ['an event that is undefined', { PreToolUse: undefined }, {}],
    ['a matcher without hooks', { PreToolUse: [{ hooks: [] }] }, { PreToolUse: [{ hookCallbackIds: [] }] }],
    [
      'an event nobody knows',
      { Nope: [{ hooks: [quiet] }] } as HookRegistrations,
      { Nope: [{ hookCallbackIds: ['hook_0'] }] },
    ],
  ])('for %s', (_, hooks, declared) => {
    expect(createHookRegistry(hooks).declared).toEqual(declared);
  });

  it('must be honoured as soon as one hook says so', () => {
    expect(createHookRegistry(undefined).mustBeHonoured).toBe(false);
    expect(createHookRegistry({ Stop: [{ hooks: [quiet], onFailure: 'continue' }] }).mustBeHonoured).toBe(
      false,
    );
    expect(
      createHookRegistry({ Stop: [{ hooks: [quiet] }, { hooks: [quiet], onFailure: 'block' }] })
        .mustBeHonoured,
    ).toBe(true);
  });
});

describe('a call', () => {
  it('reaches its own callback with the input untouched, the tool use and a signal', async () => {
    const first = vi.fn(quiet);
    const second = vi.fn<HookCallback>(() => Promise.resolve({ continue: false }));
    const { answer } = createHookRegistry({ PreToolUse: [{ hooks: [first] }], Stop: [{ hooks: [second] }] });
    const input = { hook_event_name: 'Stop', anything: [1] };
    expect(await answer({ callback_id: 'hook_1', input, tool_use_id: 'tu9' }, context)).toEqual({
      continue: false,
    });
    expect(first).not.toHaveBeenCalled();
    const [gotInput, toolUseId, options] = second.mock.calls[0] ?? [];
    expect(gotInput).toBe(input);
    expect(toolUseId).toBe('tu9');
    expect(options?.signal).toBe(context.signal);
  });

  it('without a tool use passes undefined', async () => {
    const hook = vi.fn(quiet);
    await createHookRegistry({ Stop: [{ hooks: [hook] }] }).answer(
      { callback_id: 'hook_0', input: {}, tool_use_id: null },
      context,
    );
    expect(hook.mock.calls[0]?.[1]).toBeUndefined();
  });

  it('names the subagent behind a tool where the CLI does not', async () => {
    const hook = vi.fn(quiet);
    const { answer } = createHookRegistry(
      { PreToolUse: [{ hooks: [hook] }] },
      { agentIdOf: (id) => (id === 'tu1' ? 'agent' : undefined) },
    );
    await answer({ callback_id: 'hook_0', input: { tool_name: 'Bash' }, tool_use_id: 'tu1' }, context);
    await answer({ callback_id: 'hook_0', input: { agent_id: 'own' }, tool_use_id: 'tu1' }, context);
    await answer({ callback_id: 'hook_0', input: {}, tool_use_id: 'tu2' }, context);
    expect(hook.mock.calls.map(([input]) => input)).toEqual([
      { tool_name: 'Bash', agent_id: 'agent' },
      { agent_id: 'own' },
      {},
    ]);
  });

  it.each([{ callback_id: 'hook_99' }, { callback_id: 7 }, {}])('for %j is refused', (request) => {
    const { answer } = createHookRegistry({ Stop: [{ hooks: [quiet] }] });
    expect(() => answer(request, context)).toThrow(/There is no hook callback with the id/);
  });

  it('whose callback throws is refused with that error', () => {
    const error = new Error('mine');
    const { answer } = createHookRegistry({
      Stop: [
        {
          hooks: [
            () => {
              throw error;
            },
          ],
        },
      ],
    });
    expect(() => answer({ callback_id: 'hook_0', input: {} }, context)).toThrow(error);
  });
});
