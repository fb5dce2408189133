// Converts a server's answer to a tool call into the result that the model sees.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { mcpResponseOf, resultOf, type FoundTool } from '../host/host-servers.js';
import type { HostReply } from '../host/question-list.js';
import type { ToolAnswer } from '../script/fake-step.js';

/** The result of a call, whether from a server, from the script or from a refusal. */
export interface ToolReply {
  readonly content: unknown;
  readonly isError: boolean;
  readonly failure?: ToolAnswer['failure'];
  readonly result?: WireObject;
  readonly progress?: readonly WireObject[];
  readonly stopsTurn?: boolean;
}

/** Reads the reply to a `tools/call`. `name` is the tool's name for the model. */
export function readToolReply(reply: HostReply, name: string, tool: FoundTool): ToolReply {
  if (reply.kind === 'cancelled') {
    const content = `MCP server "${tool.server}" tool "${tool.name}" timed out`;
    return { content, isError: true, failure: 'cancelled' };
  }
  if (reply.kind === 'input ended') {
    const content = 'The tool call was interrupted before a result was received.';
    return { content, isError: true, failure: 'input ended' };
  }
  const result = resultOf(reply);
  if (!result) {
    const error = mcpResponseOf(reply)?.['error'];
    const message = isRecord(error) ? String(error['message']) : undefined;
    const content = message ?? (reply.kind === 'failure' ? reply.error : 'The server gave no result');
    return { content, isError: true, failure: 'error' };
  }
  const blocks = Array.isArray(result['content']) ? result['content'].filter(isRecord) : [];
  if (result['isError'] === true) {
    return { content: textOf(blocks) || 'Unknown error', isError: true, result };
  }
  const { structuredContent } = result;
  // If there is structured content, the model does not see the text.
  if (structuredContent !== undefined) {
    return { content: JSON.stringify(structuredContent), isError: false, result };
  }
  const content = blocks.length === 0 ? `(${name} completed with no output)` : blocks.map(showBlock);
  return { content, isError: false, result };
}

function showBlock(block: WireObject): WireObject {
  if (block['type'] === 'image') {
    const source = { type: 'base64', media_type: block['mimeType'], data: block['data'] };
    return { type: 'image', source };
  }
  const { annotations: _, ...shown } = block;
  return shown;
}
