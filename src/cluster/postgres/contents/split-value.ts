// Splits a large value into contents that can be kept, and recognized, one by one: the result of a call comes back as part of a
// message and of an entry of the transcript, each with other things around it. The text of a content is JSON, in parts of bounded
// length, some of which stand for other contents. What a content is depends on nothing around it.
//
// Other work of the process goes on between the parts.
import { createHash } from 'node:crypto';
import { isContainer, toPlain } from '../../../util/deep-json.js';
import { LARGE_CHARACTERS, measureJson } from '../../journal/measure-json.js';

/** Some of the text of a content, or the digest of another content that stands there. */
export type ContentPart = { text: string; inner: null } | { text: null; inner: string };

/** A value, or a part of one, as it is kept. */
export interface Content {
  /** SHA-256 of its parts, in hexadecimal. */
  digest: string;
  /** Of its JSON as a whole. */
  characters: number;
  parts: ContentPart[];
}

/** How many characters a part has, unless it is the last: what is written in one go. */
export const PART_CHARACTERS: number = 256 * 1024;
/** What is shorter is written by `JSON.stringify` as a whole. */
const SMALL_CHARACTERS = 2048;
/** How much is done before other work of the process has its turn: characters that were written, and a share for each value. */
const WORK_AT_A_TIME = PART_CHARACTERS;
const WORK_OF_A_VALUE = 16;

interface Level {
  gathered: Gathering;
  source: Record<string, unknown>;
  /** Undefined for a list. */
  names: string[] | undefined;
  length: number;
  at: number;
  isEmpty: boolean;
}

/** Splits a value; the last content is the value itself, and each comes after those that stand in it. Rejects with a TypeError for what JSON cannot carry. */
export async function splitValue(root: unknown): Promise<Content[]> {
  return await new ValueSplitter().split(root);
}

class ValueSplitter {
  readonly #contents = new Map<string, Content>();
  readonly #levels: Level[] = [];
  readonly #open = new Set<object>();
  readonly #whole = new Gathering();
  #work = 0;

  async split(root: unknown): Promise<Content[]> {
    if (!(await this.#begin(root, '', ''))) throw new TypeError(`A ${typeof root} has no JSON`);
    for (let level = this.#levels.at(-1); level; level = this.#levels.at(-1)) {
      if (this.#work > WORK_AT_A_TIME) await this.#rest();
      if (level.at === level.length) await this.#end(level);
      else await this.#goOn(level);
    }
    await this.#keep(this.#whole);
    return [...this.#contents.values()];
  }

  async #goOn(level: Level): Promise<void> {
    // Without a pause of its own for each: there may be millions.
    while (level.at < level.length && this.#work <= WORK_AT_A_TIME) {
      const key = level.names?.[level.at] ?? String(level.at);
      level.at += 1;
      const comma = level.isEmpty ? '' : ',';
      const lead = level.names ? `${comma}${JSON.stringify(key)}:` : comma;
      const written = this.#begin(level.source[key], key, lead);
      const isWritten = typeof written === 'boolean' ? written : await written;
      if (isWritten) level.isEmpty = false;
      else if (!level.names) {
        level.gathered.add(`${lead}null`);
        level.isEmpty = false;
      }
      if (this.#levels.at(-1) !== level) return;
    }
  }

  /** Writes a value, or the bracket it opens with; false for what JSON leaves out. */
  #begin(given: unknown, key: string, lead: string): boolean | Promise<boolean> {
    const value = toPlain(given, key);
    const target = this.#levels.at(-1)?.gathered ?? this.#whole;
    this.#work += WORK_OF_A_VALUE;
    if (typeof value === 'string' && value.length >= LARGE_CHARACTERS) {
      target.add(lead);
      return this.#addText(value, target);
    }
    if (!isContainer(value) || measureJson(value, SMALL_CHARACTERS) <= SMALL_CHARACTERS) {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) return false;
      this.#work += text.length;
      target.add(lead + text);
      return true;
    }
    if (this.#open.has(value)) throw new TypeError('A value that contains itself has no JSON');
    this.#open.add(value);
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const length = names?.length ?? (value as unknown[]).length;
    target.add(lead);
    const gathered = new Gathering();
    gathered.add(names ? '{' : '[');
    this.#levels.push({ gathered, source: value as Level['source'], names, length, at: 0, isEmpty: true });
    return true;
  }

  async #end({ gathered, names, source }: Level): Promise<void> {
    this.#levels.pop();
    this.#open.delete(source);
    gathered.add(names ? '}' : ']');
    const target = this.#levels.at(-1)?.gathered ?? this.#whole;
    if (gathered.ownCharacters >= LARGE_CHARACTERS) target.refer(await this.#keep(gathered));
    else target.join(gathered);
  }

  async #addText(value: string, target: Gathering): Promise<boolean> {
    const gathered = new Gathering();
    for (let at = 0; at < value.length; ) {
      const end = findEnd(value, at + PART_CHARACTERS);
      const text = JSON.stringify(value.slice(at, end));
      gathered.add(`${at === 0 ? '"' : ''}${text.slice(1, -1)}${end === value.length ? '"' : ''}`);
      gathered.flush();
      at = end;
      await this.#rest();
    }
    target.refer(await this.#keep(gathered));
    return true;
  }

  async #keep(gathered: Gathering): Promise<Content> {
    gathered.flush();
    const { parts } = gathered;
    const hash = createHash('sha256');
    let characters = gathered.ownCharacters;
    for (const { text, inner } of parts) {
      // With its length, so that no two lists of parts have the same bytes.
      if (text !== null) {
        hash.update(`${text.length}:`).update(text);
        this.#work += text.length;
        if (this.#work > WORK_AT_A_TIME) await this.#rest();
      } else {
        hash.update(`of ${inner};`);
        characters += this.#contents.get(inner)?.characters ?? 0;
      }
    }
    const content = { digest: hash.digest('hex'), characters, parts };
    const known = this.#contents.get(content.digest);
    if (known) return known;
    this.#contents.set(content.digest, content);
    return content;
  }

  async #rest(): Promise<void> {
    this.#work = 0;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** What is known of a content so far. */
class Gathering {
  readonly parts: ContentPart[] = [];
  /** Without those of contents that stand in it. */
  ownCharacters = 0;
  #text = '';

  add(text: string): void {
    this.#text += text;
    this.ownCharacters += text.length;
    if (this.#text.length >= PART_CHARACTERS) this.flush();
  }

  refer({ digest }: Content): void {
    this.flush();
    this.parts.push({ text: null, inner: digest });
  }

  /** Adds what another has gathered. */
  join(other: Gathering): void {
    other.flush();
    for (const part of other.parts) {
      if (part.text !== null) this.add(part.text);
      else {
        this.flush();
        this.parts.push(part);
      }
    }
  }

  flush(): void {
    if (this.#text === '') return;
    this.parts.push({ text: this.#text, inner: null });
    this.#text = '';
  }
}

/** Not between the two halves of a character. */
function findEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  const isFirstHalf = code >= 0xd800 && code <= 0xdbff;
  return isFirstHalf ? end - 1 : end;
}
