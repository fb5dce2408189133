// `system` messages about the session itself: its set-up, state and title. Messages about its model are in
// `messages-model.ts`.
import type { EffortLevel } from '../config/agent-definition.js';
import type { ApiKeySource, FastModeState, SDKSystemEnvelope, SlashCommand } from './message-values.js';
import type { FastModeDisabledReason } from './failure-reasons.js';
import type { PermissionMode } from '../control/permissions.js';

/** The facts of the session (`system/init`): model, tools, servers, folder. The CLI sends it at the start of each turn. */
export type SDKSystemMessage = SDKSystemEnvelope<'init'> & {
  apiKeySource: ApiKeySource;
  claude_code_version: string;
  cwd: string;
  tools: string[];
  mcp_servers: Array<{ name: string; status: string; source?: string }>;
  model: string;
  permissionMode: PermissionMode;
  slash_commands: string[];
  terminal_slash_commands?: string[];
  output_style: string;
  skills: string[];
  plugins: Array<{ name: string; path: string; source?: string; version?: string }>;
  plugin_errors?: Array<{
    plugin: string;
    type: string;
    message: string;
    path?: string;
    managed_lock?: { plugin_enabled: boolean; name: string; marketplace?: string };
  }>;
  agents?: string[];
  betas?: string[];
  effort?: EffortLevel | null;
  view_mode?: 'default' | 'focus';
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** What this CLI can do beyond the basics, by name. */
  capabilities?: string[];
  memory_paths?: Record<string, string>;
  original_cwd?: string;
  additional_directories?: string[];
  /** The uuids of the user messages that this turn answers, if they had any. */
  user_message_uuids?: string[];
};

/** What the CLI is doing; null if it is neither compacting nor calling the API. */
export type SDKStatus = 'compacting' | 'requesting' | null;

/** What the CLI is doing now, or the new permission mode. */
export type SDKStatusMessage = SDKSystemEnvelope<'status'> & {
  status: SDKStatus;
  permissionMode?: PermissionMode;
  compact_result?: 'success' | 'failed';
  compact_error?: string;
  user_message_uuids?: string[];
};

/** A control request takes long because it makes API calls. */
export type SDKControlRequestProgressMessage = SDKSystemEnvelope<'control_request_progress'> & {
  request_id: string;
  status: 'started' | 'api_retry';
  attempt?: number;
  max_retries?: number;
  retry_delay_ms?: number;
  error_status?: number | null;
};

/** Whether a turn is running. `idle` is the most reliable sign that it is over. */
export type SDKSessionStateChangedMessage = SDKSystemEnvelope<'session_state_changed'> & {
  state: 'idle' | 'running' | 'requires_action';
  /** Whether the message is only for the SDK. Such a message is not passed to the consumer. */
  sdk_host_only?: boolean;
};

/** The CLI is about to exit on its own. */
export type SDKWorkerShuttingDownMessage = SDKSystemEnvelope<'worker_shutting_down'> & { reason: string };

/** The new list of slash commands. */
export type SDKCommandsChangedMessage = SDKSystemEnvelope<'commands_changed'> & { commands: SlashCommand[] };

/** The session has a new title. Not part of the `SDKMessage` union, but may appear on the stream. */
export type SDKSessionTitleChangedMessage = SDKSystemEnvelope<'session_title_changed'> & { title: string };

/** Parts of the transcript could not be written because the disk is full. */
export type SDKSessionWritesLostMessage = SDKSystemEnvelope<'session_writes_lost'> & {
  error_code: 'ENOSPC' | 'EDQUOT';
  lost: Array<'global_config' | 'transcript'>;
  transcript_session_ids?: string[];
};
