// Which events are given in a short form, the same in every journal that shortens: large results of tools. What a person or a
// model wrote is read by people, and never shortened.
import { isRecord } from '../../util/guards.js';
import { isLarge } from './large-value.js';
import type { ClusterEventBody, Json, NewClusterEvent } from './records.js';
import { shortenJson } from './shorten-json.js';

type NewBody = Omit<Extract<NewClusterEvent, { type: 'message' }>, 'turn'>;

/** Whether an event is to be shortened. */
export function isToShorten(event: { type: string; message?: Json }): event is NewBody {
  return isRecord(event.message) && event.message['type'] === 'user' && isLarge(event.message);
}

/** The short form of an event whose JSON has so many characters. */
export function shortenEvent({ message }: NewBody, characters: number): Extract<ClusterEventBody, NewBody> {
  return { type: 'message', message: shortenJson(message), shortened: { characters } };
}
