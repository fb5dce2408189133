// The question that the CLI asks before a tool runs, and the answer. `answer/permissions` calls the host's callback.
import type { McpServerProvenance } from '../messages/message-values.js';
import type { PermissionUpdate } from './permissions.js';

/** The kind of decision a person made, for the CLI's statistics. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

/** The answer to a permission question. If it allows without `updatedInput`, the tool runs with the original input. */
export type PermissionResult =
  | {
      behavior: 'allow';
      updatedInput?: Record<string, unknown> | undefined;
      updatedPermissions?: PermissionUpdate[] | undefined;
      toolUseID?: string | undefined;
      decisionClassification?: PermissionDecisionClassification | undefined;
    }
  | {
      behavior: 'deny';
      /** Shown to the model verbatim. */
      message: string;
      /** Whether to end the turn as well. */
      interrupt?: boolean | undefined;
      toolUseID?: string | undefined;
      decisionClassification?: PermissionDecisionClassification | undefined;
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
  /** Aborts when the CLI withdraws the question, when it is answered elsewhere, or when the query ends. */
  signal: AbortSignal;
  toolUseID: string;
  /** The id of the control request, for answering later with `answerPermission()`. */
  requestId: string;
  /**
   * Identifies the call in question. It stays the same when the call is made again after a restart, and the tool's
   * handler gets it, too. Always set in a callback.
   */
  callKey?: string;
  /**
   * The number of this attempt at the call, from 1. If it is above 1, the question was asked before, or an earlier attempt
   * was cut off. Always set in a callback.
   */
  attempt?: number;
  /** The session id, if it is already known. */
  sessionId?: string;
  /** Permission changes. If they are returned as `updatedPermissions`, this question is not asked again. */
  suggestions?: PermissionUpdate[];
  /** The path outside the allowed directories that led to the question. */
  blockedPath?: string;
  decisionReason?: string;
  decisionReasonType?: PermissionDecisionReasonType;
  /** The subagent that asks; undefined for the main agent. */
  agentID?: string;
  title?: string;
  displayName?: string;
  description?: string;
  mcpServer?: McpServerProvenance;
  /** Whether "no" should be preselected. */
  defaultToNo?: boolean;
  /** Whether no "always allow" should be offered. */
  suppressAlwaysAllowRule?: boolean;
  /** Whether the server's policy asks each time, whatever the rules say. */
  serverPolicyAskOnly?: boolean;
  requiresUserInteraction?: boolean;
  /** Whether an automatic classifier may answer instead of a person. */
  classifierApprovable?: boolean;
  matchedAskRule?: { source: string; toolName: string; ruleContent?: string };
};

/**
 * Decides whether a tool call may run: returns `allow()`, `deny('why')`, or an object of the same form. `null` leaves
 * the question open until `answerPermission()` answers it by its id. A callback that throws denies the call.
 */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: CanUseToolOptions,
) => Promise<PermissionResult | null>;
