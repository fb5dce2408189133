// The definition of a subagent, as the host passes it to the CLI.
import type { McpServerConfigForProcessTransport } from './mcp-config.js';
import type { PermissionMode } from '../control/permissions.js';

/** How much effort a model puts into an answer. */
export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** A server that a subagent may use: the name of a server of the session, or a server of the subagent's own. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A subagent: when to call it, its prompt, and what it may use. */
export type AgentDefinition = {
  /** The model reads it to decide when to call the subagent. */
  description: string;
  /** Its system prompt. */
  prompt: string;
  /** The tools it may use. Default: all tools of its caller. */
  tools?: string[] | undefined;
  disallowedTools?: string[] | undefined;
  /** An alias, a full model name, or `inherit`. */
  model?: string | undefined;
  mcpServers?: AgentMcpServerSpec[] | undefined;
  skills?: string[] | undefined;
  maxTurns?: number | undefined;
  permissionMode?: PermissionMode | undefined;
  effort?: EffortLevel | number | undefined;
  /** Whether it runs in parallel to the main loop. */
  background?: boolean | undefined;
  initialPrompt?: string | undefined;
  /** Which memory it has across sessions. */
  memory?: 'user' | 'project' | 'local' | undefined;
  autoCompactWindow?: number | undefined;
  omitClaudeMd?: boolean | undefined;
  observer?: string | undefined;
  observerMessage?: string | undefined;
  criticalSystemReminder_EXPERIMENTAL?: string | undefined;
};
