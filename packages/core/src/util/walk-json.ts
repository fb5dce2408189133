// Writes the JSON of a large value piece by piece, so that the process can do other work in between. `JSON.stringify`
// takes half a second for 48 MB, and several seconds on a busy machine.
import { isContainer, openLevel, toPlain, type Level } from './deep-json.js';
import { isLongerThan } from './measure-json.js';
import { findSliceEnd } from './text-slices.js';
import { nextRound } from './timers.js';

/** Takes the JSON text piece by piece. */
export interface JsonSink {
  add(text: string): void;
  /** Called when a list, an object or a long text begins. Its length is known only at its end. */
  begin?(): void;
  end?(): Promise<void> | void;
}

/** A text of at least this many UTF-16 units is written in slices, between a `begin` and an `end`. */
const LONG_TEXT = 64 * 1024;
/** The UTF-16 units of one slice. */
const SLICE = 256 * 1024;
/** A shorter value is written by `JSON.stringify` as a whole. */
const SMALL = 2048;
/** How many characters are written before other work gets its turn. Each value counts as 16 additional characters. */
const WORK_AT_A_TIME = 256 * 1024;
const WORK_OF_A_VALUE = 16;

/**
 * How many items of a list or object are written. A list may have changed since its writing began. Removed items are not
 * written, and neither are added ones.
 */
function lengthOf({ source, names, length }: Level): number {
  return names ? length : Math.min(length, (source as unknown as unknown[]).length);
}

/**
 * The result of `JSON.stringify`, at any depth, in pieces. If the value changes in the meantime, some parts are written
 * as they were before, and others as they are after. No copy is made first, because that would take as long as the
 * writing itself, without a pause. Rejects with a TypeError for a value that JSON cannot hold.
 */
export async function writeJsonSlowly(root: unknown): Promise<string[]> {
  const pieces: string[] = [];
  await walkJson(root, { add: (text) => pieces.push(text) });
  return pieces;
}

/** Writes a value into a sink. Rejects with a TypeError for a value that JSON cannot hold. */
export async function walkJson(root: unknown, sink: JsonSink): Promise<void> {
  await new JsonWalk(sink).walk(root);
}

class JsonWalk {
  readonly #sink: JsonSink;
  readonly #levels: Level[] = [];
  readonly #open = new Set<object>();
  #work = 0;

  constructor(sink: JsonSink) {
    this.#sink = sink;
  }

  async walk(root: unknown): Promise<void> {
    if (!(await this.#write(root, '', ''))) throw new TypeError(`A value of type ${typeof root} has no JSON`);
    for (let level = this.#levels.at(-1); level; level = this.#levels.at(-1)) {
      if (this.#work > WORK_AT_A_TIME) await this.#rest();
      if (level.at >= lengthOf(level)) await this.#end(level);
      else await this.#goOn(level);
    }
  }

  async #goOn(level: Level): Promise<void> {
    // This awaits only when it must, because there may be millions of values.
    while (level.at < lengthOf(level) && this.#work <= WORK_AT_A_TIME) {
      const key = level.names?.[level.at] ?? String(level.at);
      level.at += 1;
      const comma = level.isEmpty ? '' : ',';
      const lead = level.names ? `${comma}${JSON.stringify(key)}:` : comma;
      const written = this.#write(level.source[key], key, lead);
      const isWritten = typeof written === 'boolean' ? written : await written;
      if (!isWritten && !level.names) this.#sink.add(`${lead}null`);
      if (isWritten || !level.names) level.isEmpty = false;
      if (this.#levels.at(-1) !== level) return;
    }
  }

  /** Writes a value, or its opening bracket. False for a value that JSON leaves out. */
  #write(given: unknown, key: string, lead: string): boolean | Promise<boolean> {
    const value = toPlain(given, key);
    this.#work += WORK_OF_A_VALUE;
    if (typeof value === 'string' && value.length >= LONG_TEXT) return this.#writeLongText(value, lead);
    if (!isContainer(value) || !isLongerThan(value, SMALL)) {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) return false;
      this.#work += text.length;
      this.#sink.add(lead + text);
      return true;
    }
    if (this.#open.has(value)) throw new TypeError('A value that contains itself has no JSON');
    this.#open.add(value);
    const level = openLevel(value, Object.keys);
    if (lead !== '') this.#sink.add(lead);
    this.#sink.begin?.();
    this.#sink.add(level.names ? '{' : '[');
    this.#levels.push(level);
    return true;
  }

  async #end({ names, source }: Level): Promise<void> {
    this.#levels.pop();
    this.#open.delete(source);
    this.#sink.add(names ? '}' : ']');
    await this.#sink.end?.();
  }

  async #writeLongText(value: string, lead: string): Promise<boolean> {
    if (lead !== '') this.#sink.add(lead);
    this.#sink.begin?.();
    for (let at = 0; at < value.length;) {
      const end = findSliceEnd(value, at + SLICE);
      const text = JSON.stringify(value.slice(at, end));
      this.#sink.add(`${at === 0 ? '"' : ''}${text.slice(1, -1)}${end === value.length ? '"' : ''}`);
      at = end;
      await this.#rest();
    }
    await this.#sink.end?.();
    return true;
  }

  async #rest(): Promise<void> {
    this.#work = 0;
    await nextRound();
  }
}
