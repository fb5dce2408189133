// The replies of a model, as plain data, and the functions that build them. The fake CLI and the scripted model share them
// as steps. `reply()` joins parts, and a part is itself a reply:
// `reply(thinking('Hm.'), text('Yes.'), { stopReason: 'max_tokens' })`.
import type { Gate } from './gate.js';
import type { ModelContext } from '../scripted-model/model-request.js';
import type { ScriptContext } from './script-context.js';

/** A content block of the assistant's message. If a text is a list, each entry is one delta of the stream. */
export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string | readonly string[] }
  | { readonly type: 'thinking'; readonly thinking: string | readonly string[]; readonly signature: string }
  | ToolUseBlock
  | { readonly type: 'raw'; readonly block: Readonly<Record<string, unknown> & { type: string }> };

/** How a tool is called. */
export interface ToolUseOptions {
  /** The id of the call. Default: a new one. */
  readonly id?: string;
  /** Scripted model only: the text to stream instead of the input's JSON, for example in several pieces, or invalid. */
  readonly inputJson?: string | readonly string[];
  /** Fake CLI only. `auto` (default): asks if the real CLI would, with the same arguments. `ask`: always. `skip`: never. */
  readonly permission?: 'auto' | 'ask' | 'skip';
  /** Fake CLI only: the result of a tool that is not in the host, such as `Bash`, `Read` or one of another process. */
  readonly result?: string | readonly Readonly<Record<string, unknown>>[];
  /** Fake CLI only, with `result`: the tool failed. */
  readonly isError?: boolean;
  /** Fake CLI only: withdraws the call when this settles, as a time limit of the CLI does. */
  readonly cancelWhen?: PromiseLike<unknown>;
}

/** A tool call in a reply. */
export interface ToolUseBlock extends ToolUseOptions {
  readonly type: 'tool_use';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether this call is the answer of the turn. The turn then needs no further step, even if the CLI asks the model again. */
  readonly isOutput?: boolean;
}

/** Token counts, named as in the API. By default there are 10 input tokens, 5 output tokens and no cached ones. */
export interface ReplyUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly [field: string]: unknown;
}

/**
 * A point in a reply's stream: after this many events, or after the first delta of the block with this index. Pings do
 * not count as events. With `afterEvents: 0`, only the headers are sent before the point.
 */
export type StreamPoint = { readonly afterEvents: number } | { readonly insideBlock: number };

/** Type and message of an error, as in the API's error body. */
export interface ApiErrorFacts {
  readonly type: string;
  readonly message: string;
}

/** Where a reply breaks off, and how. Either the connection drops, the body ends, or an error event is sent. */
export type Cut = StreamPoint & { readonly how?: 'drop' | 'end' | ApiErrorFacts };

/** What a reply waits for, and where it waits: before its first byte, or at a point of its stream. */
export interface Hold {
  readonly until: Gate<ScriptContext> | PromiseLike<unknown>;
  readonly at?: StreamPoint;
}

interface ReplyCourse {
  readonly headers?: Readonly<Record<string, string>>;
  /** The delay before the first byte, in milliseconds. */
  readonly delayMs?: number;
  readonly hold?: Hold;
  readonly cut?: Cut;
}

/** A message of the model. It is sent as a stream or whole, as the request asks. */
export interface MessageReply extends ReplyCourse {
  readonly blocks: readonly ReplyBlock[];
  readonly usage?: ReplyUsage;
  /** Why the model stopped. Default: `tool_use` if there is such a block, otherwise `end_turn`. */
  readonly stopReason?: string;
  readonly stopSequence?: string;
  /** The model's name in the reply. Default: the one in the request. */
  readonly model?: string;
  /** The delay between two events of the stream, in milliseconds. */
  readonly eventDelayMs?: number;
  /** How many `ping` events follow the first event. Default 1, as in the API. */
  readonly pings?: number;
}

