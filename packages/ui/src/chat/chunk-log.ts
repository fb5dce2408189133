// The chunks of one answer, numbered, for any number of readers. Each reader may begin at any place. The pieces of a text are
// joined. The latest chunks are in memory and older ones in a file, so an answer without readers takes a bounded amount of
// memory.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { NumberedLog, type LogFiles } from '@inboard/core/util/queues/numbered-log.js';
import type { UiChunk } from '../stream/ui-chunk.js';

/** Pieces are joined until a chunk has this many characters. */
const MOST_JOINED = 4096;
const ENTRIES_AT_ONCE = 200;

type TextDelta = Extract<UiChunk, { type: 'text-delta' | 'reasoning-delta' }>;
type InputDelta = Extract<UiChunk, { type: 'tool-input-delta' }>;

/** Where a reader is: after the entry `after`, and after `offset` characters of the next entry. */
export interface LogPlace {
  after: number;
  offset: number;
}

/** The place before the first entry. */
export const LOG_START: LogPlace = { after: 0, offset: 0 };

/** The entry to which pieces of text are still added. */
interface Tail {
  n: number;
  chunk: TextDelta | InputDelta;
}

/** The log of one answer. The answer removes it. */
export class ChunkLog {
  readonly #log: NumberedLog;
  #last = 0;
  #tail: Tail | undefined;
  #change: Deferred<void> = createQuietDeferred();

  constructor(folder: LogFiles, name: string, onLost: (cause: unknown) => void) {
    this.#log = new NumberedLog(folder, name, onLost);
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last;
  }

  /** How many characters of entries are kept in memory. */
  get restingCharacters(): number {
    return this.#log.restingCharacters;
  }

  /** Settles with the next change. Get it before you read the log, so that no change is missed. */
  get change(): Promise<void> {
    return this.#change.promise;
  }

  append(chunk: UiChunk): void {
    if (isDelta(chunk)) this.#join(chunk);
    else {
      this.#flush();
      this.#last += 1;
      this.#log.append(this.#last, stringifyDeep(chunk) as string);
    }
    this.wake();
  }

  /** Tells readers to look again. */
  wake(): void {
    const change = this.#change;
    this.#change = createQuietDeferred();
    change.resolve();
  }

  /** The chunks after a place, as JSON, and the place after them. Undefined if entries were lost. */
  async read(place: LogPlace): Promise<{ chunks: string[]; place: LogPlace } | undefined> {
    // The tail is copied before the wait, because it may become an ordinary entry during the wait.
    const tail = this.#tail && { n: this.#tail.n, chunk: { ...this.#tail.chunk } };
    const { events, lostUntil } = await this.#log.read(place.after, ENTRIES_AT_ONCE);
    if (lostUntil !== undefined) return undefined;
    let { after, offset } = place;
    const chunks: string[] = [];
    for (const { n, json } of events) {
      const rest = offset > 0 ? cut(JSON.parse(json) as UiChunk, offset) : json;
      if (rest !== undefined) chunks.push(rest);
      after = n;
      offset = 0;
    }
    if (tail?.n === after + 1) {
      const rest = cut(tail.chunk, offset);
      if (rest !== undefined) chunks.push(rest);
      offset = textOf(tail.chunk).length;
    }
    return { chunks, place: { after, offset } };
  }

  /** Notes that nothing more is added. Entries may then leave the memory. */
  end(): void {
    this.#flush();
    this.#log.rest();
    this.wake();
  }

  remove(): void {
    this.#log.remove();
    this.wake();
  }

  #join(chunk: TextDelta | InputDelta): void {
    const tail = this.#tail;
    if (tail && isSamePart(tail.chunk, chunk) && textOf(tail.chunk).length < MOST_JOINED) {
      tail.chunk = withText(tail.chunk, textOf(tail.chunk) + textOf(chunk));
      return;
    }
    this.#flush();
    this.#last += 1;
    this.#tail = { n: this.#last, chunk };
  }

  #flush(): void {
    if (this.#tail) this.#log.append(this.#tail.n, JSON.stringify(this.#tail.chunk));
    this.#tail = undefined;
  }
}

function isDelta(chunk: UiChunk): chunk is TextDelta | InputDelta {
  return chunk.type === 'text-delta' || chunk.type === 'reasoning-delta' || chunk.type === 'tool-input-delta';
}

function isSamePart(one: TextDelta | InputDelta, other: TextDelta | InputDelta): boolean {
  return one.type === other.type && partOf(one) === partOf(other);
}

function partOf(chunk: TextDelta | InputDelta): string {
  return chunk.type === 'tool-input-delta' ? chunk.toolCallId : chunk.id;
}

function textOf(chunk: TextDelta | InputDelta): string {
  return chunk.type === 'tool-input-delta' ? chunk.inputTextDelta : chunk.delta;
}

function withText<Chunk extends TextDelta | InputDelta>(chunk: Chunk, text: string): Chunk {
  return { ...chunk, [chunk.type === 'tool-input-delta' ? 'inputTextDelta' : 'delta']: text };
}

/** The rest of a chunk after `offset` characters, as JSON. Undefined if nothing is left. */
function cut(chunk: UiChunk, offset: number): string | undefined {
  if (!isDelta(chunk)) return stringifyDeep(chunk);
  const text = textOf(chunk).slice(offset);
  return text === '' ? undefined : JSON.stringify(withText(chunk, text));
}
