// Encodes messages, requests and answers as lines. `codec` does the opposite.
import { WireError } from '../../errors.js';
import { stringifyDeep } from '../../util/deep-json.js';
import { writeJsonSlowly } from '../../util/walk-json.js';

/** Encodes a message as a line; throws a WireError if it cannot be written as JSON. */
export function encodeMessage(message: unknown): string {
  return stringify(message, 'a message');
}

/** Encodes a control request. */
export function encodeRequest(requestId: string, request: object): string {
  return `{"request_id":${JSON.stringify(requestId)},"type":"control_request","request":${stringify(request, 'a control request')}}`;
}

/** Encodes the cancellation of a control request that is still open. */
export function encodeCancel(requestId: string): string {
  return `{"type":"control_cancel_request","request_id":${JSON.stringify(requestId)}}`;
}

/** Encodes the answer to a control request. If the answer is undefined, the line has no `response` key. */
export function encodeSuccess(requestId: string, response: unknown): string {
  const id = JSON.stringify(requestId);
  if (response === undefined) {
    return `{"type":"control_response","response":{"subtype":"success","request_id":${id}}}`;
  }
  return `{"type":"control_response","response":{"subtype":"success","request_id":${id},"response":${stringify(response, 'an answer')}}}`;
}

/** Like `encodeSuccess`, for a long answer. It works in pieces, so that the process can do other things in between. */
export async function encodeSuccessSlowly(requestId: string, response: unknown): Promise<string> {
  try {
    const pieces = await writeJsonSlowly(response);
    const id = JSON.stringify(requestId);
    pieces.unshift(
      `{"type":"control_response","response":{"subtype":"success","request_id":${id},"response":`,
    );
    pieces.push('}}');
    return pieces.join('');
  } catch (cause) {
    throw unencodable('an answer', cause);
  }
}

/** Encodes an error as the answer to a control request. */
export function encodeFailure(requestId: string, error: string, errorCode?: string): string {
  return JSON.stringify({
    type: 'control_response',
    response: {
      subtype: 'error',
      request_id: requestId,
      error,
      ...(errorCode === undefined ? {} : { error_code: errorCode }),
    },
  });
}

function stringify(value: unknown, what: string): string {
  let text: string | undefined;
  try {
    text = stringifyDeep(value);
  } catch (cause) {
    throw unencodable(what, cause);
  }
  if (text === undefined)
    throw new WireError('UNENCODABLE', `Cannot write ${what} as JSON: it is ${typeof value}`);
  return text;
}

function unencodable(what: string, cause: unknown): WireError {
  return new WireError('UNENCODABLE', `Cannot write ${what} as JSON: ${(cause as Error).message}`, { cause });
}
