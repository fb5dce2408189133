// Counts the turns of a session. A turn begins with its prompt, or with the first message of the model if the prompt was not
// seen, and counts from then on. It ends with its result.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { InspectorEvent } from '../../stream/inspector-event.js';

/** The turns of one session. */
export class TurnCounter {
  /** How many turns have begun. */
  begun = 0;
  /** Whether a turn has begun and has no result yet. */
  isOpen = false;
  /** Whether the last event began a turn. */
  hasBegun = false;
  /** Whether the last turn began with its prompt, so that its beginning was seen. */
  isPrompted = false;
  /** Whether the CLI ended during the turn. The next prompt then begins another; without one, the turn continues. */
  #isCut = false;

  push(event: InspectorEvent): void {
    this.hasBegun = false;
    switch (event.type) {
      case 'frame':
        if (isRecord(event.frame)) this.#observe(event.frame, event.dir === 'out' ? 'out' : 'in');
        break;
      case 'pieces':
        if (event.parent === null) this.#work();
        break;
      case 'header':
      case 'end':
        this.#isCut = this.isOpen;
        break;
      case 'over':
        this.isOpen = false;
        break;
      default:
    }
  }

  #observe(frame: WireObject, dir: 'in' | 'out'): void {
    const isMain = asString(frame['parent_tool_use_id']) === undefined;
    if (dir === 'out') {
      if (isMain && isPrompt(frame) && (!this.isOpen || this.#isCut)) this.#begin(true);
      return;
    }
    switch (frame['type']) {
      case 'system':
        if (frame['subtype'] === 'init') this.#work();
        break;
      case 'assistant':
      case 'stream_event':
        if (isMain) this.#work();
        break;
      case 'result':
        this.#work();
        this.isOpen = false;
        break;
      default:
    }
  }

  /** Takes a sign that a turn is under way. */
  #work(): void {
    this.#isCut = false;
    if (!this.isOpen) this.#begin(false);
  }

  #begin(isPrompted: boolean): void {
    this.begun += 1;
    this.isPrompted = isPrompted;
    this.isOpen = true;
    this.hasBegun = true;
    this.#isCut = false;
  }
}

/** Whether a message to the CLI is a prompt, and not only results of calls. */
function isPrompt(frame: WireObject): boolean {
  if (frame['type'] !== 'user') return false;
  const blocks = blocksOf(frame);
  return blocks.length === 0 || blocks.some(({ type }) => type !== 'tool_result');
}
