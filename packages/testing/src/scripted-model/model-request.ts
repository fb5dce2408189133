// One HTTP request as tests see it. It is read in `read-request.ts`, and its kind decided in `classify-request.ts`.
import type { IncomingHttpHeaders } from 'node:http';
import type { ScriptContext } from '../script/script-context.js';

/** The kind of a request; only `conversation` takes steps of the script. */
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

/** A result of a tool call that is new in this request. */
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

/** A request the model received. All fields are present even for requests without a body, only empty. */
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

/** The argument of a step that is a function. */
export interface ModelContext extends ModelRequest, ScriptContext {}

/** The parts of a request that depend on its bytes alone. */
export type ReceivedRequest = Omit<ModelRequest, 'index' | 'kind' | 'outcome' | 'settled'>;
