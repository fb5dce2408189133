// A hook as the host writes it: the callback, its whole answer, its matcher, and how these travel. Gives out the types
// of the events too, so that most readers need this file alone.
import type { HookEvent, HookInput, HookInputMap, HookSpecificOutput } from './hook-events.js';

export { EXIT_REASONS } from './hook-inputs.js';
export { HOOK_EVENTS } from './hook-events.js';
export type * from './hook-events.js';
export type * from './hook-inputs.js';
export type * from './hook-session-inputs.js';
export type * from './hook-outputs.js';

/** The hook goes on in the background; the CLI does not wait. */
export type AsyncHookJSONOutput = {
  async: true;
  /** Milliseconds. */
  asyncTimeout?: number;
};

/** The hook's answer. `{}` changes nothing. */
export type SyncHookJSONOutput = {
  /** False ends the turn after this event; a tool already permitted still runs. */
  continue?: boolean;
  suppressOutput?: boolean;
  stopReason?: string;
  decision?: 'approve' | 'block';
  reason?: string;
  /** Shown to the user, not to the model. */
  systemMessage?: string;
  terminalSequence?: string;
  hookSpecificOutput?: HookSpecificOutput;
};

/** What a hook returns. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;

/** What a hook is given besides its input. */
export type HookCallbackOptions = {
  /** Aborts when the CLI withdraws the call, the query ends, or the time given by the matcher's `timeout` is over. */
  signal: AbortSignal;
};

/**
 * A hook: a function of this process that the CLI calls. With an event's name as type argument its
 * input is that event's.
 */
// The detour over a method makes the parameter bivariant: a callback for one event and one for all
// events then fit each other's places, as they do for code written against the wide type.
export type HookCallback<Event extends HookEvent = HookEvent> = {
  call(
    input: HookInputMap[Event],
    toolUseID: string | undefined,
    options: HookCallbackOptions,
  ): Promise<HookJSONOutput>;
}['call'];

/** Hooks, and for which tools (or other subjects of the event) they are called. */
export interface HookCallbackMatcher<Event extends HookEvent = HookEvent> {
  /** A name, several joined by `|`, or a regular expression found anywhere in the name; omitted, all match. */
  matcher?: string;
  hooks: HookCallback<Event>[];
  /** Seconds. A late hook is told by its signal; one of `PreToolUse` or `UserPromptSubmit` stops what it was asked about. */
  timeout?: number;
  /** What a failing hook means. Default `continue`; `block` also fails the query when the CLI cannot promise it. */
  onFailure?: 'continue' | 'block';
  /** A hook that throws, is late or returns what it may not counts as a no. Seen to here, so every CLI will do. */
  failClosed?: boolean;
}

/** Hooks by event, as the `hooks` option takes them. */
export type HookRegistrations = { [Event in HookEvent]?: HookCallbackMatcher<Event>[] };

/** A matcher on the wire: callbacks are ids there. */
export type HookMatcherRegistration = {
  matcher?: string;
  hookCallbackIds: string[];
  timeout?: number;
  onFailure?: 'continue' | 'block';
};

/** The `hook_callback` request as the CLI sends it, without its subtype. */
export type HookCallbackRequest = {
  callback_id: string;
  input: HookInput;
  tool_use_id?: string;
};
