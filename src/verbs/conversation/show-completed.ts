// The messages that stand for calls which were completed while there was no CLI: every surface shows the call by its message, once.
import type { CompletedCall } from '../../wire/protocol/messages/completed-call.js';
import type { Uuid } from '../../wire/protocol/messages/message-values.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import type { WrittenResult } from './completion/transcript-place.js';
import type { CompletedCalls } from './conversation-parts.js';

/** A completed call, as a message of its session. */
export interface ShownCall {
  readonly message: SDKUserMessage;
  /** Whether the CLI has its result; where it has none, the message is empty, and only tells what became of the call. */
  readonly isDelivered: boolean;
}

/** One message for each call, with its result as the CLI would have sent it, marked as completed. */
export function showCompleted({ calls, written }: CompletedCalls, sessionId: string): ShownCall[] {
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
    isSynthetic: true,
    completed: call,
  } as unknown as SDKUserMessage;
}
