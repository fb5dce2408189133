// Keeps tokens and money, by turn, model and subagent.
import type { NumberedEvent } from '../../stream/inspector-event.js';

/** One session's. */
export class CostBook {
  push(_event: NumberedEvent): void {}
}
