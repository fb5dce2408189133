// Splits a large value into contents that can be kept, and recognized, one by one: the result of a call comes back as part of a
// message and of an entry of the transcript, each with other things around it. The text of a content is JSON, in parts of bounded
// length, some of which stand for other contents. What a content is depends on nothing around it.
import { createHash, type Hash } from 'node:crypto';
import { walkJson, type JsonSink } from '@inboard/core/util/walk-json.js';
import { LARGE_CHARACTERS } from '../../journal/large-value.js';

/** Some of the text of a content, or the digest of another content that stands there. */
export type ContentPart = { text: string; inner: null } | { text: null; inner: string };

/** A value, or a part of one, as it is kept. */
export interface StoredContent {
  /** SHA-256 of its parts, in hexadecimal. */
  digest: string;
  /** Of its JSON as a whole. */
  characters: number;
  parts: ContentPart[];
}

/**
 * How many characters a part has, unless another content or the end follows it. A part that is joined from shorter pieces may have
 * more, by less than this.
 */
export const PART_CHARACTERS: number = 256 * 1024;

/**
 * Splits a value. The last content is the value itself, and each comes after those that stand in it. Other work of the process goes
 * on meanwhile. Rejects with a TypeError for what JSON cannot carry.
 */
export async function splitValue(root: unknown): Promise<StoredContent[]> {
  const splitter = new ValueSplitter();
  await walkJson(root, splitter);
  return splitter.finish();
}

class ValueSplitter implements JsonSink {
  readonly #contents = new Map<string, StoredContent>();
  /** The value as a whole, and what has begun in it. */
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
    // The same may have been there before, as a part of itself.
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

/** What is known of a content so far. */
class Gathering {
  /** Without those of contents that stand in it. */
  ownCharacters = 0;
  readonly #parts: ContentPart[] = [];
  // Only what has parts is worth one: most is joined to what is around it.
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

  /** Adds what another has gathered. */
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
    // With its length, so that no two lists of parts are the same text.
    if (text === null) this.#hashed().update(`of ${inner};`);
    else this.#hashed().update(`${text.length}:`).update(text);
  }

  #hashed(): Hash {
    return (this.#hash ??= createHash('sha256'));
  }
}
