// The message that ends a turn. It has totals, and either the model's answer or what went wrong.
import type { NonNullableUsage } from '../api/api-message.js';
import type {
  FastModeState,
  SDKMessageEnvelope,
  SDKMessageOrigin,
  SDKPermissionDenial,
} from './message-values.js';
import type { FastModeDisabledReason, SDKStartupFailureReason, TerminalReason } from './failure-reasons.js';
import type { ModelUsage } from './usage-report.js';

/** The fields that both kinds of result have. CLIs before 2.1.325 lack some of the optional fields. */
export type SDKResultTotals = SDKMessageEnvelope & {
  type: 'result';
  duration_ms: number;
  duration_api_ms: number;
  num_turns: number;
  stop_reason: string | null;
  /** The cost of all models since the session began, in US dollars. */
  total_cost_usd: number;
  /** The tokens of this turn, without those of subagents. */
  usage: NonNullableUsage;
  /** The usage since the session began, by model, including subagents. */
  modelUsage: Record<string, ModelUsage>;
  permission_denials: SDKPermissionDenial[];
  terminal_reason?: TerminalReason;
  /** The number of user messages that were still waiting when the turn ended. */
  queued_turn_count?: number;
  /** The number of this result among the results of the CLI process. */
  result_index?: number;
  /** The uuids of the user messages that this turn answered. */
  user_message_uuid?: string;
  user_message_uuids?: string[];
  origin?: SDKMessageOrigin;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  credential_expires_at?: string;
  resume_reason?: string;
  /** Milliseconds to the first token. */
  ttft_ms?: number;
  ttft_stream_ms?: number;
  time_to_request_ms?: number;
  first_content_frame_ms?: number;
  request_sent_wall_ms?: number;
  first_request_input_tokens?: number;
  first_request_cache_read_input_tokens?: number;
  /** Like `modelUsage`, but only since the result before this one. */
  model_usage_since_last_result?: Record<string, ModelUsage>;
  subagent_stats?: Record<string, unknown>;
  safety_stops?: number;
  /** Set if a slash command produced the result, and not the model. */
  local_command?: string;
};

/** A tool call that a hook deferred. It is left to the host to carry it out. */
export type SDKDeferredToolUse = { id: string; name: string; input: Record<string, unknown> };

/** The turn ran to its end. A turn that ended with a failed API call also has this type: check `is_error`. */
export type SDKResultSuccess = SDKResultTotals & {
  subtype: 'success';
  is_error: boolean;
  /** The model's last text. */
  result: string;
  /** Set when the query asked for structured output and got it. */
  structured_output?: unknown;
  deferred_tool_use?: SDKDeferredToolUse;
  api_error_status?: number | null;
  api_error_type?: string | null;
};

/** The turn was stopped before its end. */
export type SDKResultError = SDKResultTotals & {
  subtype:
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries';
  is_error: boolean;
  errors: string[];
  /** Why the CLI could not start, if that is what failed. */
  startup_failure_reason?: SDKStartupFailureReason;
  invalid_config_file?: { path: string; is_global: boolean; backup_searched: boolean; backup_path?: string };
};

/** The end of a turn, with its answer, cost and usage; narrow it by `subtype`, or let `outcomeOf()` say how it ended. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
