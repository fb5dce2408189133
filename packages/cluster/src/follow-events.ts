// Reads the events of a conversation from a given place on, in any process: each event once, and in order, until the reader
// stops.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { requireShape, shape } from '@inboard/core/util/option-shapes.js';
import type { ClusterEventsOptions } from './cluster.js';
import type { ClusterCore } from './cluster-core.js';
import type { Journal } from './journal/journal.js';
import type { ClusterEvent, ConversationRecord } from './journal/records.js';
import type { OwnConversation } from './own-conversation.js';
import { readPatiently } from './patient-reader.js';

const BATCH = 500;

/** Where reading begins: after the event with this id, or after the newest event. */
export type EventStart = number | 'end';

/** Checks the place where reading begins. Throws an InvalidOptionsError if the value is not a place. */
export function readEventStart(after: unknown): EventStart {
  if (after === undefined || after === '') return 0;
  if (after === 'end') return after;
  requireShape('after', after, PLACE, { end: itIs });
  return Number(after);
}

const PLACE = shape('the id of an event, as a number or as text such as "12", or "end"', (value) => {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) >= 0;
});
const EVENT_ID = shape(
  'the id of an event, a whole number of at least 1',
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
);
const itIs = (value: unknown): string => `; it is ${stringifyDeep(value) ?? typeof value}`;

/** Reads one event, with nothing shortened. Throws an InvalidOptionsError if the id is wrong. */
export async function readWholeEvent(
  journal: Journal,
  { key, scope }: OwnConversation,
  id: number,
): Promise<ClusterEvent | undefined> {
  requireShape('id', id, EVENT_ID, { end: itIs });
  if (journal.readWhole) return await journal.readWhole(key, id, scope);
  // A journal without `readWhole` shortens nothing.
  const [event] = await journal.events(key, { after: id - 1, limit: 1, ...scope });
  return event?.id === id ? event : undefined;
}

export async function* followEvents(
  core: ClusterCore,
  own: OwnConversation,
  { place, signal }: { place: EventStart; signal: ClusterEventsOptions['signal'] },
): AsyncGenerator<ClusterEvent, undefined> {
  const watch = core.hub.watch((change) => change.key === own.key, signal);
  let begin = place;
  let reader: PlaceReader | undefined;
  try {
    while (!watch.isOver) {
      watch.settle();
      if (reader) {
        const { read } = reader;
        const events: ClusterEvent[] | undefined = await readPatiently(core, watch, read);
        if (events === undefined) return undefined;
        for (const event of events) {
          // The reading may have been ended while the consumer had the previous event.
          if (watch.isOver) return undefined;
          yield event;
        }
        if (events.length > 0) continue;
      } else {
        const found = await readPatiently(core, watch, (journal) => own.find(journal));
        if (found) {
          reader = new PlaceReader(own, found, beginAfter(begin, found));
          continue;
        }
        // The conversation does not exist yet, so its first event will be new.
        if (begin === 'end') begin = 0;
      }
      await watch.changed();
    }
    return undefined;
  } finally {
    watch.end();
  }
}

/**
 * Reads on after the event that it read last, and notices if that event is gone. A conversation that is created anew begins
 * again with event 1.
 */
class PlaceReader {
  readonly #own: OwnConversation;
  readonly #sessionId: string;
  #after: number;
  #last: ClusterEvent | undefined;

  constructor(own: OwnConversation, { sessionId }: ConversationRecord, after: number) {
    this.#own = own;
    this.#sessionId = sessionId;
    this.#after = after;
  }

  /** The next events. Undefined if the conversation no longer exists. */
  readonly read = async (journal: Journal): Promise<ClusterEvent[] | undefined> => {
    const { key, scope } = this.#own;
    const after = this.#after;
    // Reads the last known event again. To compare that event costs less than to ask for the conversation as well.
    const rows = await journal.events(key, { after: Math.max(after - 1, 0), limit: BATCH, ...scope });
    const again = rows[0]?.id === after ? rows[0] : undefined;
    const isKnown = again !== undefined && this.#last !== undefined;
    const isSame = isKnown
      ? areSame(again, this.#last)
      : (await journal.conversation(key))?.sessionId === this.#sessionId;
    if (!isSame) return undefined;
    this.#last = rows.at(-1) ?? this.#last;
    this.#after = Math.max(after, this.#last?.id ?? 0);
    return again ? rows.slice(1) : rows;
  };
}

function areSame(one: ClusterEvent, other: ClusterEvent | undefined): boolean {
  return (
    one.at === other?.at && one.turn === other.turn && one.type === other.type && one.epoch === other.epoch
  );
}

/**
 * Finds the id to read after. A place behind the last event belongs to an earlier conversation with this key, so reading begins
 * with the first event.
 */
function beginAfter(place: EventStart, { lastEventId }: ConversationRecord): number {
  if (place === 'end') return lastEventId;
  return place > lastEventId ? 0 : place;
}
