// The names of reasons: why an API call failed, why a turn ended, why a session did not start, why faster output is off.

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
