// Permissions as data: modes, rules and their changes, the question the CLI asks before a tool runs, and the answer.
// Calling the host's callback is up to `answer/permissions`.
import type { McpServerProvenance } from '../messages/message-values.js';

/** How the CLI decides about tool calls that no rule covers. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** What a rule does with the calls it matches. */
export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** Where a permission change is stored; `session` lasts until the session ends. */
export type PermissionUpdateDestination =
  'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

/** One rule: a tool, and optionally what its input must look like. */
export type PermissionRuleValue = { toolName: string; ruleContent?: string };

/** A change of the permission rules, mode or directories. */
export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules';
      rules: PermissionRuleValue[];
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'setMode';
      mode: PermissionMode;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'addDirectories' | 'removeDirectories';
      directories: string[];
      destination: PermissionUpdateDestination;
    };

/** The kind of decision a person made, for the CLI's statistics. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

/** The answer to a permission question. An allow without `updatedInput` runs the original input. */
export type PermissionResult =
  | {
      behavior: 'allow';
      updatedInput?: Record<string, unknown>;
      updatedPermissions?: PermissionUpdate[];
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    }
  | {
      behavior: 'deny';
      /** Shown to the model verbatim. */
      message: string;
      /** Also ends the turn. */
      interrupt?: boolean;
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    };

/** Which part of the CLI's rules led to the question. */
export type PermissionDecisionReasonType =
  | 'rule'
  | 'mode'
  | 'subcommandResults'
  | 'permissionPromptTool'
  | 'hook'
  | 'asyncAgent'
  | 'sandboxOverride'
  | 'workingDir'
  | 'safetyCheck'
  | 'classifier'
  | 'other';

/** The `can_use_tool` request as the CLI sends it, without its subtype. */
export type CanUseToolRequest = {
  tool_name: string;
  input: Record<string, unknown>;
  tool_use_id: string;
  permission_suggestions?: PermissionUpdate[];
  blocked_path?: string;
  decision_reason?: string;
  decision_reason_type?: PermissionDecisionReasonType;
  classifier_approvable?: boolean;
  suppress_always_allow_rule?: boolean;
  server_policy_ask_only?: boolean;
  default_to_no?: boolean;
  matched_ask_rule?: { source: string; tool_name: string; rule_content?: string };
  title?: string;
  display_name?: string;
  description?: string;
  agent_id?: string;
  mcp_server?: McpServerProvenance;
  requires_user_interaction?: boolean;
};

/** What a permission callback receives besides the tool's name and input. */
export type CanUseToolOptions = {
  /** Aborts when the CLI withdraws the question or the query ends. */
  signal: AbortSignal;
  toolUseID: string;
  /** The id of the control request, for answering out of band. */
  requestId: string;
  /** Changes which, returned as `updatedPermissions`, stop this question from coming again. */
  suggestions?: PermissionUpdate[];
  /** The path outside the allowed directories that led to the question. */
  blockedPath?: string;
  decisionReason?: string;
  decisionReasonType?: PermissionDecisionReasonType;
  /** Set when a subagent asks. */
  agentID?: string;
  title?: string;
  displayName?: string;
  description?: string;
  mcpServer?: McpServerProvenance;
  /** The question should be preselected with "no". */
  defaultToNo?: boolean;
  /** No "always allow" should be offered. */
  suppressAlwaysAllowRule?: boolean;
  /** The server's policy asks each time, whatever the rules say. */
  serverPolicyAskOnly?: boolean;
  requiresUserInteraction?: boolean;
  /** An automatic classifier may answer instead of a person. */
  classifierApprovable?: boolean;
  matchedAskRule?: { source: string; toolName: string; ruleContent?: string };
};

/** The host's permission callback. `null` leaves the question open: the CLI waits until the host answers by its id. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: CanUseToolOptions,
) => Promise<PermissionResult | null>;

/** A rule in words: `prefix`, `emphasis`, `suffix` in this order. */
export type SDKPermissionRuleDescription = { prefix: string; emphasis?: string; suffix?: string };

/** A permission rule in force, and where it comes from. */
export type SDKPermissionRuleEntry = {
  behavior: PermissionBehavior;
  source:
    | 'cliArg'
    | 'command'
    | 'flagSettings'
    | 'hostCredential'
    | 'localSettings'
    | 'mcpMount'
    | 'mcpServerPolicy'
    | 'policySettings'
    | 'projectSettings'
    | 'session'
    | 'toolsNarrowing'
    | 'userSettings';
  /** As a settings file spells it, like `Bash(git *)`. */
  rule: string;
  description?: SDKPermissionRuleDescription;
  editability: 'persistent' | 'session' | 'readonly';
  notInEffect?: boolean;
};

/** A directory that tools may use. */
export type SDKPermissionWorkspaceDirectory = { path: string; source: string };

/** A part of a settings file that could not be read. */
export type SDKSettingsParseError = { file?: string; path: string; message: string };

/** The permission rules in force, as `list_permission_rules` reports them. */
export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};
