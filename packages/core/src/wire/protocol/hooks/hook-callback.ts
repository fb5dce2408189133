// The types of a hook as the host writes it: the callback, its answer, its matcher, and their form on the wire. Also
// exports the types of the events, so that most code needs to import only this file.
import type { PermissionResult } from '../control/permission-question.js';
import type { HookEvent, HookInput, HookInputMap, HookSpecificOutput } from './hook-events.js';

export { EXIT_REASONS } from './hook-inputs.js';
export { HOOK_EVENTS } from './hook-events.js';
export type * from './hook-events.js';
export type * from './hook-inputs.js';
export type * from './hook-environment-inputs.js';
export type * from './hook-stop-inputs.js';
export type * from './hook-tool-inputs.js';
export type * from './hook-outputs.js';

/** The hook continues in the background. The CLI does not wait for it. */
export type AsyncHookJSONOutput = {
  async: true;
  /** How long the hook may take, in milliseconds. */
  asyncTimeout?: number | undefined;
};

/** The hook's answer. `{}` changes nothing. */
export type SyncHookJSONOutput = {
  /** False ends the turn after this event. A tool that was already permitted still runs. */
  continue?: boolean | undefined;
  suppressOutput?: boolean | undefined;
  stopReason?: string | undefined;
  decision?: 'approve' | 'block' | undefined;
  reason?: string | undefined;
  /** Shown to the user, not to the model. */
  systemMessage?: string | undefined;
  terminalSequence?: string | undefined;
  hookSpecificOutput?: HookSpecificOutput | undefined;
};

/** What a hook returns. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;

/** What a hook receives besides its input. */
export type HookCallbackOptions = {
  /** Aborts when the CLI withdraws the call, the query ends, or the matcher's `timeout` has passed. */
  signal: AbortSignal;
};

/**
 * A hook: a function of this process that the CLI calls. The type argument narrows its input to that of one event. In
 * events before an action, it may also answer with `allow()` or `deny()`.
 */
// It is the type of a method, because parameters of methods are bivariant. So a callback for one event and a callback for
// all events are assignable to each other, which code with the wide type needs.
export type HookCallback<Event extends HookEvent = HookEvent> = {
  call(
    input: HookInputMap[Event],
    toolUseID: string | undefined,
    options: HookCallbackOptions,
  ): Promise<HookJSONOutput | PermissionResult>;
}['call'];

/**
 * What happens when a hook fails and its matcher does not say what to do. The CLI continues without the hook
 * (`continue`), or gets a refusal as the hook's answer (`refuse`).
 */
export type HookFailure = 'continue' | 'refuse';

/** Hooks, and the tools (or other subjects of the event) for which they are called. */
export interface HookCallbackMatcher<Event extends HookEvent = HookEvent> {
  /** A name, several joined by `|`, or a regular expression found anywhere in the name. Default: all match. */
  matcher?: string | undefined;
  hooks: HookCallback<Event>[];
  /** Seconds after which a hook's signal aborts. In `PreToolUse` and `UserPromptSubmit`, a hook that is late blocks. */
  timeout?: number | undefined;
  /**
   * What the CLI does when a hook fails. With `block`, the query itself fails if the CLI does not support that. Default:
   * the option `hookFailure` decides.
   */
  onFailure?: 'continue' | 'block' | undefined;
  /**
   * Whether a hook blocks when it throws, is late, or returns nothing or something that is not an answer. Works with
   * every CLI. Default: the option `hookFailure` decides.
   */
  failClosed?: boolean | undefined;
}

/** Hooks by event: the value of the option `hooks`. */
export type HookRegistrations = { [Event in HookEvent]?: HookCallbackMatcher<Event>[] | undefined };

/** A matcher on the wire. It has ids instead of callbacks. */
export type HookMatcherRegistration = {
  matcher?: string;
  hookCallbackIds: string[];
  timeout?: number;
  onFailure?: 'continue' | 'block';
};

/** The `hook_callback` request as the CLI sends it, without its subtype. */
export type HookCallbackRequest = { callback_id: string; input: HookInput; tool_use_id?: string };
