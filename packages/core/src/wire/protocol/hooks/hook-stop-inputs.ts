// The input of a hook when a turn or a subagent ends, and when a subagent starts.
import type { SDKAssistantMessageError } from '../messages/failure-reasons.js';
import type { HookEventInput } from './hook-inputs.js';

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

/** A scheduled prompt of the session, as `Stop` and `SubagentStop` hooks receive it. */
export type SessionCronSummary = { id: string; schedule: string; recurring: boolean; prompt: string };

/** The end of a turn that a hook is told about. */
export type HookTurnEnd = {
  /** True when a stop hook has already made this turn continue. */
  stop_hook_active: boolean;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
};

/** The model is about to end its turn; the hook may make it continue. */
export type StopHookInput = HookEventInput<'Stop'> & HookTurnEnd;

/** The turn ends because an API call failed. */
export type StopFailureHookInput = HookEventInput<'StopFailure'> & {
  error: SDKAssistantMessageError;
  error_details?: string;
  last_assistant_message?: string;
};

/** A subagent starts. */
export type SubagentStartHookInput = HookEventInput<'SubagentStart'> & {
  agent_id: string;
  agent_type: string;
};

/** A subagent is about to end; the hook may make it continue. */
export type SubagentStopHookInput = HookEventInput<'SubagentStop'> &
  HookTurnEnd & { agent_id: string; agent_type: string; agent_transcript_path: string };
