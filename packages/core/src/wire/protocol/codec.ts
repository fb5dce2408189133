// Decodes a line into a frame. Decoding never throws: a line that cannot be read becomes a `malformed` frame with the
// reason. The channel decides what to do with a frame; `encode-frame` does the opposite.
import { isRecord } from '../../util/guards.js';

/** An object from the wire whose fields have not been checked. */
export type WireObject = Record<string, unknown>;

/** A decoded line. */
export type Frame =
  | { kind: 'message'; message: WireObject }
  | { kind: 'request'; requestId: string; request: WireObject }
  | { kind: 'success'; requestId: string; response: unknown; pending: WireObject[] }
  | {
      kind: 'failure';
      requestId: string;
      error: string;
      errorCode: string | undefined;
      pending: WireObject[];
    }
  | { kind: 'cancel'; requestId: string }
  | { kind: 'keep-alive' }
  | { kind: 'malformed'; reason: string };

/** The fields of a reply that list the CLI's open requests. */
const PENDING_KEYS = [
  'pending_permission_requests',
  'pending_user_dialog_requests',
  'pending_elicitation_requests',
] as const;

/** Decodes one line. An object with an unknown or missing `type` is a message, because newer CLIs send new types. */
export function decodeFrame(line: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { kind: 'malformed', reason: `it is not JSON (${(error as Error).message})` };
  }
  return frameOf(value);
}

/**
 * A line without the NUL bytes around it; undefined if there are none. A writer that died or was restarted leaves such
 * bytes between whole lines. NUL bytes inside a line are kept, because they mean that the line is damaged.
 */
export function withoutPadding(line: string): string | undefined {
  let start = 0;
  let end = line.length;
  while (start < end && isPadding(line.charCodeAt(start))) start += 1;
  while (end > start && isPadding(line.charCodeAt(end - 1))) end -= 1;
  const isPadded = line.lastIndexOf('\0', start) !== -1 || line.indexOf('\0', end) !== -1;
  return isPadded ? line.slice(start, end) : undefined;
}

/** Decodes a value that is already parsed, like `decodeFrame`. */
export function frameOf(value: unknown): Frame {
  if (!isRecord(value)) return { kind: 'malformed', reason: 'it is JSON, but not an object' };
  switch (value['type']) {
    case 'control_request': {
      const requestId = value['request_id'];
      if (typeof requestId !== 'string')
        return { kind: 'malformed', reason: 'a control_request without request_id' };
      // A request without a body has an id, so it must be answered. Its empty body is refused for the missing subtype.
      return { kind: 'request', requestId, request: isRecord(value['request']) ? value['request'] : {} };
    }
    case 'control_response':
      return responseFrame(value);
    case 'control_cancel_request':
      return typeof value['request_id'] === 'string'
        ? { kind: 'cancel', requestId: value['request_id'] }
        : { kind: 'malformed', reason: 'a control_cancel_request without request_id' };
    case 'keep_alive':
      return { kind: 'keep-alive' };
    default:
      return { kind: 'message', message: value };
  }
}

// White space and a byte order mark may be between the NUL bytes.
function isPadding(code: number): boolean {
  return code === 0 || code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xfeff;
}

function responseFrame(value: WireObject): Frame {
  const body = value['response'];
  if (!isRecord(body) || typeof body['request_id'] !== 'string') {
    return { kind: 'malformed', reason: 'a control_response without a request_id' };
  }
  const requestId = body['request_id'];
  const pending: WireObject[] = [];
  for (const key of PENDING_KEYS) {
    const list = body[key];
    // The entries are added one by one: a very long list as arguments of one `push` would overflow the stack.
    if (Array.isArray(list)) for (const entry of list) if (isRecord(entry)) pending.push(entry);
  }
  if (body['subtype'] === 'success') {
    return { kind: 'success', requestId, response: body['response'], pending };
  }
  const error = typeof body['error'] === 'string' ? body['error'] : '';
  const errorCode = typeof body['error_code'] === 'string' ? body['error_code'] : undefined;
  return { kind: 'failure', requestId, error, errorCode, pending };
}
