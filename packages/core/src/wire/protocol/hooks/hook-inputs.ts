// The input of hooks: the fields that every event has, and the events of prompts, sessions and compactions. Other events
// are in `hook-tool-inputs.ts`, `hook-stop-inputs.ts` and `hook-environment-inputs.ts`.

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

/** The fields that every hook receives, with the name of its event. */
export type HookEventInput<Event extends string> = BaseHookInput & { hook_event_name: Event };

/** The CLI shows a notification to the user. */
export type NotificationHookInput = HookEventInput<'Notification'> & {
  message: string;
  title?: string;
  notification_type: string;
};

/** A prompt was submitted; the hook may add context or block it. */
export type UserPromptSubmitHookInput = HookEventInput<'UserPromptSubmit'> & {
  prompt: string;
  source?: 'user' | 'sdk' | 'system' | 'loop_wakeup' | 'poll_event' | 'schedule_wakeup';
  session_title?: string;
};

/** A slash command was expanded to a prompt; the hook may block it. */
export type UserPromptExpansionHookInput = HookEventInput<'UserPromptExpansion'> & {
  expansion_type: 'slash_command' | 'mcp_prompt';
  command_name: string;
  command_args: string;
  command_source?: string;
  prompt: string;
};

/** A session starts, or continues after `clear` or a compaction. */
export type SessionStartHookInput = HookEventInput<'SessionStart'> & {
  source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
  model?: string;
  session_title?: string;
};

/** A session ends. */
export type SessionEndHookInput = HookEventInput<'SessionEnd'> & { reason: ExitReason };

/** Older turns are about to be replaced by a summary. */
export type PreCompactHookInput = HookEventInput<'PreCompact'> & {
  trigger: 'manual' | 'auto';
  custom_instructions: string | null;
};

/** Older turns were replaced by a summary. */
export type PostCompactHookInput = HookEventInput<'PostCompact'> & {
  trigger: 'manual' | 'auto';
  compact_summary: string;
};
