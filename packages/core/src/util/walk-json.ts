// Writes the JSON of a large value piece by piece, and lets the process do other things in between: `JSON.stringify` keeps it for
// half a second with 48 MB, and for seconds on a busy machine.
import { isContainer, toPlain } from './deep-json.js';
import { isLongerThan } from './measure-json.js';
import { findSliceEnd } from './text-slices.js';
import { nextRound } from './timers.js';

/** Takes the text as it is written. */
export interface JsonSink {
  add(text: string): void;
  /** A list, an object or a long text begins; whether it is long can be said once it ends. */
  begin?(): void;
  end?(): Promise<void> | void;
}

/** Texts of at least so many UTF-16 units are written in slices, between a `begin` and an `end`. */
const LONG_TEXT = 64 * 1024;
/** Of so many units each. */
const SLICE = 256 * 1024;
/** What is shorter is written by `JSON.stringify` as a whole. */
const SMALL = 2048;
/** How many characters are written before others have their turn; each value counts as some. */
const WORK_AT_A_TIME = 256 * 1024;
const WORK_OF_A_VALUE = 16;

interface Level {
  source: Record<string, unknown>;
  /** Undefined for a list. */
  names: string[] | undefined;
  length: number;
  at: number;
  isEmpty: boolean;
}

/** A list may have become shorter since it was begun: nothing is written for what is gone. What was added since is left out. */
function lengthOf({ source, names, length }: Level): number {
  return names ? length : Math.min(length, (source as unknown as unknown[]).length);
}

/**
 * What `JSON.stringify` gives, at any depth, in pieces. A value that is changed meanwhile is written partly as it was, partly as it is: copying
 * it first would take as long as all the rest, in one go. Rejects with a TypeError for what has no JSON.
 */
export async function writeJsonSlowly(root: unknown): Promise<string[]> {
  const pieces: string[] = [];
  await walkJson(root, { add: (text) => pieces.push(text) });
  return pieces;
}

/** Writes a value into a sink. Rejects with a TypeError for what has no JSON. */
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
    // Waits for nothing where it need not: there may be millions.
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

  /** Writes a value, or the bracket it opens with; false for what JSON leaves out. */
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
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const length = names?.length ?? (value as unknown[]).length;
    if (lead !== '') this.#sink.add(lead);
    this.#sink.begin?.();
    this.#sink.add(names ? '{' : '[');
    this.#levels.push({ source: value as Level['source'], names, length, at: 0, isEmpty: true });
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
