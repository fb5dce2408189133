// The messages of a turn that no CLI has sent: results that were written into the transcript while there was none, and the end of a
// turn that somebody stopped meanwhile.
import { randomUUID } from '../../util/random-uuid.js';
import type { Uuid } from '../../wire/protocol/messages/message-values.js';
import type { SDKResultMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import type { WrittenResult } from './completion/transcript-place.js';

/** A result as the CLI would have sent it, marked as synthetic. */
export function showWritten(
  { uuid, block, toolUseResult }: WrittenResult,
  sessionId: string,
): SDKUserMessage {
  return {
    type: 'user',
    message: { role: 'user', content: [block] },
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid: uuid as Uuid,
    isSynthetic: true,
    ...(toolUseResult !== undefined && { tool_use_result: toolUseResult }),
  } as unknown as SDKUserMessage;
}

/** What the CLI says at the end of a turn that was interrupted; it used nothing. */
export function createStoppedResult(sessionId: string): SDKResultMessage {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: false,
    terminal_reason: 'aborted_tools',
    errors: [],
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    modelUsage: {},
    permission_denials: [],
    session_id: sessionId,
    uuid: randomUUID(),
  } as unknown as SDKResultMessage;
}
