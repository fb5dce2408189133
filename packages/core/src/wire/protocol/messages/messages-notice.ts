// Messages to the host that are not part of the conversation: notices, limits, denials, plugins, files, the session
// store.
import type { SDKMessageEnvelope, SDKSystemEnvelope } from './message-values.js';
import type { SessionKey } from '../config/session-store.js';

/** The output of a slash command that runs without the model. */
export type SDKLocalCommandOutputMessage = SDKSystemEnvelope<'local_command_output'> & { content: string };

/** A plugin is being installed. */
export type SDKPluginInstallMessage = SDKSystemEnvelope<'plugin_install'> & {
  status: 'started' | 'installed' | 'failed' | 'completed';
  name?: string;
  error?: string;
};

/** A login is in progress, or has ended. */
export type SDKAuthStatusMessage = SDKMessageEnvelope & {
  type: 'auth_status';
  isAuthenticating: boolean;
  output: string[];
  error?: string;
};

/** A text to show to the user for a short time. */
export type SDKNotificationMessage = SDKSystemEnvelope<'notification'> & {
  /** A later notification with the same key replaces this one. */
  key: string;
  text: string;
  priority: 'low' | 'medium' | 'high' | 'immediate';
  color?: string;
  timeout_ms?: number;
};

/** Files of the session were uploaded. */
export type SDKFilesPersistedEvent = SDKSystemEnvelope<'files_persisted'> & {
  files: Array<{ filename: string; file_id: string }>;
  failed: Array<{ filename: string; error: string }>;
  processed_at: string;
};

/** How much of a plan's allowance is used. */
export type SDKRateLimitInfo = {
  status: 'allowed' | 'allowed_warning' | 'rejected';
  /** Seconds since 1970. */
  resetsAt?: number;
  rateLimitType?:
    | 'five_hour'
    | 'overage'
    | 'seven_day'
    | 'seven_day_opus'
    | 'seven_day_overage_included'
    | 'seven_day_sonnet';
  utilization?: number;
  overageStatus?: 'allowed' | 'allowed_warning' | 'rejected';
  overageResetsAt?: number;
  overageDisabledReason?:
    | 'fetch_error'
    | 'group_zero_credit_limit'
    | 'member_level_disabled'
    | 'member_zero_credit_limit'
    | 'no_limits_configured'
    | 'org_level_disabled'
    | 'org_level_disabled_until'
    | 'org_service_level_disabled'
    | 'out_of_credits'
    | 'overage_not_provisioned'
    | 'seat_tier_level_disabled'
    | 'seat_tier_zero_credit_limit'
    | 'unknown';
  isUsingOverage?: boolean;
  overageInUse?: boolean;
  overageEnabled?: boolean;
  surpassedThreshold?: number;
  limitScope?: 'channel' | 'group_pool' | 'service';
  errorCode?: 'credits_required';
  canUserPurchaseCredits?: boolean;
  hasChargeableSavedPaymentMethod?: boolean;
};

/** The plan's allowance changed state. */
export type SDKRateLimitEvent = SDKMessageEnvelope & {
  type: 'rate_limit_event';
  rate_limit_info: SDKRateLimitInfo;
};

/** The user has finished what an MCP server had asked for on a web page. */
export type SDKElicitationCompleteMessage = SDKSystemEnvelope<'elicitation_complete'> & {
  mcp_server_name: string;
  elicitation_id: string;
};

/** A tool call was refused. Not every refusal has this message: `permission_denials` of the result is the full list. */
export type SDKPermissionDeniedMessage = SDKSystemEnvelope<'permission_denied'> & {
  tool_name: string;
  tool_use_id: string;
  agent_id?: string;
  decision_reason?: string;
  decision_reason_type?: string;
  message: string;
};

/** The session store rejected entries and now lacks them. Created by the SDK, not by the CLI. */
export type SDKMirrorErrorMessage = SDKSystemEnvelope<'mirror_error'> & { error: string; key: SessionKey };

/** A remark to show to the user. */
export type SDKInformationalMessage = SDKSystemEnvelope<'informational'> & {
  content: string;
  level: 'info' | 'notice' | 'suggestion' | 'warning';
  tool_use_id?: string;
  prevent_continuation?: boolean;
  tag?: string;
};

/** The goal of the session, or null. Not part of the `SDKMessage` union, but may appear on the stream. */
export type SDKActiveGoalMessage = SDKMessageEnvelope & {
  type: 'active_goal';
  value: {
    condition: string;
    iterations: number;
    set_at: number;
    tokens_at_start: number;
    last_reason?: string;
  } | null;
};
