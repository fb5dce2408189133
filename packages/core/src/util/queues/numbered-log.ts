// Keeps numbered entries for readers that begin at any number. The latest entries are in memory, and all earlier ones are
// in a file with a sparse index. So the memory for entries does not grow with their number.
import { disk } from '../system/disk.js';

/** Gives the path of a log's file. Throws if it cannot be made. */
export interface LogFiles {
  fileOf(name: string): string;
}

/** A kept entry: its number and its JSON. */
export interface KeptEvent {
  n: number;
  json: string;
}

/** The most characters of entries in memory. If there are more, the older entries go to the file. */
const MOST_RESTING = 256 * 1024;
/** About how many characters then stay in memory. They are the entries that a listening page reads next. */
const LEAST_RESTING = 64 * 1024;
/** When an answer to a reader has this many characters, it ends. The reader then asks for more. */
const MOST_READ = 4 * 1024 * 1024;

/** A run of entries in the file. */
interface Segment {
  first: number;
  last: number;
  offset: number;
  bytes: number;
}

/** The entries of one log. The code that makes the log removes it. */
export class NumberedLog {
  readonly #folder: LogFiles;
  readonly #name: string;
  readonly #onLost: (cause: unknown) => void;
  readonly #segments: Segment[] = [];
  #resting: KeptEvent[] = [];
  #restingCharacters = 0;
  #size = 0;
  #descriptor: number | undefined;
  #path: string | undefined;
  #fileBytes = 0;
  /** Entries up to this number could not be kept; 0 if all could be kept. */
  #lostUntil = 0;

  /** `onLost` is called once, when entries can no longer be written to the file. */
  constructor(folder: LogFiles, name: string, onLost: (cause: unknown) => void) {
    this.#folder = folder;
    this.#name = name;
    this.#onLost = onLost;
  }

  /** The number of all entries. */
  get size(): number {
    return this.#size;
  }

  /** The characters of entries in memory. */
  get restingCharacters(): number {
    return this.#restingCharacters;
  }

  append(n: number, json: string): void {
    this.#size += 1;
    this.#resting.push({ n, json });
    this.#restingCharacters += json.length;
    if (this.#restingCharacters > MOST_RESTING) this.#spill(LEAST_RESTING);
  }

  /** The next entries after a number, as many as fit. If some were lost, `lostUntil` is the number of the last lost one. */
  async read(after: number, limit: number): Promise<{ events: KeptEvent[]; lostUntil: number | undefined }> {
    const lostUntil = after < this.#lostUntil ? this.#lostUntil : undefined;
    const from = Math.max(after, this.#lostUntil);
    const events: KeptEvent[] = [];
    let characters = 0;
    const isFull = (): boolean => events.length >= limit || characters >= MOST_READ;
    const take = (event: KeptEvent): void => {
      if (event.n <= from || isFull()) return;
      events.push(event);
      characters += event.json.length;
    };
    // While the segments are read, entries may move from memory to the file. So both lists are taken now.
    const resting = this.#resting;
    const segments = this.#segments.slice(this.#findSegment(from + 1));
    for (const segment of segments) {
      if (isFull()) break;
      for (const event of await this.#readSegment(segment)) take(event);
    }
    for (const event of resting) {
      if (isFull()) break;
      take(event);
    }
    return { events, lostUntil };
  }

  /** The JSON of one entry; undefined if there is none with this number. */
  async find(n: number): Promise<string | undefined> {
    const resting = this.#resting.find((event) => event.n === n);
    if (resting) return resting.json;
    const segment = this.#segments[this.#findSegment(n)];
    if (!segment || segment.first > n) return undefined;
    return (await this.#readSegment(segment)).find((event) => event.n === n)?.json;
  }

  /** Moves the entries to the file, unless they are few, and closes the file. Call it when no more will come soon. */
  rest(): void {
    if (this.#restingCharacters > LEAST_RESTING) this.#spill(0);
    if (this.#descriptor !== undefined) disk.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Removes all entries and the file. */
  remove(): void {
    this.#resting = [];
    this.#restingCharacters = 0;
    if (this.#descriptor !== undefined) disk.closeSync(this.#descriptor);
    this.#descriptor = undefined;
    if (this.#path !== undefined) disk.rmSync(this.#path, { force: true });
    this.#segments.length = 0;
  }

  /** Writes the oldest entries to the file, until `left` characters are in memory. */
  #spill(left: number): void {
    let count = 0;
    let characters = this.#restingCharacters;
    while (count < this.#resting.length && characters > left) {
      characters -= (this.#resting[count] as KeptEvent).json.length;
      count += 1;
    }
    const moved = this.#resting.slice(0, count);
    const [first, last] = [moved[0], moved.at(-1)];
    if (!first || !last) return;
    try {
      const bytes = Buffer.from(moved.map(({ n, json }) => `${n} ${json}\n`).join(''));
      this.#write(bytes);
      this.#segments.push({
        first: first.n,
        last: last.n,
        offset: this.#fileBytes - bytes.length,
        bytes: bytes.length,
      });
    } catch (cause) {
      const isFirst = this.#lostUntil === 0;
      this.#lostUntil = last.n;
      // The entries in the file are dropped as well. Otherwise they would be read as if nothing were missing after them.
      this.#segments.length = 0;
      if (isFirst) this.#onLost(cause);
    }
    this.#resting = this.#resting.slice(count);
    this.#restingCharacters = characters;
  }

  #write(bytes: Buffer): void {
    this.#path ??= this.#folder.fileOf(`${this.#name}.jsonl`);
    this.#descriptor ??= disk.openSync(this.#path, this.#fileBytes === 0 ? 'w' : 'r+', 0o600);
    let written = 0;
    while (written < bytes.length) {
      // The position is given, so that a later write overwrites the bytes of a failed one.
      const place = this.#fileBytes + written;
      const count = disk.writeSync(this.#descriptor, bytes, written, bytes.length - written, place);
      if (count === 0) throw new Error('No more bytes can be written to the file');
      written += count;
    }
    this.#fileBytes += bytes.length;
  }

  /** The index of the first segment that ends with this number or a later one. */
  #findSegment(n: number): number {
    let [low, high] = [0, this.#segments.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#segments[middle] as Segment).last < n) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #readSegment({ offset, bytes }: Segment): Promise<KeptEvent[]> {
    if (this.#path === undefined) return [];
    const file = await disk.promises.open(this.#path, 'r');
    try {
      const room = Buffer.allocUnsafe(bytes);
      let filled = 0;
      while (filled < bytes) {
        const { bytesRead } = await file.read(room, filled, bytes - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return readEvents(room.toString('utf8', 0, filled));
    } finally {
      await file.close();
    }
  }
}

function readEvents(text: string): KeptEvent[] {
  const events: KeptEvent[] = [];
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) events.push({ n: Number(line.slice(0, space)), json: line.slice(space + 1) });
  }
  return events;
}
