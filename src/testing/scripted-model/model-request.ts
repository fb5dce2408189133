// One HTTP request as the scripted model saw it: as it came, and read for what tests ask about it.
// What kind of request it is, is decided in classify-request.ts.
import { isRecord, parseRecord } from '../../util/guards.js';
import { textOf } from '../../wire/protocol/messages/message-content.js';
import type { IncomingHttpHeaders } from 'node:http';

/** What a request is to the script; only `conversation` takes steps from it. */
export type RequestKind = 'conversation' | 'side' | 'count_tokens' | 'probe' | 'unknown';

/** How the answering of a request ended. `failed`: a function of the script threw; `unexpected`: nothing was scripted. */
export type RequestOutcome = 'answered' | 'cut' | 'disconnected' | 'unexpected' | 'failed';

/** A content block as the client sent it. */
export interface RequestBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A message of the conversation as the client sent it. */
export interface RequestMessage {
  readonly role: string;
  readonly content: string | readonly RequestBlock[];
}

/** A result of a tool call that the model has not seen yet. */
export interface RequestToolResult {
  readonly toolUseId: string;
  readonly isError: boolean;
  /** The text of the result; other content is in `content`. */
  readonly text: string;
  readonly content: unknown;
}

/** The parsed body; the fields below are the usual ones, none is guaranteed. */
export interface RequestBody {
  readonly model?: string;
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly messages?: readonly RequestMessage[];
  readonly system?: string | readonly RequestBlock[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** A request the model received. Everything is there for requests without a body too, only empty. */
export interface ModelRequest {
  /** The position in `model.requests`, from 0. */
  readonly index: number;
  readonly kind: RequestKind;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  /** `{}` when there was no JSON object in the body. */
  readonly body: RequestBody;
  readonly messages: readonly RequestMessage[];
  /** The names of the tools offered to the model. */
  readonly toolNames: readonly string[];
  /** The system prompt, its blocks joined by line ends. */
  readonly systemText: string;
  /** Every text of every user message, without tool results, joined by line ends. */
  readonly userText: string;
  /** The tool results sent since the model last spoke. */
  readonly toolResults: readonly RequestToolResult[];
  /** The CLI's session, when the request names one. */
  readonly sessionId: string | undefined;
  /** Undefined while the answer is under way. */
  readonly outcome: RequestOutcome | undefined;
  /** Settles with the outcome; never rejects. */
  readonly settled: Promise<RequestOutcome>;
}

/** The parts of a request that depend on its bytes alone. */
export type ReceivedRequest = Omit<ModelRequest, 'index' | 'kind' | 'outcome' | 'settled'>;

/** Reads what came over HTTP; a body that is no JSON object gives empty fields, not an error. */
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

/** The blocks of a message; a plain text is one block. */
function listBlocks({ content }: RequestMessage): readonly RequestBlock[] {
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

// The newer CLI has a header and JSON in `metadata.user_id`, the older one `user_…_session_<uuid>` there.
function readSessionId(headers: IncomingHttpHeaders, body: RequestBody): string | undefined {
  const header = headers['x-claude-code-session-id'];
  if (typeof header === 'string') return header;
  const metadata = body['metadata'];
  const userId = isRecord(metadata) ? metadata['user_id'] : undefined;
  if (typeof userId !== 'string') return undefined;
  const fromJson = parseRecord(userId)?.['session_id'];
  return typeof fromJson === 'string' ? fromJson : /_session_([\w-]+)$/.exec(userId)?.[1];
}

function isMessage(value: unknown): value is RequestMessage {
  if (!isRecord(value) || typeof value['role'] !== 'string') return false;
  const content = value['content'];
  return typeof content === 'string' || (Array.isArray(content) && content.every(isRecord));
}
