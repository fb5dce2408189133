// Keeps the spans of a session and where its time went.
import type { NumberedEvent } from '../../stream/inspector-event.js';

/** One session's. */
export class TimeBook {
  push(_event: NumberedEvent): void {}
}
