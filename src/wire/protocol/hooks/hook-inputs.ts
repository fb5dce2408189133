// The input of a hook, event by event: tools, prompts, turns, permissions. Other events are in `hook-environment-inputs.ts`.
import type { McpServerProvenance } from '../messages/message-values.js';
import type { SDKAssistantMessageError } from '../messages/failure-reasons.js';
import type { PermissionUpdate } from '../control/permissions.js';

/** Every reason for the end of a session that a `SessionEnd` hook can receive. */
export const EXIT_REASONS = ['clear', 'resume', 'logout', 'prompt_input_exit', 'other'] as const;

/** Why a session ended, as a `SessionEnd` hook receives it. */
export type ExitReason = (typeof EXIT_REASONS)[number];

/** The fields that every hook receives. */
export type BaseHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  /** Set inside a subagent. */
  agent_id?: string;
  agent_type?: string;
  effort?: { level: string };
};

/** The same with the name of the event. */
export type EventInput<Event extends string> = BaseHookInput & { hook_event_name: Event };

type ToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  mcp_server?: McpServerProvenance;
};

/** A tool is about to run; the hook may change its input or block it. */
export type PreToolUseHookInput = EventInput<'PreToolUse'> & ToolCall;

/** A tool has run; the hook may change what the model sees of its result. */
export type PostToolUseHookInput = EventInput<'PostToolUse'> &
  ToolCall & {
    tool_response: unknown;
    duration_ms?: number;
  };

/** A tool has failed; sent instead of `PostToolUse`. */
export type PostToolUseFailureHookInput = EventInput<'PostToolUseFailure'> &
  ToolCall & {
    error: string;
    is_interrupt?: boolean;
    duration_ms?: number;
  };

/** One call of a batch, as `PostToolBatch` hooks receive it. */
export type PostToolBatchToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response?: unknown;
};

/** All tool calls of one assistant message are done. */
export type PostToolBatchHookInput = EventInput<'PostToolBatch'> & { tool_calls: PostToolBatchToolCall[] };

/** The CLI shows a notification to the user. */
export type NotificationHookInput = EventInput<'Notification'> & {
  message: string;
  title?: string;
  notification_type: string;
};

/** A prompt was submitted; the hook may add context or block it. */
export type UserPromptSubmitHookInput = EventInput<'UserPromptSubmit'> & {
  prompt: string;
  source?: 'user' | 'sdk' | 'system' | 'loop_wakeup' | 'poll_event' | 'schedule_wakeup';
  session_title?: string;
};

/** A slash command was expanded to a prompt; the hook may block it. */
export type UserPromptExpansionHookInput = EventInput<'UserPromptExpansion'> & {
  expansion_type: 'slash_command' | 'mcp_prompt';
  command_name: string;
  command_args: string;
  command_source?: string;
  prompt: string;
};

/** A session starts, or continues after `clear` or a compaction. */
export type SessionStartHookInput = EventInput<'SessionStart'> & {
  source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
  model?: string;
  session_title?: string;
};

/** A session ends. */
export type SessionEndHookInput = EventInput<'SessionEnd'> & { reason: ExitReason };

/** A background task, as `Stop` and `SubagentStop` hooks receive it. */
export type BackgroundTaskSummary = {
  id: string;
  type: string;
  status: string;
  description: string;
  command?: string;
  agent_type?: string;
  server?: string;
  tool?: string;
  name?: string;
};

/** A scheduled prompt of the session, as `Stop` hooks receive it. */
export type SessionCronSummary = { id: string; schedule: string; recurring: boolean; prompt: string };

type TurnEnd = {
  /** True when a stop hook has already made this turn continue. */
  stop_hook_active: boolean;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
};

/** The model is about to end its turn; the hook may make it continue. */
export type StopHookInput = EventInput<'Stop'> & TurnEnd;

/** The turn ends because an API call failed. */
export type StopFailureHookInput = EventInput<'StopFailure'> & {
  error: SDKAssistantMessageError;
  error_details?: string;
  last_assistant_message?: string;
};

/** A subagent starts. */
export type SubagentStartHookInput = EventInput<'SubagentStart'> & { agent_id: string; agent_type: string };

/** A subagent is about to end; the hook may make it continue. */
export type SubagentStopHookInput = EventInput<'SubagentStop'> &
  TurnEnd & {
    agent_id: string;
    agent_type: string;
    agent_transcript_path: string;
  };

/** Older turns are about to be replaced by a summary. */
export type PreCompactHookInput = EventInput<'PreCompact'> & {
  trigger: 'manual' | 'auto';
  custom_instructions: string | null;
};

/** Older turns were replaced by a summary. */
export type PostCompactHookInput = EventInput<'PostCompact'> & {
  trigger: 'manual' | 'auto';
  compact_summary: string;
};

/** A permission question is about to be asked; the hook may answer it. */
export type PermissionRequestHookInput = EventInput<'PermissionRequest'> & {
  tool_name: string;
  tool_input: unknown;
  permission_suggestions?: PermissionUpdate[];
  mcp_server?: McpServerProvenance;
};

/** A tool call was refused. */
export type PermissionDeniedHookInput = EventInput<'PermissionDenied'> &
  ToolCall & {
    reason: string;
  };
