// Names and texts of CLI 2.1.325 that programs compare with. They were observed, and are not promised: a newer CLI may
// have others. The lists have the same values in the same order as those of the official SDK 0.3.325, which
// `scripts/compare-official.mjs` checks.

/**
 * Names of built-in tools, as permission rules spell them. The list is not complete: which tools a session has depends on
 * its options, platform and account, and newer CLIs have more. A name missing here may still be a tool, such as
 * `StructuredOutput`, or `TaskOutput` of 2.1.33.
 */
export const BUILTIN_TOOL_NAMES = Object.freeze([
  'Agent',
  'Artifact',
  'AskUserQuestion',
  'Bash',
  'ClaudeDesign',
  'CronCreate',
  'CronDelete',
  'CronList',
  'Edit',
  'EndConversation',
  'EnterPlanMode',
  'EnterWorktree',
  'ExitPlanMode',
  'ExitWorktree',
  'Glob',
  'Grep',
  'ListAgents',
  'ListMcpResourcesTool',
  'LSP',
  'Monitor',
  'NotebookEdit',
  'OfferChromeSetup',
  'PowerShell',
  'Projects',
  'propose_skills',
  'ProposeGoal',
  'PushNotification',
  'Read',
  'ReadMcpResourceDirTool',
  'ReadMcpResourceTool',
  'ReadNotifications',
  'RemoteTrigger',
  'ReportFindings',
  'ScheduleWakeup',
  'SendFeedback',
  'SendMessage',
  'SendUserFile',
  'SendUserMessage',
  'ShareOnboardingGuide',
  'ShowOnboardingRolePicker',
  'Skill',
  'SubagentHandback',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskStop',
  'TaskUpdate',
  'TodoWrite',
  'ToolSearch',
  'WaitForMcpServers',
  'WebFetch',
  'WebSearch',
  'Workflow',
  'Write',
] as const);

/** Former tool names that `tools`, `allowedTools` and `disallowedTools` still accept, each with the current name. */
export const LEGACY_TOOL_NAME_ALIASES: Readonly<Record<string, string>> = Object.freeze({
  Task: 'Agent',
  KillShell: 'TaskStop',
  KillBash: 'TaskStop',
  ListPeers: 'ListAgents',
  Brief: 'SendUserMessage',
  ListMcpResources: 'ListMcpResourcesTool',
  ReadMcpResource: 'ReadMcpResourceTool',
  ReadMcpResourceDir: 'ReadMcpResourceDirTool',
});

/**
 * How a result's text begins when the API refused a request because of a plan's usage limit. The `rate_limit_event` before
 * it is more reliable than the text: it says which limit it is and when it resets.
 */
export const USAGE_LIMIT_ERROR_PREFIXES = Object.freeze([
  "You've hit your",
  "You've reached your",
  "You're out of usage credits",
  'Your org is out of usage · add funds to continue',
  'Your org is out of usage · contact your admin',
  "Your seat type doesn't include usage credits",
  "Your seat type doesn't include usage",
  'Your usage allocation has been disabled by your admin',
  "Your group's usage limit is set to $0",
  'Fable 5 requires usage credits',
  "You're out of extra usage",
  "Your seat type doesn't include extra usage",
] as const);

/** How a notice begins that says that a plan's usage limit is near. The API has not refused anything yet. */
export const USAGE_WARNING_PREFIXES = Object.freeze(["You've used", "You're close to"] as const);

/** How a notice begins that says that usage is no longer paid for by the plan, but by credits or extra usage. */
export const USAGE_TRANSITION_PREFIXES = Object.freeze([
  "You're now using usage credits",
  "You're now using your usage allocation",
  'Now using your usage allocation',
  'Now using usage credits',
  'Now using credits',
  "You're now using extra usage",
  'Now using extra usage',
] as const);

/** How a result's text begins when the organisation's policy forbids the service. No limit was reached. */
export const ORG_POLICY_LIMIT_PREFIXES = Object.freeze(['This service is disabled for your org'] as const);
