// A refused request: a status, a code for programs, and a sentence for people.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';

/** Thrown inside the chat. `fetch` turns it into a response, and `open` turns it into an InvalidOptionsError. */
export class ChatRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the response, for programs. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.details = details;
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The refusal of a wrong body. `field` names the wrong part. */
export function badRequest(field: string, problem: string): ChatRefusal {
  return new ChatRefusal(400, 'BAD_REQUEST', `${field}: ${problem}`);
}

/** The refusal of a message while a question is open. */
export function approvalWaits(): ChatRefusal {
  return new ChatRefusal(
    409,
    'APPROVAL_WAITS',
    'The agent is waiting for an approval, so this message was not sent. Answer the question or stop the answer, and send the message again.',
  );
}

/** The refusal of a message while the agent answers another one. `isContinued` says that a restart had cut that answer off. */
export function turnRuns(isContinued: boolean): ChatRefusal {
  const what = isContinued
    ? 'The agent goes on with an answer that a restart had cut off, so this message was not sent. Load the page again to see the answer'
    : 'The agent is still answering, so this message was not sent';
  return new ChatRefusal(
    409,
    'TURN_RUNNING',
    `${what}. Send the message again when the answer has ended, or stop the answer first.`,
  );
}

/** The refusal of a page's answers to an answer of the agent that is over, or that another one has followed. */
export function nothingToContinue(): ChatRefusal {
  return new ChatRefusal(
    409,
    'NOTHING_TO_CONTINUE',
    'This answer is no longer waiting for anything. Reload the conversation, or send a new message.',
  );
}

/** The refusal of a request that the server is too late for, because it closes. */
export function serverCloses(): ChatRefusal {
  return new ChatRefusal(503, 'CLOSED', 'This server is shutting down. Please try again.');
}

/** The refusal of a request to a chat whose session another process has. */
export function runningElsewhere(): ChatRefusal {
  return new ChatRefusal(
    409,
    'SESSION_RUNNING',
    'This conversation is open in another server. Answer there, or try again when that server has left it.',
    { 'retry-after': '5' },
  );
}

/** A JSON response that browsers and proxies do not store. */
export function respondWithJson(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(stringifyDeep(value), {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });
}

/** The response for a refusal. */
export function respondWithRefusal({ status, code, message, headers, details }: ChatRefusal): Response {
  return respondWithJson(status, { code, message, ...details }, headers);
}