/** Any HTTP answer: an error, a token count, or something that does not follow the API. */
export interface RawReply extends ReplyCourse {
  readonly status: number;
  /** The body of the answer. A string is sent as it is, and any other value as JSON. */
  readonly body: unknown;
}

/** What a scripted model answers to one request. */
export type Reply = MessageReply | RawReply;

/** One answer of a scripted model. A function gets the request. If it throws, `verify()` throws too. */
export type Step = Reply | ((context: ModelContext) => Reply | Promise<Reply>);

/** A text block. Each entry of a list is streamed as one delta. */
export function text(content: string | readonly string[]): MessageReply {
  return { blocks: [{ type: 'text', text: content }] };
}

/** A thinking block. Use `reply()` to put it before a text or a tool call. */
export function thinking(content: string | readonly string[], signature = 'c2NyaXB0ZWQ='): MessageReply {
  return { blocks: [{ type: 'thinking', thinking: content, signature }] };
}

/** A tool call. The name is the one that the model sees, such as `mcp__server__tool`. */
export function toolUse(
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: ToolUseOptions = {},
): MessageReply {
  return { blocks: [{ type: 'tool_use', name, input, ...options }] };
}

/** The answer to a prompt with an output schema. It ends the turn, even if the CLI asks the model once more. */
export function structuredOutput(value: Readonly<Record<string, unknown>>): MessageReply {
  return { blocks: [{ type: 'tool_use', name: 'StructuredOutput', input: value, isOutput: true }] };
}

/** Any other content block, such as `redacted_thinking` or `server_tool_use`, sent as it is. */
export function block(content: Readonly<Record<string, unknown> & { type: string }>): MessageReply {
  return { blocks: [{ type: 'raw', block: content }] };
}

/**
 * Joins parts into one message. Blocks stay in order, token counts are merged, and of all other fields the last value
 * counts.
 */
export function reply(...parts: readonly Partial<MessageReply>[]): MessageReply {
  const joined = Object.assign({}, ...parts) as Partial<MessageReply>;
  const usages = parts.flatMap((part) => part.usage ?? []);
  return {
    ...joined,
    blocks: parts.flatMap((part) => part.blocks ?? []),
    ...(usages.length > 0 && { usage: Object.assign({}, ...usages) as ReplyUsage }),
  };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/**
 * An error in the form of the API. By default its type follows from the status. `retryAfter` is in seconds. A repeated
 * request takes another step of the script. The CLI repeats requests after 401, 408, 409, 429 and 5xx.
 * After a 400, CLI 2.1.325 asks up to twice more, with fewer beta features each time.
 */
export function apiError(
  status: number,
  more: Partial<ApiErrorFacts> & {
    readonly retryAfter?: number;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): RawReply {
  const type = more.type ?? errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const message = more.message ?? `Scripted error ${status}`;
  return {
    status,
    headers: {
      ...(more.retryAfter !== undefined && { 'retry-after': String(more.retryAfter) }),
      ...more.headers,
    },
    body: { type: 'error', error: { type, message } },
  };
}

/** The status the API uses for an error of this type. */
export function statusOfErrorType(type: string): number {
  const known = Object.entries(errorTypes).find(([, name]) => name === type);
  return known === undefined ? 500 : Number(known[0]);
}

/** The same reply, cut off at a point. The connection drops, unless `how` says otherwise. */
export function cut<R extends Reply>(whole: R, at: Cut): R {
  return { ...whole, cut: at };
}

/** The same reply, `delayMs` milliseconds later. For tests that wait for something, use `held()`. */
export function delayed<R extends Reply>(late: R, delayMs: number): R {
  return { ...late, delayMs };
}

/**
 * The same reply, sent once a gate is open or a promise has resolved. With `at`, the stream starts at once and waits at
 * that point.
 */
export function held<R extends Reply>(waiting: R, hold: Hold['until'] | Hold): R {
  return { ...waiting, hold: 'until' in hold ? hold : { until: hold } };
}
