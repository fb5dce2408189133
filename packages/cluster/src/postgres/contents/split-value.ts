// Splits a large value into contents that can be stored and recognized one by one. The result of a call also occurs inside a
// message and inside an entry of the transcript. A content does not depend on what surrounds it, so it is stored once for all
// three. Its text is JSON in parts of bounded length. A part is text, or refers to another content.
import { createHash, type Hash } from 'node:crypto';
import { walkJson, type JsonSink } from '@inboard/core/util/walk-json.js';
import { LARGE_CHARACTERS } from '../../journal/large-value.js';

/** A piece of the text of a content, or the digest of another content that takes the place of such a piece. */
export type ContentPart = { text: string; inner: null } | { text: null; inner: string };

/** A value, or a piece of one, as it is stored. */
export interface StoredContent {
  /** SHA-256 of its parts, in hexadecimal. */
  digest: string;
  /** The length of its whole JSON. */
  characters: number;
  parts: ContentPart[];
}

/**
 * The length of a part. The last part, and a part before another content, may be shorter. A part that is joined from shorter
 * pieces may be longer, by less than this number.
 */
export const PART_CHARACTERS: number = 256 * 1024;

/**
 * Splits a value. The last content is the value itself, and each content comes after the contents inside it. Other work of the
 * process goes on in the meantime. Rejects with a TypeError for a value that JSON cannot carry.
 */
export async function splitValue(root: unknown): Promise<StoredContent[]> {
  const splitter = new ValueSplitter();
  await walkJson(root, splitter);
  return splitter.finish();
}

class ValueSplitter implements JsonSink {
  readonly #contents = new Map<string, StoredContent>();
  /** The whole value, and the nested values that have begun. */
  readonly #levels = [new Gathering()];

  add(text: string): void {
    this.#levels.at(-1)?.add(text);
  }

  begin(): void {
    this.#levels.push(new Gathering());
  }

  end(): void {
    const ended = this.#levels.pop() as Gathering;
    const around = this.#levels.at(-1) as Gathering;
    if (ended.ownCharacters < LARGE_CHARACTERS) around.join(ended);
    else around.refer(this.#keep(ended));
  }

  finish(): StoredContent[] {
    const last = this.#keep(this.#levels[0] as Gathering);
    // An equal content may already be in the map, as a part of the value. The value itself must come last.
    this.#contents.delete(last.digest);
    return [...this.#contents.values(), last];
  }

  #keep(gathered: Gathering): StoredContent {
    const content = gathered.finish(this.#contents);
    const known = this.#contents.get(content.digest);
    if (!known) this.#contents.set(content.digest, content);
    return known ?? content;
  }
}

/** A content while it is being collected. */
class Gathering {
  /** The number of characters, without those of the contents inside it. */
  ownCharacters = 0;
  readonly #parts: ContentPart[] = [];
  // Created with the first part, because most values are joined to the one around them and need no hash.
  #hash: Hash | undefined;
  #text = '';

  add(text: string): void {
    this.#text += text;
    this.ownCharacters += text.length;
    if (this.#text.length >= PART_CHARACTERS) this.#flush();
  }

  refer({ digest }: Pick<StoredContent, 'digest'>): void {
    this.#flush();
    this.#push({ text: null, inner: digest });
  }

  /** Adds everything that another gathering has collected. */
  join(other: Gathering): void {
    for (const { text, inner } of other.#parts) {
      if (text === null) this.refer({ digest: inner });
      else this.add(text);
    }
    this.add(other.#text);
  }

  finish(others: ReadonlyMap<string, StoredContent>): StoredContent {
    this.#flush();
    let characters = this.ownCharacters;
    for (const { inner } of this.#parts) if (inner !== null) characters += others.get(inner)?.characters ?? 0;
    return { digest: this.#hashed().digest('hex'), characters, parts: this.#parts };
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#push({ text: this.#text, inner: null });
    this.#text = '';
  }

  #push(part: ContentPart): void {
    this.#parts.push(part);
    const { text, inner } = part;
    // The length is hashed too. Without it, two different lists of parts could have the same hash.
    if (text === null) this.#hashed().update(`of ${inner};`);
    else this.#hashed().update(`${text.length}:`).update(text);
  }

  #hashed(): Hash {
    return (this.#hash ??= createHash('sha256'));
  }
}
