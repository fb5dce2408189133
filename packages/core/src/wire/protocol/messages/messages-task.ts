// `system` messages about background work (subagents, shells), and about hooks that the CLI runs.
import type { SDKSystemEnvelope } from './message-values.js';

/** Tokens, tool calls and time of a task so far. */
export type TaskUsage = { total_tokens: number; tool_uses: number; duration_ms: number };

/** A subagent or background command has started. */
export type SDKTaskStartedMessage = SDKSystemEnvelope<'task_started'> & {
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  description: string;
  task_type?: string;
  workflow_name?: string;
  subagent_type?: string;
  is_backgrounded?: boolean;
  spawn_depth?: number;
  parent_task_id?: string;
  prompt?: string;
  /** Whether this is housekeeping of the CLI, which a task list should not show. */
  ambient?: boolean;
  skip_transcript?: boolean;
};

/** What a running task is doing now, and what it has used so far. */
export type SDKTaskProgressMessage = SDKSystemEnvelope<'task_progress'> & {
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  description: string;
  subagent_type?: string;
  usage: TaskUsage;
  last_tool_name?: string;
  /** A summary that a model writes about every 30 seconds, with the option `agentProgressSummaries`. */
  summary?: string;
};

/** Some facts about a task changed; `patch` holds only those. */
export type SDKTaskUpdatedMessage = SDKSystemEnvelope<'task_updated'> & {
  task_id: string;
  run_id?: string;
  patch: {
    status?: 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'killed';
    description?: string;
    end_time?: number;
    total_paused_ms?: number;
    error?: string;
    is_backgrounded?: boolean;
  };
};

/** A resource of an MCP server that a task points to. */
export type SDKMcpResourceLink = {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
};

/** A task has ended. */
export type SDKTaskNotificationMessage = SDKSystemEnvelope<'task_notification'> & {
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  status: 'completed' | 'failed' | 'stopped';
  reason?: 'worker_restart';
  /** The file that holds all of the task's output. */
  output_file: string;
  summary: string;
  usage?: TaskUsage;
  resource_links?: SDKMcpResourceLink[];
  skip_transcript?: boolean;
  ambient?: boolean;
};

/** A background task that is running. */
export type BackgroundTask = {
  task_id: string;
  run_id?: string;
  task_type: string;
  subagent_type?: string;
  description: string;
  parent_task_id?: string;
  ambient?: boolean;
};

/** All background tasks that are running now. This list replaces the one before it. */
export type SDKBackgroundTasksChangedMessage = SDKSystemEnvelope<'background_tasks_changed'> & {
  tasks: BackgroundTask[];
};

/** Which run of which hook a message is about. */
export type SDKHookRun = { hook_id: string; hook_name: string; hook_event: string };
/** What a hook of settings or plugins has written. */
export type SDKHookOutput = { stdout: string; stderr: string; output: string };

/** A hook has started. */
export type SDKHookStartedMessage = SDKSystemEnvelope<'hook_started'> & SDKHookRun;

/** A hook has written output. */
export type SDKHookProgressMessage = SDKSystemEnvelope<'hook_progress'> & SDKHookRun & SDKHookOutput;

/** A hook has ended. */
export type SDKHookResponseMessage = SDKSystemEnvelope<'hook_response'> &
  SDKHookRun &
  SDKHookOutput & { exit_code?: number; outcome: 'success' | 'error' | 'cancelled' };
