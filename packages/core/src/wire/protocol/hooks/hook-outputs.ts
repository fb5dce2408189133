// The parts of hooks' answers that only certain events have, one type for each event. The whole answer is in
// `hook-callback.ts`.
import type { PermissionUpdate } from '../control/permissions.js';

/** A hook's decision on a tool call; `defer` leaves the call to the host. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';

/** May decide on the permission and change the input. */
export type PreToolUseHookSpecificOutput = {
  hookEventName: 'PreToolUse';
  permissionDecision?: HookPermissionDecision | undefined;
  permissionDecisionReason?: string | undefined;
  /** With `allow`, the tool runs with this input. Otherwise the permission question shows it. */
  updatedInput?: Record<string, unknown> | undefined;
  additionalContext?: string | undefined;
};

/** May add to a tool's result, or replace what the model sees of it. */
export type PostToolUseHookSpecificOutput = {
  hookEventName: 'PostToolUse';
  additionalContext?: string | undefined;
  updatedToolOutput?: unknown;
  /** @deprecated Use `updatedToolOutput`. */
  updatedMCPToolOutput?: unknown;
  classifierContext?: string | undefined;
};

/** May add to what the model sees of a prompt, or hide the prompt itself. */
export type UserPromptSubmitHookSpecificOutput = {
  hookEventName: 'UserPromptSubmit';
  additionalContext?: string | undefined;
  sessionTitle?: string | undefined;
  suppressOriginalPrompt?: boolean | undefined;
};

/** May add to what the model sees of an expanded command, or hide the command itself. */
export type UserPromptExpansionHookSpecificOutput = {
  hookEventName: 'UserPromptExpansion';
  additionalContext?: string | undefined;
  suppressOriginalPrompt?: boolean | undefined;
};

/** May give a new session its first prompt, title and watched files. */
export type SessionStartHookSpecificOutput = {
  hookEventName: 'SessionStart';
  additionalContext?: string | undefined;
  initialUserMessage?: string | undefined;
  sessionTitle?: string | undefined;
  watchPaths?: string[] | undefined;
  reloadSkills?: boolean | undefined;
};

/** The answer of an event that accepts only context for the model. */
export type ContextHookSpecificOutput<Event extends string> = {
  hookEventName: Event;
  additionalContext?: string | undefined;
};

/** Context for the model after a tool failed. */
export type PostToolUseFailureHookSpecificOutput = ContextHookSpecificOutput<'PostToolUseFailure'>;
/** Context for the model after all tools of a message have run. */
export type PostToolBatchHookSpecificOutput = ContextHookSpecificOutput<'PostToolBatch'>;
/** Context for the model with a notification. */
export type NotificationHookSpecificOutput = ContextHookSpecificOutput<'Notification'>;
/** Context for the model when a turn ends. */
export type StopHookSpecificOutput = ContextHookSpecificOutput<'Stop'>;
/** Context for a subagent that starts. */
export type SubagentStartHookSpecificOutput = ContextHookSpecificOutput<'SubagentStart'>;
/** Context for a subagent that ends. */
export type SubagentStopHookSpecificOutput = ContextHookSpecificOutput<'SubagentStop'>;
/** Context for the model that was switched to. */
export type PostModelSwitchHookSpecificOutput = ContextHookSpecificOutput<'PostModelSwitch'>;
/** Context for the model after the set-up. */
export type SetupHookSpecificOutput = ContextHookSpecificOutput<'Setup'>;

/** Answers a permission question before it is asked. */
export type PermissionRequestHookSpecificOutput = {
  hookEventName: 'PermissionRequest';
  decision:
    | {
        behavior: 'allow';
        updatedInput?: Record<string, unknown> | undefined;
        updatedPermissions?: PermissionUpdate[] | undefined;
      }
    | {
        behavior: 'deny';
        message?: string | undefined;
        interrupt?: boolean | undefined;
      };
};

/** May ask to retry a refused call. */
export type PermissionDeniedHookSpecificOutput = {
  hookEventName: 'PermissionDenied';
  retry?: boolean | undefined;
};

/** May block a change of model. */
export type PreModelSwitchHookSpecificOutput = {
  hookEventName: 'PreModelSwitch';
  permissionDecision?: 'allow' | 'deny' | 'ask' | undefined;
  permissionDecisionReason?: string | undefined;
};

/** Answers an MCP server instead of the user. */
export type ElicitationHookSpecificOutput = {
  hookEventName: 'Elicitation';
  action?: 'accept' | 'decline' | 'cancel' | undefined;
  content?: Record<string, unknown> | undefined;
};

/** Changes the user's answer to an MCP server. */
export type ElicitationResultHookSpecificOutput = {
  hookEventName: 'ElicitationResult';
  action?: 'accept' | 'decline' | 'cancel' | undefined;
  content?: Record<string, unknown> | undefined;
};

/** Names the files to watch from now on, after the working directory changed. */
export type CwdChangedHookSpecificOutput = { hookEventName: 'CwdChanged'; watchPaths?: string[] | undefined };

/** Names the files to watch from now on, after a watched file changed. */
export type FileChangedHookSpecificOutput = {
  hookEventName: 'FileChanged';
  watchPaths?: string[] | undefined;
};

/** Names the path of the worktree that the hook created. */
export type WorktreeCreateHookSpecificOutput = { hookEventName: 'WorktreeCreate'; worktreePath: string };

/** May replace the text that is displayed. */
export type MessageDisplayHookSpecificOutput = {
  hookEventName: 'MessageDisplay';
  displayContent?: string | undefined;
};
