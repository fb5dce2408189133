// Converts between turns and messages of the CLI: makes the user's message of a turn, with its uuid in the transcript, and
// turns messages of the CLI into events.
import { userMessageOf, type UserContent } from '@inboard/core/live/input/user-message.js';
import type { SDKMessage, SDKUserMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { Uuid } from '@inboard/core/wire/protocol/messages/message-values.js';
import type { Json, NewClusterEvent, TurnRecord } from '../../journal/records.js';

/** The message of a turn as it is sent to the CLI. */
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
