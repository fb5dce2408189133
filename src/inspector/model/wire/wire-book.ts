// Keeps the rows of the wire view.
import type { NumberedEvent } from '../../stream/inspector-event.js';

/** One session's. */
export class WireBook {
  push(_event: NumberedEvent): void {}
}
