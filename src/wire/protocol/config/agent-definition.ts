// A subagent declared by the host.
import type { McpServerConfigForProcessTransport } from './mcp-config.js';
import type { PermissionMode } from '../control/permissions.js';

/** How much effort a model puts into an answer. */
export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** A server that a subagent may use: the name of one the session has, or a server of its own. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A subagent: when to call it, its prompt, and what it may use. */
export type AgentDefinition = {
  /** Read by the model to decide when to call it. */
  description: string;
  /** Its system prompt. */
  prompt: string;
  /** Omitted, it has all tools of its caller. */
  tools?: string[];
  disallowedTools?: string[];
  /** An alias, a full model name, or `inherit`. */
  model?: string;
  mcpServers?: AgentMcpServerSpec[];
  skills?: string[];
  maxTurns?: number;
  permissionMode?: PermissionMode;
  effort?: EffortLevel | number;
  /** Runs in parallel to the main loop. */
  background?: boolean;
  initialPrompt?: string;
  /** Which memory it has across sessions. */
  memory?: 'user' | 'project' | 'local';
  autoCompactWindow?: number;
  omitClaudeMd?: boolean;
  observer?: string;
  observerMessage?: string;
  criticalSystemReminder_EXPERIMENTAL?: string;
};
