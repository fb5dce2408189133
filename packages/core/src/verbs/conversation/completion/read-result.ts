// Reads the result of a call from a server's answer.
import type { McpAnswer } from '../../../answer/mcp/answer-mcp-message.js';
import { isRecord } from '../../../util/guards.js';
import { isPlainJson } from '../../../util/plain-json.js';
import type { RecordedResult } from '../../../wire/protocol/config/call-records.js';

/** The result as plain JSON. An error of the protocol counts as an error of the tool. */
export function readRecordedResult({ mcp_response: reply }: McpAnswer): RecordedResult {
  const { result, error } = isRecord(reply) ? reply : {};
  if (isRecord(result))
    return (isPlainJson(result) ? result : JSON.parse(JSON.stringify(result))) as RecordedResult;
  const message =
    isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'Unknown error';
  return { content: [{ type: 'text', text: message }], isError: true };
}
