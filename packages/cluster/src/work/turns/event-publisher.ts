// Writes the messages of a turn into the journal as events, in order. Pieces of text are joined into about ten events a
// second. Everything else is written at once. If messages come faster than the journal takes them, several share a transaction.
// While too much is unwritten, `add` makes its caller wait.
import { isRecord } from '@inboard/core/util/guards.js';
import { measureJson } from '@inboard/core/util/measure-json.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { Journal } from '../../journal/journal.js';
import type { NewClusterEvent } from '../../journal/records.js';
import type { HeldLease } from '../host/held-lease.js';
import { eventOfMessage } from './turn-message.js';

export interface EventPublisherInput {
  journal: Journal;
  lease: HeldLease;
  turn: string;
  /** Called once if the events cannot be written, even after retries. */
  onFailure: (error: unknown) => void;
}

const TEXT_INTERVAL_MS = 100;
const MAX_BATCH = 200;
/** If more events than this are unwritten, `add` makes its caller wait. */
const MAX_WAITING = 1000;
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;

/** The events of one turn in one lease. */
export class EventPublisher {
  readonly #input: EventPublisherInput;
  #waiting: NewClusterEvent[] = [];
  #characters = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writtenAt = -Infinity;
  #isEnded = false;

  constructor(input: EventPublisherInput) {
    this.#input = input;
  }

  /** Adds a message. Of streamed events, only pieces of text are kept. Returns a promise if the caller should wait. */
  add(message: SDKMessage): Promise<void> | undefined {
    if (this.#isEnded) return undefined;
    const { turn } = this.#input;
    const text = message.type === 'stream_event' ? readPiece(message) : undefined;
    if (text !== undefined) this.#addText(text);
    else if (message.type !== 'stream_event') {
      this.#waiting.push(eventOfMessage(turn, message));
      // Large results count by their size, because a few of them are too much to hold.
      this.#characters += Math.max(1000, measureJson(message, MAX_WAITING_CHARACTERS));
    }
    this.#schedule();
    const isFull = this.#waiting.length > MAX_WAITING || this.#characters > MAX_WAITING_CHARACTERS;
    return isFull ? this.#writing : undefined;
  }

  /** Waits until everything added so far is written. */
  async settled(): Promise<void> {
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    while (!this.#isEnded && (this.#writing || this.#waiting.length > 0)) {
      if (!this.#writing) this.#begin();
      await this.#writing;
    }
  }

  /** Takes no more messages. Returns the unwritten events, which are written with the end of the turn. */
  async end(): Promise<NewClusterEvent[]> {
    this.#isEnded = true;
    clock.clearTimeout(this.#timer);
    await this.#writing;
    return this.#waiting.splice(0);
  }

  /** Takes no more messages, and writes the remaining events. */
  async flush(): Promise<void> {
    const rest = await this.end();
    if (rest.length > 0) await this.#write(rest);
  }

  #addText(text: string): void {
    const { turn } = this.#input;
    const last = this.#waiting.at(-1);
    if (last?.type === 'text') last.text += text;
    else this.#waiting.push({ turn, type: 'text', text });
    this.#characters += text.length;
  }

  #schedule(): void {
    if (this.#writing || this.#isEnded || this.#waiting.length === 0) return;
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const isTextAlone = this.#waiting.length === 1 && this.#waiting[0]?.type === 'text';
    const waitMs = isTextAlone ? this.#writtenAt + TEXT_INTERVAL_MS - clock.performance.now() : 0;
    if (waitMs > 0) {
      this.#timer = clock.setTimeout(() => {
        this.#timer = undefined;
        this.#begin();
      }, waitMs);
    } else this.#begin();
  }

  #begin(): void {
    if (this.#writing || this.#isEnded) return;
    // Writes one round of the event loop later, so that everything the CLI wrote together is one transaction.
    this.#writing = new Promise<void>((resolve) => {
      clock.setImmediate(resolve);
    })
      .then(() => {
        const batch = this.#waiting.splice(0, MAX_BATCH);
        if (this.#waiting.length === 0) this.#characters = 0;
        return batch.length === 0 ? undefined : this.#write(batch);
      })
      .catch((error: unknown) => {
        this.#isEnded = true;
        this.#waiting = [];
        this.#input.onFailure(error);
      })
      .finally(() => {
        this.#writing = undefined;
        this.#schedule();
      });
  }

  async #write(events: NewClusterEvent[]): Promise<void> {
    const { journal, lease } = this.#input;
    this.#writtenAt = clock.performance.now();
    const batch = randomUUID();
    await lease.write(() => journal.publish(lease.fence, events, batch));
  }
}

/** The piece of the answer's text in a streamed message. Undefined for anything else. */
function readPiece(message: Extract<SDKMessage, { type: 'stream_event' }>): string | undefined {
  if (message.parent_tool_use_id !== null) return undefined;
  const { event } = message as { event: unknown };
  const delta = isRecord(event) && event['type'] === 'content_block_delta' ? event['delta'] : undefined;
  if (!isRecord(delta) || delta['type'] !== 'text_delta' || typeof delta['text'] !== 'string')
    return undefined;
  return delta['text'];
}
