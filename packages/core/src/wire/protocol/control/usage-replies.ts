// The CLI's answers about usage: what fills the context window, what the session cost, and how much of the plan is used.
import type { ApiDetail } from '../api/api-blocks.js';
import type { ExtraUsage, SDKSessionTotals } from '../messages/usage-report.js';

/** What fills the context window, in all details. */
export type SDKControlGetContextUsageResponse = {
  categories: Array<{
    id?:
      | 'autocompact_buffer'
      | 'compact_buffer'
      | 'custom_agents'
      | 'free_space'
      | 'mcp_instructions'
      | 'mcp_tools'
      | 'mcp_tools_deferred'
      | 'memory_files'
      | 'messages'
      | 'skills'
      | 'system_prompt'
      | 'system_tools'
      | 'system_tools_deferred';
    name: string;
    tokens: number;
    color: string;
    kind: 'used' | 'free' | 'buffer' | 'deferred';
    isDeferred?: boolean;
  }>;
  totalTokens: number;
  maxTokens: number;
  rawMaxTokens: number;
  percentage: number;
  model: string;
  isAutoCompactEnabled: boolean;
  autoCompactThreshold?: number;
  autocompactSource?: string;
  gridRows: Array<
    Array<{
      color: string;
      isFilled: boolean;
      categoryName: string;
      tokens: number;
      percentage: number;
      squareFullness: number;
    }>
  >;
  memoryFiles: Array<{ path: string; type: string; tokens: number }>;
  mcpTools: Array<{ name: string; serverName: string; tokens: number; isLoaded?: boolean }>;
  agents: Array<{ agentType: string; source: string; pluginId?: string; path?: string; tokens: number }>;
  mcpInstructions?: Array<{ serverName: string; tokens: number }>;
  deferredBuiltinTools?: Array<{ name: string; tokens: number; isLoaded: boolean }>;
  slashCommands?: { totalCommands: number; includedCommands: number; tokens: number };
  skills?: {
    totalSkills: number;
    includedSkills: number;
    tokens: number;
    skillFrontmatter: Array<{
      name: string;
      source: string;
      pluginName?: string;
      pluginId?: string;
      path?: string;
      tokens: number;
    }>;
  };
  systemTools?: Array<{ name: string; tokens: number }>;
  systemPromptSections?: Array<{ name: string; tokens: number }>;
  messageBreakdown?: {
    toolCallTokens: number;
    toolResultTokens: number;
    attachmentTokens: number;
    assistantMessageTokens: number;
    userMessageTokens: number;
    redirectedContextTokens: number;
    unattributedTokens: number;
    toolCallsByType: Array<{ name: string; callTokens: number; resultTokens: number }>;
    attachmentsByType: Array<{ name: string; tokens: number }>;
  };
  apiUsage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  } | null;
};

/** How much of a plan's limit is used, in percent, and when it is reset. */
export type PlanLimit = { utilization: number | null; resets_at: string | null };

/** Session cost and plan limits. The CLI may change the fields without notice. */
export type SDKControlGetUsageResponse = {
  session: SDKSessionTotals;
  subscription_type: string | null;
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: PlanLimit | null;
    seven_day?: PlanLimit | null;
    seven_day_oauth_apps?: PlanLimit | null;
    seven_day_opus?: PlanLimit | null;
    seven_day_sonnet?: PlanLimit | null;
    model_scoped?: Array<PlanLimit & { display_name: string }>;
    extra_usage?: ExtraUsage | null;
  } | null;
  /** What caused the usage of the last day and week. */
  behaviors: ApiDetail;
};
