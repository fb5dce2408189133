// Makes a hook for one built-in tool, with a typed input. The compiler cannot learn from a matcher in an object literal
// which tool the hook is for.
import type { ToolInputMap } from '../../sdk-tools/tool-schemas.js';
import type {
  HookCallback,
  HookCallbackMatcher,
  HookCallbackOptions,
  HookEvent,
  HookInputMap,
} from '../../wire/protocol/hooks/hook-callback.js';

/** The events that are about one call of a tool. */
export type ToolHookEvent = {
  [Event in HookEvent]: HookInputMap[Event] extends { tool_name: string; tool_input: unknown }
    ? Event
    : never;
}[HookEvent];

/** The input of a hook that is called for one built-in tool. */
export type ToolHookInput<
  Event extends ToolHookEvent,
  Tool extends keyof ToolInputMap,
> = HookInputMap[Event] & {
  tool_input: ToolInputMap[Tool];
};

/**
 * Hooks for one built-in tool, in the form that the lists in the option `hooks` take:
 * `PreToolUse: [toolHook('Bash', async ({ tool_input }) => …)]`. The CLI's input is passed on unchecked.
 */
export function toolHook<Tool extends keyof ToolInputMap, Event extends ToolHookEvent = ToolHookEvent>(
  tool: Tool,
  hook: (
    input: ToolHookInput<Event, Tool>,
    toolUseID: string | undefined,
    options: HookCallbackOptions,
  ) => ReturnType<HookCallback>,
  more: Omit<HookCallbackMatcher, 'matcher' | 'hooks'> = {},
): HookCallbackMatcher<Event> {
  return { ...more, matcher: tool, hooks: [hook] };
}
