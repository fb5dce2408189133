// Builds the options of one session's CLI from the options of the agent and the choices of the editor.
import type { OpenSessionInput } from '@inboard/core/verbs/conversation/open-session.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { OnElicitation } from '@inboard/core/wire/protocol/config/user-questions.js';
import type { McpServerConfig } from '@inboard/core/wire/protocol/config/mcp-config.js';
import type { AcpOptions } from './acp-options.js';
import type { EditorLink } from './questions/editor-link.js';

/** The part of a session's options that does not come from the agent. */
export interface SessionDecisions {
  cwd: string;
  additionalDirectories: readonly string[];
  servers: Record<string, McpServerConfig>;
  resume: string | undefined;
  canUseTool: CanUseTool;
  /** Undefined for a CLI that does not support questions of MCP servers. */
  onElicitation: OnElicitation | undefined;
  link: EditorLink;
  /** Whether the session goes on with a turn that waits for an answer. Its CLI is then started once there is one. */
  isContinued: boolean;
  /** Not passed on where it is 0 or undefined. */
  suspendAfterMs: number | undefined;
}

/** How many CLIs in a row may crash before a session is over. */
const MAX_RESTARTS = 3;

/** Builds the input of `openSession()` for a session of the editor. */
export function decideSession(options: AcpOptions, decided: SessionDecisions): OpenSessionInput {
  const { cwd, servers, resume, canUseTool, onElicitation, link, isContinued, suspendAfterMs } = decided;
  const directories = [...(options.additionalDirectories ?? []), ...decided.additionalDirectories];
  const whole: QueryOptions = {
    onWarning: ({ code, message }) => {
      // This warning says that rules allow tools without a question. That is what rules are for, so it is left out.
      if (code !== 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED') link.note(`Warning: ${message}`);
    },
    ...options,
    cwd,
    mcpServers: servers,
    additionalDirectories: directories.length > 0 ? directories : undefined,
    includePartialMessages: true,
    canUseTool,
    onElicitation,
    resume,
  };
  // Prompts run one after the other, because each of them needs an answer of its own.
  const input: OpenSessionInput = { options: whole, oneByOne: true };
  if (!canResume(options)) return input;
  return {
    ...input,
    restart: { maxRestarts: MAX_RESTARTS },
    ...(isContinued ? { interrupted: 'continue', lazy: true } : {}),
    ...(suspendAfterMs ? { suspendAfterMs } : {}),
  };
}

/** Whether a session can be resumed: it leaves a transcript, and its CLI can be started again. */
export function canResume({ persistSession, transport }: AcpOptions): boolean {
  return persistSession !== false && (transport === undefined || typeof transport === 'function');
}
