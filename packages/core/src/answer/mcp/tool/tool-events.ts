// Defines the events that a program gets while its tools run. Every call has one `start`, and at its end one of `end`,
// `error` and `cancelled`. Progress comes in between. Log lines do, too, unless the handler writes them after that end.
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { RepeatPolicy } from './repeat-policy.js';
import { toolName } from './tool-name.js';

/** Which call an event is about. */
export interface ToolEventSource {
  /** The server's key in `mcpServers`. */
  server: string;
  /** The tool's own name. */
  tool: string;
  /** The name the model knows: `mcp__server__tool`. */
  toolName: string;
  /** The MCP request's id. */
  requestId: JSONRPCId;
  /** The id of the model's tool_use block. */
  toolUseId?: string;
  /** The subagent that called, when known. */
  agentId?: string;
}

/** A call as `aroundTool` receives it. */
export interface AroundToolCall extends ToolEventSource, CallIdentity {
  /** The arguments of the call. */
  readonly input: unknown;
  /** The tool's `onRepeat`. It says what to do if the call was begun before. Undefined if the tool has none. */
  readonly onRepeat?: RepeatPolicy | undefined;
}

/**
 * Runs around every handler of an in-process tool. It calls `run` once and returns the result, or it returns an MCP
 * result of its own.
 */
export type AroundTool = (call: AroundToolCall, run: () => unknown) => unknown;

/** How far a tool has got. */
export interface ToolProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** How serious a log line is, as MCP names it. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** What an event says besides which call it is about. */
export type ToolEventBody =
  | { type: 'start'; input: unknown }
  | ({ type: 'progress' } & ToolProgress)
  | { type: 'log'; level: LogLevel; data: unknown }
  /** Its handler returned `pending()`: its result comes later, by this key. */
  | { type: 'pending'; callKey: string; note?: string }
  | { type: 'end'; durationMs: number; result: CallToolResult }
  | { type: 'error'; durationMs: number; error: Error }
  | { type: 'cancelled'; durationMs: number; reason: Error };

/** One thing that happened to a call of an in-process tool. */
export type ToolEvent = ToolEventSource & ToolEventBody;

/**
 * One thing that happened to a call of any tool of a session. For a tool that the CLI runs itself, the event has only what
 * the CLI reports, so it names no server and no MCP request.
 */
export type SessionToolEvent =
  | ({ inProcess: true } & ToolEvent)
  | ({ inProcess: false; toolName: string; toolUseId: string; agentId?: string } & (
      | { type: 'start'; input: unknown }
      | { type: 'progress'; elapsedSeconds: number }
      | { type: 'end'; durationMs: number; result: unknown }
      | { type: 'error'; durationMs: number; error: Error }
      | { type: 'cancelled'; durationMs: number; reason: Error }
    ));

/** Something about a server or tool that its author may not expect. */
export interface ToolWarning {
  code:
    | 'TOOL_NAME_COLLISION'
    | 'TOOL_RESULT_TO_FILE'
    | 'TOOL_TEXT_HIDDEN'
    | 'TOOL_DROPPED'
    | 'TOOL_CONTEXT_MISSING'
    | 'TOOLS_NOT_ANNOUNCED'
    | 'PARALLEL_TOOL_LATE'
    | 'BATCH_IGNORED'
    | 'LISTENER_FAILED'
    | 'AROUND_TOOL_FAILED'
    | 'PENDING_REFUSED'
    | 'SERVER_NOT_CONNECTED';
  message: string;
  server: string;
  tool?: string;
}

/** The common part of a call's events, without undefined fields. */
export function describeSource(call: Omit<ToolEventSource, 'toolName'>): ToolEventSource {
  const { server, tool, requestId, toolUseId, agentId } = call;
  return {
    server,
    tool,
    toolName: toolName(server, tool),
    requestId,
    ...(toolUseId === undefined ? {} : { toolUseId }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

/** The texts of a failed result as an Error. */
export function readResultError(result: CallToolResult): Error {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const texts = content.flatMap((block) => {
    const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
    return type === 'text' && typeof text === 'string' ? [text] : [];
  });
  return new Error(texts.join('\n') || 'The tool reported an error without a message');
}
