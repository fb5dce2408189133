// Values that several messages share: ids, error names, reasons, totals.
import type { OpenString } from '../api/api-message.js';

/** An id in the usual 8-4-4-4-12 form; the same type as `UUID` of `node:crypto`. */
export type Uuid = `${string}-${string}-${string}-${string}-${string}`;

/** The fields that every message on the stream has. */
export type MessageEnvelope = { uuid: Uuid; session_id: string };

/** The fields that every `system` message has. */
export type SystemMessage<Subtype extends string> = MessageEnvelope & { type: 'system'; subtype: Subtype };

/** Why an API call failed, on the assistant message that represents it. */
export type SDKAssistantMessageError =
  | 'authentication_failed'
  | 'oauth_org_not_allowed'
  | 'account_on_hold'
  | 'verification_required'
  | 'billing_error'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'unknown'
  | 'max_output_tokens'
  | 'cloud_credential_error';

/** Why the CLI ended a turn; finer than the `subtype` of its result. */
export type TerminalReason =
  | 'blocking_limit'
  | 'rapid_refill_breaker'
  | 'prompt_too_long'
  | 'image_error'
  | 'model_error'
  | 'api_error'
  | 'malformed_tool_use_exhausted'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'stop_hook_prevented'
  | 'hook_stopped'
  | 'tool_deferred'
  | 'max_turns'
  | 'background_requested'
  | 'completed'
  | 'budget_exhausted'
  | 'structured_output_retry_exhausted'
  | 'tool_deferred_unavailable'
  | 'turn_setup_failed';

/** The sender of a user message; a host that relays what a person typed should set `human`. */
export type SDKMessageOrigin =
  | { kind: 'human' | 'coordinator' | 'unclassified' | 'auto-continuation' | 'observer-activity' }
  | { kind: 'channel'; server: string }
  | { kind: 'observer'; from: string; senderTaskId: string }
  | {
      kind: 'peer';
      from: string;
      fromMode?: 'bypass' | 'prompting';
      name?: string;
      fromSession?: string;
      senderTaskId?: string;
      body?: string;
      verifiedPeerPid?: number;
    }
  | {
      kind: 'task-notification';
      subkind?: 'peer-send-message' | 'projects-relay' | 'scheduled-trigger' | 'session-inbox';
      fireReason?: string;
      runId?: string;
    };

/** What one model used in a session so far, in the main loop and all subagents. */
export type ModelUsage = {
  inputTokens: number;
  outputTokens: number;
  thinkingTokens?: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  cacheCreationEphemeral5mInputTokens?: number;
  cacheCreationEphemeral1hInputTokens?: number;
  webSearchRequests: number;
  costUSD: number;
  contextWindow: number;
  maxOutputTokens: number;
  canonicalModel?: string;
  provider?: string;
  costBasis?: 'list' | 'managed' | 'unknown';
};

/** A tool call that was not permitted during the turn. */
export type SDKPermissionDenial = {
  tool_name: string;
  tool_use_id: string;
  tool_input: Record<string, unknown>;
};

/** Whether faster output is on, off, or paused after a limit. */
export type FastModeState = 'off' | 'cooldown' | 'on';

/** Why faster output is off. */
export type FastModeDisabledReason =
  | 'disabled_by_env'
  | 'extra_usage_disabled'
  | 'free'
  | 'model_not_allowed'
  | 'network_error'
  | 'not_first_party'
  | 'pending'
  | 'preference'
  | 'sdk_opt_in_required'
  | 'unknown';

/** Why the CLI could not start a session. */
export type SDKStartupFailureReason =
  | 'bypass_root'
  | 'cli_version_too_old'
  | 'config_file_invalid'
  | 'cwd_unavailable'
  | 'gateway_access_denied'
  | 'gateway_signin_required'
  | 'initialize_not_first'
  | 'managed_settings_invalid'
  | 'managed_settings_not_delivered'
  | 'org_config_refused'
  | 'org_config_required_unavailable'
  | 'org_pin_api_key_conflict'
  | 'org_pin_mismatch'
  | 'org_verify_failed'
  | 'provider_not_allowed'
  | 'proxy_invalid'
  | 'remote_settings_required_unavailable'
  | 'sandbox_required_unavailable'
  | 'session_held_by_background'
  | 'shell_tool_missing'
  | 'temp_dir_unusable'
  | 'worktree_resume_refused'
  | 'worktree_unverified';

/** Where the credentials of a session come from. */
export type ApiKeySource =
  | 'user'
  | 'project'
  | 'org'
  | 'temporary'
  | 'oauth'
  | 'none'
  | 'apiKeyHelper'
  | 'ANTHROPIC_API_KEY'
  | '/login managed key';

/** Who provides an MCP server; trust `source`, which the CLI sets, not the name. */
export type McpServerProvenance = {
  name: string;
  source: OpenString<
    | 'sdk'
    | 'plugin'
    | 'user'
    | 'project'
    | 'local'
    | 'dynamic'
    | 'managed'
    | 'enterprise'
    | 'claudeai'
    | 'agent'
  >;
};

/** A command or skill the user can call by name. */
export type SlashCommand = {
  name: string;
  description: string;
  argumentHint: string;
  aliases?: string[];
  builtin?: boolean;
};
