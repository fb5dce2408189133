// `system` messages about the session itself: its set-up, state, limits and conversation history.
import type { EffortLevel } from '../config/agent-definition.js';
import type { ApiKeySource, FastModeState, SystemMessage, SlashCommand, Uuid } from './message-values.js';
import type { FastModeDisabledReason, SDKAssistantMessageError } from './failure-reasons.js';
import type { PermissionMode } from '../control/permissions.js';

/** The facts of the session at the start of a turn; sent again for each turn. */
export type SDKSystemMessage = SystemMessage<'init'> & {
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
  /** The user messages this turn answers, when they had a `uuid`. */
  user_message_uuids?: string[];
};

/** Older turns were replaced by a summary. */
export type SDKCompactBoundaryMessage = SystemMessage<'compact_boundary'> & {
  compact_metadata: {
    trigger: 'manual' | 'auto';
    pre_tokens: number;
    post_tokens?: number;
    duration_ms?: number;
    preserved_segment?: { head_uuid: Uuid; anchor_uuid: Uuid; tail_uuid: Uuid };
    preserved_messages?: { anchor_uuid: Uuid; uuids: Uuid[]; all_uuids?: Uuid[] };
    cumulative_dropped_tokens?: number;
  };
  logical_parent_uuid?: Uuid;
};

/** What the CLI is doing; null for nothing special. */
export type SDKStatus = 'compacting' | 'requesting' | null;

/** What the CLI is doing now, or the new permission mode. */
export type SDKStatusMessage = SystemMessage<'status'> & {
  status: SDKStatus;
  permissionMode?: PermissionMode;
  compact_result?: 'success' | 'failed';
  compact_error?: string;
  user_message_uuids?: string[];
};

/** An API call failed and will be tried again. */
export type SDKAPIRetryMessage = SystemMessage<'api_retry'> & {
  attempt: number;
  max_retries: number;
  retry_delay_ms: number;
  /** HTTP status; null when there was no answer. */
  error_status: number | null;
  error: SDKAssistantMessageError;
  /** Set when the API did not answer for a while. */
  no_response?: { waited_ms: number; retry_wait_ms: number };
};

/** A control request takes long because it makes API calls. */
export type SDKControlRequestProgressMessage = SystemMessage<'control_request_progress'> & {
  request_id: string;
  status: 'started' | 'api_retry';
  attempt?: number;
  max_retries?: number;
  retry_delay_ms?: number;
  error_status?: number | null;
};

/** The model declined and another one takes over, or the first one is back. */
export type SDKModelRefusalFallbackMessage = SystemMessage<'model_refusal_fallback'> & {
  trigger: 'refusal';
  direction: 'retry' | 'revert' | 'sticky';
  scope?: 'local' | 'session';
  original_model: string;
  fallback_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  /** Messages to remove from the display. */
  retracted_message_uuids?: string[];
  refused_user_message_uuid?: string | null;
  content: string;
};

/** The model declined and no other one may take over. */
export type SDKModelRefusalNoFallbackMessage = SystemMessage<'model_refusal_no_fallback'> & {
  original_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  refused_user_message_uuid?: string | null;
  content: string;
};

/** Whether a turn is running. `idle` is the most reliable sign that it is over. */
export type SDKSessionStateChangedMessage = SystemMessage<'session_state_changed'> & {
  state: 'idle' | 'running' | 'requires_action';
  /** For the SDK only: such messages are not passed to the consumer. */
  sdk_host_only?: boolean;
};

/** The CLI is about to exit by itself. */
export type SDKWorkerShuttingDownMessage = SystemMessage<'worker_shutting_down'> & { reason: string };

/** The new list of slash commands. */
export type SDKCommandsChangedMessage = SystemMessage<'commands_changed'> & { commands: SlashCommand[] };

/** An estimate of the tokens used by the reasoning in progress. */
export type SDKThinkingTokensMessage = SystemMessage<'thinking_tokens'> & {
  estimated_tokens: number;
  estimated_tokens_delta: number;
  user_message_uuid?: string;
};

/** Stored memories were added to the conversation. */
export type SDKMemoryRecallMessage = SystemMessage<'memory_recall'> & {
  mode: 'select' | 'synthesize';
  memories: Array<{ path: string; scope: 'organization' | 'personal' | 'team'; content?: string }>;
};

/** The session has a new title. Not part of the `SDKMessage` union, but may appear on the stream. */
export type SDKSessionTitleChangedMessage = SystemMessage<'session_title_changed'> & { title: string };

/** Parts of the transcript could not be written because the disk is full. */
export type SDKSessionWritesLostMessage = SystemMessage<'session_writes_lost'> & {
  error_code: 'ENOSPC' | 'EDQUOT';
  lost: Array<'global_config' | 'transcript'>;
  transcript_session_ids?: string[];
};
