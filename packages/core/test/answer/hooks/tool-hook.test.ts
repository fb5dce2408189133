import { describe, expect, expectTypeOf, it } from 'vitest';
import { toolHook, type ToolHookEvent } from '../../../src/answer/hooks/tool-hook.js';
import type { BashInput, FileReadInput } from '@inboard/inboard/sdk-tools.js';
import type { HookRegistrations } from '../../../src/wire/protocol/hooks/hook-callback.js';

describe('toolHook', () => {
  it('writes a matcher, and types the input by tool and event', () => {
    const hooks: HookRegistrations = {
      PreToolUse: [
        toolHook('Bash', async (input) => {
          expectTypeOf(input.tool_input).toEqualTypeOf<BashInput>();
          expectTypeOf(input.hook_event_name).toEqualTypeOf<'PreToolUse'>();
          // @ts-expect-error -- there is no such field
          return { reason: String(input.tool_input.comand) };
        }),
      ],
      PostToolUse: [
        toolHook(
          'Read',
          async (input, toolUseID, { signal }) => {
            expectTypeOf(input.tool_input).toEqualTypeOf<FileReadInput>();
            expectTypeOf(input.tool_response).toEqualTypeOf<unknown>();
            expectTypeOf(toolUseID).toEqualTypeOf<string | undefined>();
            expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
            return {};
          },
          { timeout: 5, failClosed: true },
        ),
      ],
      // @ts-expect-error -- this event is not about a tool
      Stop: [toolHook('Bash', async () => ({}))],
    };
    expect(hooks.PreToolUse).toEqual([{ matcher: 'Bash', hooks: [expect.any(Function)] }]);
    expect(hooks.PostToolUse).toEqual([
      { matcher: 'Read', timeout: 5, failClosed: true, hooks: [expect.any(Function)] },
    ]);
    // @ts-expect-error -- there is no such tool
    toolHook('Bsh', async () => ({}));
  });

  it('is for the events about one call', () => {
    expectTypeOf<ToolHookEvent>().toEqualTypeOf<
      'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PermissionRequest' | 'PermissionDenied'
    >();
  });
});
