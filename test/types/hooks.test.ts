// Hooks: the list of events, the input of each, and what a callback may be given and return.
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  EXIT_REASONS,
  HOOK_EVENTS,
  type AsyncHookJSONOutput,
  type BaseHookInput,
  type ExitReason,
  type HookCallback,
  type HookCallbackMatcher,
  type HookEvent,
  type HookInput,
  type HookInputMap,
  type HookJSONOutput,
  type HookRegistrations,
  type HookSpecificOutput,
  type PostToolUseHookInput,
  type PreToolUseHookInput,
  type SessionStartHookInput,
  type SyncHookJSONOutput,
} from '../../packages/core/src/wire/protocol/hooks/hook-callback.js';

describe('HOOK_EVENTS', () => {
  it('names 33 events, each once', () => {
    expect(HOOK_EVENTS).toHaveLength(33);
    expect(new Set(HOOK_EVENTS).size).toBe(33);
    expectTypeOf<HookEvent>().toEqualTypeOf<keyof HookInputMap>();
  });

  it('gives each event the input that carries its name', () => {
    type Names = { [Event in HookEvent]: HookInputMap[Event]['hook_event_name'] };
    expectTypeOf<Names>().toEqualTypeOf<{ [Event in HookEvent]: Event }>();
    expectTypeOf<HookInput>().toExtend<BaseHookInput>();
    expectTypeOf<HookInput['hook_event_name']>().toEqualTypeOf<HookEvent>();
  });

  it('has a specific output for 22 of them', () => {
    expectTypeOf<Exclude<HookEvent, HookSpecificOutput['hookEventName']>>().toEqualTypeOf<
      | 'SessionEnd'
      | 'StopFailure'
      | 'PreCompact'
      | 'PostCompact'
      | 'ConfigChange'
      | 'InstructionsLoaded'
      | 'DirectoryAdded'
      | 'WorktreeRemove'
      | 'TaskCreated'
      | 'TaskCompleted'
      | 'TeammateIdle'
    >();
    expectTypeOf<Exclude<HookSpecificOutput['hookEventName'], HookEvent>>().toBeNever();
  });
});

describe('EXIT_REASONS', () => {
  it('lists why a session ends', () => {
    expect(EXIT_REASONS).toEqual(['clear', 'resume', 'logout', 'prompt_input_exit', 'other']);
    expectTypeOf<ExitReason>().toEqualTypeOf<HookInputMap['SessionEnd']['reason']>();
  });
});

describe('HookCallback', () => {
  it('gets the input of the event it is registered for', async () => {
    const hooks: HookRegistrations = {
      PreToolUse: [
        {
          matcher: 'Bash',
          timeout: 5,
          hooks: [
            async (input, toolUseID, { signal }) => {
              expectTypeOf(input).toEqualTypeOf<PreToolUseHookInput>();
              expectTypeOf(toolUseID).toEqualTypeOf<string | undefined>();
              expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
              return {
                hookSpecificOutput: {
                  hookEventName: 'PreToolUse',
                  permissionDecision: input.tool_name === 'Bash' ? 'deny' : 'allow',
                },
              };
            },
          ],
        },
      ],
      SessionStart: [
        {
          hooks: [
            async (input) => {
              expectTypeOf(input).toEqualTypeOf<SessionStartHookInput>();
              return {};
            },
          ],
        },
      ],
    };
    const input: PreToolUseHookInput = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      transcript_path: '/t',
      cwd: '/c',
      tool_name: 'Bash',
      tool_input: {},
      tool_use_id: 'toolu_1',
    };
    const output = await hooks.PreToolUse?.[0]?.hooks[0]?.(input, 'toolu_1', {
      signal: new AbortController().signal,
    });
    expect(output).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    });
  });

  it('fits both ways between one event and all events', () => {
    const anyEvent: HookCallback = async (input) => {
      expectTypeOf(input).toEqualTypeOf<HookInput>();
      if (input.hook_event_name === 'PostToolUse') expectTypeOf(input).toEqualTypeOf<PostToolUseHookInput>();
      return {};
    };
    const wide: Partial<Record<HookEvent, HookCallbackMatcher[]>> = { Stop: [{ hooks: [anyEvent] }] };
    const registered: HookRegistrations = wide;
    const again: HookCallbackMatcher[] = registered.Stop ?? [];
    expect(again[0]?.hooks[0]).toBe(anyEvent);
  });

  it('refuses an unknown event and an unknown decision', () => {
    // @ts-expect-error No such event.
    const unknownEvent: HookRegistrations = { BeforeToolUse: [] };
    // @ts-expect-error No such decision.
    const unknownDecision: HookJSONOutput = { decision: 'maybe' };
    expect([unknownEvent, unknownDecision]).toHaveLength(2);
  });
});

describe('HookJSONOutput', () => {
  it('is synchronous or asynchronous', () => {
    expectTypeOf<{ async: true; asyncTimeout: number }>().toExtend<AsyncHookJSONOutput>();
    expectTypeOf<{ continue: false; stopReason: string }>().toExtend<SyncHookJSONOutput>();
    const outputs: HookJSONOutput[] = [
      {},
      { async: true },
      { decision: 'block', reason: 'no' },
      {
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'deny', message: 'no', interrupt: true },
        },
      },
      { hookSpecificOutput: { hookEventName: 'WorktreeCreate', worktreePath: '/w' } },
    ];
    expect(outputs).toHaveLength(5);
  });
});
