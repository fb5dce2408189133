// Reads a request of the Messages API from its bytes into the fields that tests use.
import { isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { IncomingHttpHeaders } from 'node:http';
import type {
  RequestBlock,
  RequestMessage,
  RequestToolResult,
  RequestBody,
  ReceivedRequest,
} from './model-request.js';

/** Reads an HTTP request. A body that is not a JSON object gives empty fields, not an error. */
export function readRequest(received: {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  rawBody: string;
}): ReceivedRequest {
  const body: RequestBody = parseRecord(received.rawBody) ?? {};
  const messages = Array.isArray(body.messages) ? body.messages.filter(isMessage) : [];
  const ofUser = messages.filter((message) => message.role === 'user').flatMap(listBlocks);
  return {
    ...received,
    path: received.url.split('?', 1)[0] ?? '',
    body,
    messages,
    toolNames: readTools(body).map((tool) => String(tool['name'] ?? tool['type'])),
    systemText: textOf(body.system),
    userText: textOf(ofUser),
    toolResults: readToolResults(messages),
    sessionId: readSessionId(received.headers, body),
  };
}

/** The tools of a body, or none. */
export function readTools(body: RequestBody): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(body.tools) ? body.tools.filter(isRecord) : [];
}

/** The blocks of a message. A plain text becomes one block. */
export function listBlocks({ content }: RequestMessage): readonly RequestBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function readToolResults(messages: readonly RequestMessage[]): RequestToolResult[] {
  const spoken = messages.findLastIndex((message) => message.role === 'assistant');
  return messages
    .slice(spoken + 1)
    .flatMap(listBlocks)
    .filter((block) => block.type === 'tool_result')
    .map((block) => ({
      toolUseId: String(block['tool_use_id']),
      isError: block['is_error'] === true,
      text: textOf(block['content']),
      content: block['content'],
    }));
}

// The newer CLI sends a header, and JSON in `metadata.user_id`. The older one sends `user_…_session_<uuid>` in that field.
function readSessionId(headers: IncomingHttpHeaders, body: RequestBody): string | undefined {
  const header = headers['x-claude-code-session-id'];
  if (typeof header === 'string') return header;
  const metadata = body['metadata'];
  const userId = isRecord(metadata) ? metadata['user_id'] : undefined;
  if (typeof userId !== 'string') return undefined;
  const fromJson = parseRecord(userId)?.['session_id'];
  return typeof fromJson === 'string' ? fromJson : /_session_([\da-f-]{1,64})$/i.exec(userId)?.[1];
}

function isMessage(value: unknown): value is RequestMessage {
  if (!isRecord(value) || typeof value['role'] !== 'string') return false;
  const content = value['content'];
  return typeof content === 'string' || (Array.isArray(content) && content.every(isRecord));
}
