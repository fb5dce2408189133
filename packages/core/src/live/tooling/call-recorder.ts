// Defines how a conversation records the calls of its in-process tools, so that each call is known after the CLI, or
// this process, is gone. It has only types and the reading of a request. `query()` has no recorder.
import type { McpReply } from '../../answer/mcp/answer-mcp-message.js';
import type { OpenCall, PendCall, RecordWait } from '../../answer/mcp/binding/cli-link.js';
import { readParams, readToolUseId } from '../../answer/mcp/binding/rpc-message.js';
import { toolName } from '../../answer/mcp/tool/tool-name.js';
import type { RepeatPolicy } from '../../answer/mcp/tool/repeat-policy.js';
import { isRecord } from '../../util/guards.js';
import type { AnswerContext } from '../../wire/protocol/answer.js';
import type { NamedCall } from '../../wire/protocol/call-identity.js';

/** A call that the CLI asks for. */
export interface ToolRequest extends NamedCall {
  readonly input: Record<string, unknown>;
  /** The id of the JSON-RPC message that carries the call. */
  readonly id: unknown;
  readonly context: AnswerContext;
  /** The tool's policy for a call that is made again. */
  readonly onRepeat: RepeatPolicy | undefined;
  /** What the handler does from its beginning on, if its tool says that the CLI is not needed meanwhile. */
  readonly activity?: 'person' | 'detached' | undefined;
}

/** Records calls as they run. */
export interface CallRecorder {
  /** Runs a call. The call is recorded before it begins, and its result before the CLI gets it. */
  run(call: ToolRequest, answer: () => McpReply): McpReply;
  wait: RecordWait;
  /** Leaves a call open whose handler returned `pending()`. */
  pend: PendCall;
  /**
   * Decides whether the handler of this call runs on after the CLI exited on its own. If it does, only the recorder
   * can cancel it.
   */
  keep(call: OpenCall, requestId: string | undefined): boolean;
}

/** Reads the tool call from a message. Undefined if the message asks for something else. */
export function readToolRequest(
  serverName: string,
  message: unknown,
): Omit<ToolRequest, 'context' | 'onRepeat' | 'activity'> | undefined {
  if (!isRecord(message) || message['method'] !== 'tools/call') return undefined;
  const params = readParams(message);
  const { name, arguments: input, _meta: meta } = params ?? {};
  if (typeof name !== 'string') return undefined;
  return {
    id: message['id'],
    toolUseId: readToolUseId(meta),
    toolName: toolName(serverName, name),
    input: isRecord(input) ? input : {},
  };
}
