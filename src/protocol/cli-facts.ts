// Names and texts of CLI 2.1.325 that programs compare with. Observed, not promised: a newer CLI may know more.

/**
 * Names of built-in tools, as permission rules spell them. Incomplete by nature: which of them a session has depends
 * on its options, platform and account, and new ones come. A name that is missing here may still be a tool.
 */
export const BUILTIN_TOOL_NAMES: readonly string[] = Object.freeze([
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
  'LSP',
  'ListAgents',
  'ListMcpResourcesTool',
  'Monitor',
  'NotebookEdit',
  'OfferChromeSetup',
  'PowerShell',
  'Projects',
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
  'StructuredOutput',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  // Of 2.1.33; no longer offered.
  'TaskOutput',
  'TaskStop',
  'TaskUpdate',
  'TodoWrite',
  'ToolSearch',
  'WaitForMcpServers',
  'WebFetch',
  'WebSearch',
  'Workflow',
  'Write',
]);

/** Former tool names that `tools`, `allowedTools` and `disallowedTools` still accept, with the present ones. */
export const LEGACY_TOOL_NAME_ALIASES: Readonly<Record<string, string>> = Object.freeze({
  Brief: 'SendUserMessage',
  KillBash: 'TaskStop',
  KillShell: 'TaskStop',
  ListMcpResources: 'ListMcpResourcesTool',
  ListPeers: 'ListAgents',
  ReadMcpResource: 'ReadMcpResourceTool',
  ReadMcpResourceDir: 'ReadMcpResourceDirTool',
  Task: 'Agent',
});

/**
 * How the text of a result begins when a plan's usage limit refused the call. Better than the text is the
 * `rate_limit_event` before it, which names the limit and when it ends.
 */
export const USAGE_LIMIT_ERROR_PREFIXES: readonly string[] = Object.freeze(["You've hit your"]);
