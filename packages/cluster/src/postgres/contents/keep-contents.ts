// Keeps large values: split into contents that a conversation has once, in statements of bounded size, so that neither the process
// nor the database does anything else for long. Under a fence, as every write.
import { checkJson } from '../../journal/check-names.js';
import { isLarge } from '../../journal/large-value.js';
import type { Fence, Json, NewClusterEvent } from '../../journal/records.js';
import { isToShorten, shortenEvent } from '../../journal/shorten-event.js';
import { shortenJson } from '../../journal/shorten-json.js';
import { isContentMissing } from '../database-faults.js';
import type { Database } from '../database.js';
import { toText } from '../rows.js';
import { PART_CHARACTERS, splitValue, type StoredContent, type ContentPart } from './split-value.js';

/** A value as a row has it. */
export interface KeptValue {
  /** Its JSON; of a large one a short form, where readers use that, or nothing. */
  text: string;
  /** Of the content that a large one is. */
  digest: string | null;
}

/** Events as lists, for a statement. */
export interface KeptEvents {
  turns: string[];
  bodies: string[];
  /** Of the contents that some of them are; undefined when none is. */
  digests: Array<string | null> | undefined;
}

/** Characters that one statement brings; one part may be more. */
const STATEMENT_CHARACTERS = 3 * PART_CHARACTERS;
const STATEMENT_PARTS = 100;
/** What nothing refers to yet may be removed just before something does. */
const MAX_TRIES = 3;

/** Keeps values, then writes what refers to them; both again where contents are gone meanwhile. */
export async function writeWithContents<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isContentMissing(error) || tries === MAX_TRIES) throw error;
    }
  }
}

/** Keeps values of one conversation. */
export class ContentKeeper {
  readonly #database: Database;
  readonly #fence: Fence;

  constructor(database: Database, fence: Fence) {
    this.#database = database;
    this.#fence = fence;
  }

  /** A result, with a short form. */
  async keepResult(result: Json): Promise<KeptValue> {
    if (!isLarge(result)) return { text: toText('result', result), digest: null };
    const { digest } = await this.#keep('result', result);
    return { text: toText('result', shortenJson(result)), digest };
  }

  /** An entry of a transcript, which is only read as a whole. */
  async keepEntry(entry: unknown): Promise<KeptValue> {
    if (!isLarge(entry)) return { text: toText('entries', entry), digest: null };
    return { text: '', digest: (await this.#keep('entries', entry)).digest };
  }

  async keepEvents(events: readonly NewClusterEvent[]): Promise<KeptEvents> {
    const bodies: string[] = [];
    const digests: Array<string | null> = [];
    for (const { turn: _turn, ...body } of events) {
      if (isToShorten(body)) {
        const { digest, characters } = await this.#keep('event', body);
        bodies.push(toText('event', shortenEvent(body, characters)));
        digests.push(digest);
      } else {
        bodies.push(toText('event', body));
        digests.push(null);
      }
    }
    const isAnyLarge = digests.some((digest) => digest !== null);
    return { turns: events.map(({ turn }) => turn), bodies, digests: isAnyLarge ? digests : undefined };
  }

  async #keep(what: string, value: unknown): Promise<StoredContent> {
    let contents: StoredContent[];
    try {
      contents = await splitValue(value);
    } catch (error) {
      checkJson(what, value);
      throw error;
    }
    await this.#put(contents);
    return contents.at(-1) as StoredContent;
  }

  /** Writes those that the conversation does not have, from where an earlier try ended. */
  async #put(contents: readonly StoredContent[]): Promise<void> {
    const { schema } = this.#database;
    const { key, epoch } = this.#fence;
    const rows = await this.#database.query(
      `select digest, parts, is_whole from ${schema}.content_state($1, $2, $3)`,
      [key, epoch, contents.map(({ digest }) => digest)],
      { fence: this.#fence },
    );
    const known = new Map(rows.map((row) => [row['digest'], row]));
    const batch = new PartBatch();
    for (const content of contents) {
      const found = known.get(content.digest);
      if (found?.['is_whole'] === true) continue;
      const first = (found?.['parts'] as number | undefined) ?? 0;
      for (const [place, part] of content.parts.entries()) {
        if (place < first) continue;
        if (batch.isFullWith(part)) await this.#send(batch);
        batch.add(content, place, part);
      }
      // All are there, and only that was not noted.
      if (first >= content.parts.length) batch.add(content, first - 1, content.parts.at(-1) as ContentPart);
    }
    if (batch.size > 0) await this.#send(batch);
  }

  async #send(batch: PartBatch): Promise<void> {
    const { key, epoch } = this.#fence;
    const { texts, lists } = batch.take();
    // Each text is a value of its own: `pg` writes those of a list with marks of its own, character by character.
    const places = texts.map((_, at) => `$${at + 8}::text`);
    await this.#database.query(
      `select ${this.#database.schema}.put_parts($1, $2, $3, $4, $5, $6, array[${places.join(', ')}], $7)`,
      [key, epoch, ...lists, ...texts],
      { fence: this.#fence },
    );
  }
}

/** The parts of one statement. */
class PartBatch {
  #rows: Array<{ content: StoredContent; place: number; part: ContentPart }> = [];
  #characters = 0;

  get size(): number {
    return this.#rows.length;
  }

  isFullWith({ text }: ContentPart): boolean {
    if (this.size === STATEMENT_PARTS) return true;
    return this.size > 0 && this.#characters + (text?.length ?? 0) > STATEMENT_CHARACTERS;
  }

  add(content: StoredContent, place: number, part: ContentPart): void {
    this.#rows.push({ content, place, part });
    this.#characters += part.text?.length ?? 0;
  }

  /** As the values of the statement; begins anew. */
  take(): { texts: Array<string | null>; lists: unknown[][] } {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    return {
      texts: rows.map(({ part }) => part.text),
      lists: [
        rows.map(({ content }) => content.digest),
        rows.map(({ content }) => content.characters),
        rows.map(({ content }) => content.parts.length),
        rows.map(({ place }) => place),
        rows.map(({ part }) => part.inner),
      ],
    };
  }
}
