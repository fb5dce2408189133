// What a conversation puts around the calls of its in-process tools, so that each is known after the CLI, or this process, is gone.
// Types and the reading of a request only: `query()` has none.
import type { McpReply } from '../../answer/mcp/answer-mcp-message.js';
import type { OpenCall, RecordWait } from '../../answer/mcp/binding/cli-link.js';
import { readParams, readToolUseId } from '../../answer/mcp/binding/rpc-message.js';
import { toolName } from '../../answer/mcp/tool/tool-name.js';
import type { RepeatPolicy } from '../../answer/mcp/tool/repeat-policy.js';
import { isRecord } from '../../util/guards.js';
import type { AnswerContext } from '../../wire/protocol/answer.js';
import type { NamedCall } from '../../wire/protocol/call-identity.js';

/** A call that the CLI asks for. */
export interface ToolRequest extends NamedCall {
  readonly input: Record<string, unknown>;
  /** The id of the message that carries it. */
  readonly id: unknown;
  readonly context: AnswerContext;
  /** What its tool wants to happen to a call that is made again. */
  readonly onRepeat: RepeatPolicy | undefined;
}

/** Records calls as they run. */
export interface CallRecorder {
  /** Runs a call: it is recorded before it begins, and its result before the CLI gets it. */
  run(call: ToolRequest, answer: () => McpReply): McpReply;
  wait: RecordWait;
  /** The CLI is gone by itself: whether the handler of this call runs on. From then on only the recorder cancels it. */
  keep(call: OpenCall, requestId: string | undefined): boolean;
}

/** The call that a message asks for; undefined where it asks for something else. */
export function readToolRequest(
  serverName: string,
  message: unknown,
): Omit<ToolRequest, 'context' | 'onRepeat'> | undefined {
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
