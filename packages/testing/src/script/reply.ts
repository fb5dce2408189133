// The replies of a model, as plain data, and the functions that build them. The fake CLI and the scripted model share them
// as steps. `reply()` joins parts, and a part is itself a reply:
// `reply(thinking('Hm.'), text('Yes.'), { stopReason: 'max_tokens' })`.
import type { Gate } from './gate.js';
import type { ModelContext } from '../scripted-model/model-request.js';
import type { ScriptContext } from './script-context.js';

/** A content block of the assistant's message; where a text may be a list, each entry is one delta of the stream. */
export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string | readonly string[] }
  | { readonly type: 'thinking'; readonly thinking: string | readonly string[]; readonly signature: string }
  | ToolUseBlock
  | { readonly type: 'raw'; readonly block: Readonly<Record<string, unknown> & { type: string }> };

/** How a tool is called. */
export interface ToolUseOptions {
  /** The id of the call; made up when left out. */
  readonly id?: string;
  /** Scripted model only: the text to stream instead of the input's JSON, e.g. in other pieces, or broken. */
  readonly inputJson?: string | readonly string[];
  /** Fake CLI only. `auto` (default): asks if the real CLI would ask, given its arguments. `ask`: always asks. `skip`: never asks. */
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
  /** Whether this call is the answer of the turn: no step follows it, even if the CLI asks the model again. */
  readonly isOutput?: boolean;
}

/** Token counts as the API spells them; the defaults are 10 in, 5 out and nothing cached. */
export interface ReplyUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly [field: string]: unknown;
}

/**
 * A point in a reply's stream: after so many events (pings not counted; 0 is after the headers),
 * or after the first delta of the block with that index.
 */
export type StreamPoint = { readonly afterEvents: number } | { readonly insideBlock: number };

/** Type and message of an error, as in the API's error body. */
export interface ApiErrorFacts {
  readonly type: string;
  readonly message: string;
}

/** Where a reply breaks off, and how: the connection drops, the body ends, or an error event is sent. */
export type Cut = StreamPoint & { readonly how?: 'drop' | 'end' | ApiErrorFacts };

/** Until when a reply waits, and where: before its first byte, or at a point of its stream. */
export interface Hold {
  readonly until: Gate<ScriptContext> | PromiseLike<unknown>;
  readonly at?: StreamPoint;
}

interface ReplyCourse {
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  readonly hold?: Hold;
  readonly cut?: Cut;
}

/** A message of the model; streamed or whole, as the request asks. */
export interface MessageReply extends ReplyCourse {
  readonly blocks: readonly ReplyBlock[];
  readonly usage?: ReplyUsage;
  /** Default: `tool_use` if there is such a block, otherwise `end_turn`. */
  readonly stopReason?: string;
  readonly stopSequence?: string;
  /** Default: the model the request names. */
  readonly model?: string;
  /** Milliseconds between two events of the stream. */
  readonly eventDelayMs?: number;
  /** How many `ping` events follow the first event. Default 1, as in the API. */
  readonly pings?: number;
}

/** Any HTTP answer: an error, a token count, or something that does not follow the API. */
export interface RawReply extends ReplyCourse {
  readonly status: number;
  /** Text is sent as it is, anything else as JSON. */
  readonly body: unknown;
}

/** What a scripted model answers to one request. */
export type Reply = MessageReply | RawReply;

/** One answer of a scripted model. A function sees the request; what it throws fails the test at `verify()`. */
export type Step = Reply | ((context: ModelContext) => Reply | Promise<Reply>);

/** A text block; a list is streamed as one delta per entry. */
export function text(content: string | readonly string[]): MessageReply {
  return { blocks: [{ type: 'text', text: content }] };
}

/** A thinking block; put it before a text or a tool call with `reply()`. */
export function thinking(content: string | readonly string[], signature = 'c2NyaXB0ZWQ='): MessageReply {
  return { blocks: [{ type: 'thinking', thinking: content, signature }] };
}

/** A tool call; the name is the one the model sees, such as `mcp__server__tool`. */
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

/** Joins parts into one message: blocks stay in order, token counts are merged, and for everything else the last value counts. */
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
 * An error in the API's shape; the type follows from the status. `retryAfter` is in seconds. Every repetition
 * by the client takes a step of its own: the CLI repeats 401, 408, 409, 429 and 5xx, and 2.1.325 asks up to
 * twice more after a 400, with fewer beta features each time.
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

/** The same reply, cut off at a point; the connection drops unless `how` says otherwise. */
export function cut<R extends Reply>(whole: R, at: Cut): R {
  return { ...whole, cut: at };
}

/** The same reply, `delayMs` milliseconds later. For tests that wait for something, use `held()`. */
export function delayed<R extends Reply>(late: R, delayMs: number): R {
  return { ...late, delayMs };
}

/** The same reply, once a gate is open or a promise has settled; `at` lets the stream start and wait at that point. */
export function held<R extends Reply>(waiting: R, hold: Hold['until'] | Hold): R {
  return { ...waiting, hold: 'until' in hold ? hold : { until: hold } };
}
