// Creates one message for each call that was completed while there was no CLI. Readers, inspectors and traces show the call by
// this message.
import { randomUUID } from '../../util/random-uuid.js';
import type { CompletedCall } from '../../wire/protocol/messages/completed-call.js';
import type { Uuid } from '../../wire/protocol/messages/message-values.js';
import type { SDKResultMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import type { Completion, WrittenResult } from './completion/completion.js';

/** A completed call, as a message of its session. */
export interface ShownCall {
  readonly message: SDKUserMessage;
  /** Whether the CLI finds the result in its transcript. Otherwise the message only says, in `completed`, what became of it. */
  readonly isDelivered: boolean;
}

/** Returns one message for each call, with its result as the CLI would have sent it. The field `completed` marks it. */
export function showCompleted(
  { calls, written }: Pick<Completion, 'calls' | 'written'>,
  sessionId: string,
): ShownCall[] {
  const results = new Map(written.map((result) => [result.toolUseId, result]));
  return calls.map((call) => {
    const result = results.get(call.toolUseId);
    return { message: showCall(call, result, sessionId), isDelivered: result !== undefined };
  });
}

function showCall(call: CompletedCall, result: WrittenResult | undefined, sessionId: string): SDKUserMessage {
  return {
    type: 'user',
    message: { role: 'user', content: result ? [result.block] : [] },
    parent_tool_use_id: null,
    session_id: sessionId,
    ...(result && { uuid: result.uuid as Uuid }),
    ...(result?.toolUseResult !== undefined && { tool_use_result: result.toolUseResult }),
    isSynthetic: true,
    completed: call,
  } as unknown as SDKUserMessage;
}

/** The result message of a turn that was interrupted, as the CLI would write it. It used no tokens. */
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
