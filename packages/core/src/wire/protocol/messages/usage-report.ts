// Usage in messages: that of models, of the context window, of the session, and of the plan.

/** A category of content in the context window. */
export type SDKContextUsageCategory = {
  name: string;
  tokens: number;
  kind: 'used' | 'free' | 'buffer' | 'deferred';
};

/** What fills the context window, in short; `getContextUsage` has the details. */
export type SDKContextUsage = {
  model: string;
  total_tokens: number;
  raw_max_tokens: number;
  percentage: number;
  over_limit?: { tokens_over: number; kind: 'compaction_window' | 'hard_limit' };
  categories: SDKContextUsageCategory[];
  mcp_tools: Array<{ name: string; server_name: string; tokens: number }>;
  memory_files: Array<{ path: string; type: string; tokens: number }>;
  agents: Array<{ agent_type: string; source: string; tokens: number }>;
  skills?: Array<{ name: string; source: string; plugin_name?: string; tokens: number }>;
};

/** What one model has used in a session so far, in the main conversation and in all subagents. */
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

/** The totals of a session so far: cost, time, lines changed. */
export type SDKSessionTotals = {
  total_cost_usd: number;
  total_api_duration_ms: number;
  total_duration_ms: number;
  total_lines_added: number;
  total_lines_removed: number;
  model_usage: Record<string, ModelUsage>;
};

/** Usage that is paid for beyond the plan. */
export type ExtraUsage = {
  is_enabled: boolean;
  monthly_limit: number | null;
  used_credits: number | null;
  utilization: number | null;
  currency?: string | null;
};

/** What the session has cost, and how much of the plan is used. `rate_limits` is null if there is no plan. */
export type SDKUsageReport = {
  session: SDKSessionTotals;
  rate_limits: {
    limits: Array<{
      kind: string;
      group: string;
      percent: number;
      resets_at: string | null;
      scope?: {
        model?: { display_name: string } | null;
        surface?: { display_name: string } | null;
      } | null;
      severity: string;
      is_active: boolean;
    }> | null;
    extra_usage?: ExtraUsage | null;
  } | null;
};
