// Keeps servers, tools and their calls.
import type { NumberedEvent } from '../../stream/inspector-event.js';

/** One session's. */
export class ToolBook {
  push(_event: NumberedEvent): void {}
}
