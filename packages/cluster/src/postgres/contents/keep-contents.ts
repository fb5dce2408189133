// Stores large values. Each value is split into contents, and a conversation stores equal contents once. The statements have a
// bounded size, so that they block neither the process nor the database for long. Like every write, this needs a fence.
import { checkJson } from '../../journal/check-names.js';
import { isLarge } from '../../journal/large-value.js';
import type { Fence, Json, NewClusterEvent } from '../../journal/records.js';
import { isToShorten, shortenEvent } from '../../journal/shorten-event.js';
import { shortenJson } from '../../journal/shorten-json.js';
import { isContentMissing } from '../database-faults.js';
import type { Database } from '../database.js';
import { toText } from '../rows.js';
import { PART_CHARACTERS, splitValue, type StoredContent, type ContentPart } from './split-value.js';

/** A value as a row stores it. */
export interface KeptValue {
  /**
   * The JSON of the value. For a large value, the JSON of its short form, or the empty text if no reader uses the short form.
   */
  text: string;
  /** The digest of the content, if the value is large. */
  digest: string | null;
}

/** Events as lists, for one statement. */
export interface KeptEvents {
  turns: string[];
  bodies: string[];
  /** For each event, its digest, or null if it is not large. Undefined if no event is large. */
  digests: Array<string | null> | undefined;
}

/** The most characters in one statement, unless a single part is longer. */
const STATEMENT_CHARACTERS = 3 * PART_CHARACTERS;
const STATEMENT_PARTS = 100;
/** How often to try. Contents that nothing refers to yet may be removed just before the row that refers to them is written. */
const MAX_TRIES = 3;

/**
 * Runs a function that stores values and then writes rows that refer to them. Runs it again if contents were removed in
 * between.
 */
export async function writeWithContents<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isContentMissing(error) || tries === MAX_TRIES) throw error;
    }
  }
}

/** Stores the large values of one conversation. */
export class ContentKeeper {
  readonly #database: Database;
  readonly #fence: Fence;

  constructor(database: Database, fence: Fence) {
    this.#database = database;
    this.#fence = fence;
  }

  /** Stores the result of a call, with a short form. */
  async keepResult(result: Json): Promise<KeptValue> {
    if (!isLarge(result)) return { text: toText('result', result), digest: null };
    const { digest } = await this.#keep('result', result);
    return { text: toText('result', shortenJson(result)), digest };
  }

  /** Stores an entry of a transcript, without a short form, because entries are only read whole. */
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

  /**
   * Writes the contents that the conversation does not have yet. If an earlier try wrote some parts, writes only the others.
   */
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
      // All parts are stored, but the content is not yet marked as whole. To send the last part again does that.
      if (first >= content.parts.length) batch.add(content, first - 1, content.parts.at(-1) as ContentPart);
    }
    if (batch.size > 0) await this.#send(batch);
  }

  async #send(batch: PartBatch): Promise<void> {
    const { key, epoch } = this.#fence;
    const { texts, lists } = batch.take();
    // Each text is a parameter of its own, because `pg` escapes the texts of a list character by character.
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

  /** The values for the statement. Empties the batch. */
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
