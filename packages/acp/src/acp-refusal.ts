// The refusal of an editor's request: an error code of JSON-RPC or of the protocol, and a text that says what to do.
import { InboardError, SessionClosedError, SessionNotFoundError } from '@inboard/core/errors.js';
import { messageOf } from '@inboard/core/util/message-of.js';

/** The error codes of JSON-RPC and of the protocol itself. */
export const REFUSAL_CODES = {
  invalidParams: -32602,
  internal: -32603,
  loginNeeded: -32000,
  notFound: -32002,
} as const;

/** Says why a request is refused. The editor shows the message. */
export class AcpRefusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(kind: keyof typeof REFUSAL_CODES, message: string, data?: unknown) {
    super(message);
    this.name = 'Refusal';
    this.code = REFUSAL_CODES[kind];
    this.data = data;
  }
}

/** Turns any error into a refusal. */
export function refusalOf(error: unknown): AcpRefusal {
  if (error instanceof AcpRefusal) return error;
  if (!(error instanceof InboardError)) return new AcpRefusal('internal', messageOf(error));
  const facts = { code: error.code, retryable: error.retryable };
  if (error instanceof SessionNotFoundError) return new AcpRefusal('notFound', error.message, facts);
  if (error instanceof SessionClosedError) {
    return new AcpRefusal('internal', 'The session was closed. Open it again, or start a new one.', facts);
  }
  const isStart = error.phase === 'launch' || error.phase === 'handshake';
  const advice = isStart ? ' Run "npx inboard doctor" in a terminal to find out what is wrong.' : '';
  return new AcpRefusal('internal', `${error.message}${advice}`, facts);
}

/** Says how to log in, for people whose editor shows no terminal. */
export const EDITOR_LOGIN_ADVICE =
  'Run "claude" in a terminal and log in with /login, or set ANTHROPIC_API_KEY in the environment of this agent, in ' +
  "the editor's settings. Then start a new session.";
