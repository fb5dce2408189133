// A refused request: a status, a code for programs, and a sentence for people.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';

/** Thrown inside the chat. `fetch` turns it into a response, and `open` turns it into an InvalidOptionsError. */
export class ChatRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
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
export function respondWithRefusal({ status, code, message, headers }: ChatRefusal): Response {
  return respondWithJson(status, { code, message }, headers);
}
