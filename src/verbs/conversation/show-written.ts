// The message of a turn that stands for a result which was written into the transcript while there was no CLI.
import type { Uuid } from '../../wire/protocol/messages/message-values.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import type { WrittenResult } from './completion/transcript-place.js';

/** As the CLI would have sent it, marked as synthetic. */
export function showWritten({ uuid, block }: WrittenResult, sessionId: string): SDKUserMessage {
  return {
    type: 'user',
    message: { role: 'user', content: [block] },
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid: uuid as Uuid,
    isSynthetic: true,
  } as unknown as SDKUserMessage;
}
