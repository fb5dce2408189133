// Checks whether the content of a successful answer follows the protocol, and describes the problem. `question-list`
// checks the rest of an answer, and `fake-run` checks all other lines.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';

/** The name of a request in a message about a problem. */
export function nameRequest(request: WireObject): string {
  const subtype = String(request['subtype']);
  const { message } = request;
  if (subtype === 'mcp_message' && isRecord(message)) return `mcp_message ${String(message['method'])}`;
  if (subtype === 'can_use_tool') return `can_use_tool ${String(request['tool_name'])}`;
  return subtype;
}

/** A value as JSON, cut to the length that fits a message about a problem. */
export function shortenValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What is wrong with a successful answer, as the end of a sentence. Undefined if nothing is wrong. */
export function findAnswerProblem(
  request: WireObject,
  response: unknown,
  isStrict: boolean,
): string | undefined {
  switch (request['subtype']) {
    case 'can_use_tool':
      return findDecisionProblem(response, isStrict);
    case 'mcp_message':
      return findAnswerProblemMcpAnswer(request['message'], response);
    case 'hook_callback':
      return response === undefined || isRecord(response) ? undefined : 'is not an object';
    case 'elicitation':
      return isRecord(response) && ['accept', 'decline', 'cancel'].includes(String(response['action']))
        ? undefined
        : 'has no action that is accept, decline or cancel';
    default:
      return undefined;
  }
}

function findDecisionProblem(response: unknown, isStrict: boolean): string | undefined {
  if (!isRecord(response)) return 'is not an object';
  const { behavior, updatedInput, message, interrupt } = response;
  if (updatedInput === null || interrupt === null) return 'has a null key, which the CLI refuses';
  if (isStrict) {
    const empty = Object.keys(response).find((key) => response[key] === null);
    if (empty !== undefined) return `has "${empty}": null`;
  }
  if (behavior === 'deny') return typeof message === 'string' ? undefined : 'denies without a message';
  if (behavior !== 'allow') return 'is neither allow nor deny';
  if (updatedInput === undefined) {
    return isStrict ? 'allows without updatedInput, which older CLIs refuse' : undefined;
  }
  return isRecord(updatedInput) ? undefined : 'has an updatedInput that is not an object';
}

function findAnswerProblemMcpAnswer(message: unknown, response: unknown): string | undefined {
  if (!isRecord(response)) return 'has no response, which makes the CLI give up on the server';
  const asked = isRecord(message) ? message : {};
  const answer = response['mcp_response'];
  // The acknowledgement of a notification may have any content.
  if (asked['id'] === undefined || asked['method'] === undefined) return undefined;
  if (!isRecord(answer)) return 'has no mcp_response';
  if (answer['jsonrpc'] !== '2.0') return 'is not JSON-RPC 2.0';
  if (answer['id'] !== asked['id']) return `has a JSON-RPC id other than ${shortenValue(asked['id'])}`;
  const { result, error } = answer;
  if ((result === undefined) === (error === undefined)) return 'must have either a result or an error';
  if (result !== undefined) return isRecord(result) ? undefined : 'has a result that is not an object';
  return isRecord(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string'
    ? undefined
    : 'has an error without a code and a message';
}
