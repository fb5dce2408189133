// The types of an HTTP request as tests see it. `read-request.ts` reads a request, and `classify-request.ts` decides
// its kind.
import type { IncomingHttpHeaders } from 'node:http';
import type { ScriptContext } from '../script/script-context.js';

/** The kind of a request. Only requests of the kind `conversation` take steps of the script. */
export type RequestKind = 'conversation' | 'side' | 'count_tokens' | 'probe' | 'unknown';

/**
 * How the answer to a request ended. `failed`: a function of the script threw. `unexpected`: nothing was scripted for
 * the request.
 */
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

/** A result of a tool call that is new in this request. */
export interface RequestToolResult {
  readonly toolUseId: string;
  readonly isError: boolean;
  /** The text of the result. Other content is in `content`. */
  readonly text: string;
  readonly content: unknown;
}

/** The parsed body. These are the usual fields, but none of them is guaranteed. */
export interface RequestBody {
  readonly model?: string;
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly messages?: readonly RequestMessage[];
  readonly system?: string | readonly RequestBlock[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** A request the model received. For requests without a body, all fields are present too, but some are empty. */
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
  /** The parsed body. `{}` if the body is not a JSON object. */
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
  /** The id of the CLI's session, if the request names one. */
  readonly sessionId: string | undefined;
  /** How the answer ended. Undefined while it is being sent. */
  readonly outcome: RequestOutcome | undefined;
  /** Resolves with the outcome. It never rejects. */
  readonly settled: Promise<RequestOutcome>;
}

/** The argument of a step that is a function. */
export interface ModelContext extends ModelRequest, ScriptContext {}

/** The parts of a request that depend on its bytes alone. */
export type ReceivedRequest = Omit<ModelRequest, 'index' | 'kind' | 'outcome' | 'settled'>;
