// The user's message of a turn, under the id by which the transcript shows whether it was sent before; and what the CLI says, as events.
import { userMessageOf, type UserContent } from '@inboard/core/live/input/user-message.js';
import type { SDKMessage, SDKUserMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { Uuid } from '@inboard/core/wire/protocol/messages/message-values.js';
import type { Json, NewClusterEvent, TurnRecord } from '../../journal/records.js';

/** The message as the CLI is sent it. */
export function messageOfTurn({ content, uuid }: TurnRecord): SDKUserMessage & { uuid: Uuid } {
  const base = userMessageOf(typeof content === 'string' ? content : '');
  if (typeof content === 'string') return { ...base, uuid: uuid as Uuid };
  return {
    ...base,
    message: { role: 'user', content: content as unknown as UserContent },
    uuid: uuid as Uuid,
  };
}

/** A message of the CLI as an event of a turn. */
export function eventOfMessage(turn: string, message: SDKMessage): NewClusterEvent {
  return { turn, type: 'message', message: message as unknown as Json };
}
