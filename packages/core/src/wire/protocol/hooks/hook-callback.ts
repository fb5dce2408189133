// A hook as the host writes it: the callback, its answer, its matcher, and their form on the wire. Re-exports the types
// of the events, so that most readers need only this file.
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
  /** False ends the turn after this event; a tool already permitted still runs. */
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
 * A hook: a function of this process that the CLI calls. The type argument narrows its input to one event's. Before something
 * happens it may also answer with `allow()` or `deny()`.
 */
// A method, because its parameter is bivariant: a callback for one event and one for all events are then assignable to
// each other, as code with the wide type expects.
export type HookCallback<Event extends HookEvent = HookEvent> = {
  call(
    input: HookInputMap[Event],
    toolUseID: string | undefined,
    options: HookCallbackOptions,
  ): Promise<HookJSONOutput | PermissionResult>;
}['call'];

/**
 * What happens when a hook fails whose matcher does not say: the CLI continues without it, or gets a refusal as its
 * answer.
 */
export type HookFailure = 'continue' | 'refuse';

/** Hooks, and the tools (or other subjects of the event) they are called for. */
export interface HookCallbackMatcher<Event extends HookEvent = HookEvent> {
  /** A name, several joined by `|`, or a regular expression found anywhere in the name. Default: all match. */
  matcher?: string | undefined;
  hooks: HookCallback<Event>[];
  /** Seconds after which the signal aborts. A late hook of `PreToolUse` or `UserPromptSubmit` blocks. */
  timeout?: number | undefined;
  /**
   * What happens when a hook fails. With `block` the query fails if the CLI does not support it. Default: the option
   * `hookFailure` decides.
   */
  onFailure?: 'continue' | 'block' | undefined;
  /**
   * Whether a hook blocks when it throws, is late, or returns nothing or something that is not an answer. Works with
   * every CLI. Default: the option `hookFailure` decides.
   */
  failClosed?: boolean | undefined;
}

/** Hooks by event, as the `hooks` option takes them. */
export type HookRegistrations = { [Event in HookEvent]?: HookCallbackMatcher<Event>[] | undefined };

/** A matcher on the wire, where callbacks are ids. */
export type HookMatcherRegistration = {
  matcher?: string;
  hookCallbackIds: string[];
  timeout?: number;
  onFailure?: 'continue' | 'block';
};

/** The `hook_callback` request as the CLI sends it, without its subtype. */
export type HookCallbackRequest = { callback_id: string; input: HookInput; tool_use_id?: string };
