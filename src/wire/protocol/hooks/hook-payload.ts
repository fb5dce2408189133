// Hooks as data: the input of each event by its name, the callback, its matcher, and how both travel.
import type {
  HookEvent,
  NotificationHookInput,
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostCompactHookInput,
  PostToolBatchHookInput,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreCompactHookInput,
  PreToolUseHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
} from './hook-inputs.js';
import type { HookJSONOutput } from './hook-outputs.js';
import type {
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  ElicitationHookInput,
  ElicitationResultHookInput,
  FileChangedHookInput,
  InstructionsLoadedHookInput,
  MessageDisplayHookInput,
  PostModelSwitchHookInput,
  PreModelSwitchHookInput,
  SetupHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TeammateIdleHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from './hook-session-inputs.js';

export { EXIT_REASONS, HOOK_EVENTS } from './hook-inputs.js';
export type * from './hook-inputs.js';
export type * from './hook-session-inputs.js';
export type * from './hook-outputs.js';

/** What a hook is told, by event name. */
export interface HookInputMap {
  PreToolUse: PreToolUseHookInput;
  PostToolUse: PostToolUseHookInput;
  PostToolUseFailure: PostToolUseFailureHookInput;
  PostToolBatch: PostToolBatchHookInput;
  Notification: NotificationHookInput;
  UserPromptSubmit: UserPromptSubmitHookInput;
  UserPromptExpansion: UserPromptExpansionHookInput;
  SessionStart: SessionStartHookInput;
  SessionEnd: SessionEndHookInput;
  Stop: StopHookInput;
  StopFailure: StopFailureHookInput;
  SubagentStart: SubagentStartHookInput;
  SubagentStop: SubagentStopHookInput;
  PreCompact: PreCompactHookInput;
  PostCompact: PostCompactHookInput;
  PermissionRequest: PermissionRequestHookInput;
  PermissionDenied: PermissionDeniedHookInput;
  PreModelSwitch: PreModelSwitchHookInput;
  PostModelSwitch: PostModelSwitchHookInput;
  Setup: SetupHookInput;
  TeammateIdle: TeammateIdleHookInput;
  TaskCreated: TaskCreatedHookInput;
  TaskCompleted: TaskCompletedHookInput;
  Elicitation: ElicitationHookInput;
  ElicitationResult: ElicitationResultHookInput;
  ConfigChange: ConfigChangeHookInput;
  WorktreeCreate: WorktreeCreateHookInput;
  WorktreeRemove: WorktreeRemoveHookInput;
  InstructionsLoaded: InstructionsLoadedHookInput;
  CwdChanged: CwdChangedHookInput;
  FileChanged: FileChangedHookInput;
  DirectoryAdded: DirectoryAddedHookInput;
  MessageDisplay: MessageDisplayHookInput;
}

/** What any hook is told; narrow it by `hook_event_name`. */
export type HookInput = HookInputMap[HookEvent];

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
