// Joins writes of one lease into a common statement if they come together, or while a statement is under way. Otherwise each
// would wait for the row of its conversation and for its own commit. Each write checks the fence, and all writes of a statement
// take effect or none. If one is refused, each is sent again alone, so that the refusal reaches only its caller.
import { LeaseLostError } from '@inboard/core/errors.js';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Fence } from '../journal/records.js';
import { readSqlState } from './database-faults.js';
import type { Database, Row } from './database.js';

/** A call of a database function that writes under a fence. Its first two values are the key and the epoch of the fence. */
export interface FencedWrite {
  name: string;
  values: readonly unknown[];
  /** The columns that the function returns. Undefined for a single value, which is then named `given`. */
  columns?: readonly string[] | undefined;
  /** The turn that the write is about. Errors name it. */
  turn?: string | undefined;
}

interface WaitingWrite {
  write: FencedWrite;
  characters: number;
  written: Deferred<Row>;
}

/**
 * The most characters in one statement, unless a single write is longer. While the statement runs, other writes to the
 * conversation wait, and its connection is in use.
 */
const MOST_CHARACTERS = 512 * 1024;
const MOST_WRITES = 50;
/**
 * Milliseconds that a write waits for a statement under way. Then it is sent over another connection, because the first one may
 * hang.
 */
const LONGEST_WAIT_MS = 50;

/** The writes of all leases of a journal. */
export class FencedWrites {
  readonly #database: Database;
  readonly #lanes = new Map<string, Lane>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Writes under a fence. Resolves with the function's result once it is committed. Rejects with errors of this package. */
  async write(fence: Fence, write: FencedWrite): Promise<Row> {
    const name = `${fence.epoch} ${fence.key}`;
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = new Lane(this.#database, fence, () => this.#lanes.delete(name));
      this.#lanes.set(name, lane);
    }
    return await lane.add(write);
  }
}

/** The writes of one lease. */
class Lane {
  readonly #database: Database;
  readonly #fence: Fence;
  readonly #onEmpty: () => void;
  #waiting: WaitingWrite[] = [];
  #underWay = 0;
  #isGathering = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, fence: Fence, onEmpty: () => void) {
    this.#database = database;
    this.#fence = fence;
    this.#onEmpty = onEmpty;
  }

  add(write: FencedWrite): Promise<Row> {
    const written = createDeferred<Row>();
    this.#waiting.push({ write, characters: countCharacters(write.values), written });
    if (this.#underWay === 0) this.#gather();
    else this.#timer ??= clock.setTimeout(() => this.#send(), LONGEST_WAIT_MS);
    return written.promise;
  }

  /** Waits for two rounds of the event loop, so that all writes caused by one chunk of the CLI's output go together. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    clock.setImmediate(() =>
      clock.setImmediate(() => {
        this.#isGathering = false;
        this.#send();
      }),
    );
  }

  #send(): void {
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0) void this.#sendSome(this.#takeSome());
  }

  #takeSome(): WaitingWrite[] {
    let characters = 0;
    const tooMany = this.#waiting.findIndex((each, at) => {
      characters += each.characters;
      return at === MOST_WRITES || (at > 0 && characters > MOST_CHARACTERS);
    });
    return this.#waiting.splice(0, tooMany === -1 ? this.#waiting.length : tooMany);
  }

  async #sendSome(some: readonly WaitingWrite[]): Promise<void> {
    this.#underWay += 1;
    try {
      const rows = await this.#run(some.map(({ write }) => write));
      for (const [at, { written }] of some.entries()) written.resolve(rows[at] ?? {});
    } catch (error) {
      if (some.length > 1 && isRefusedAlone(error)) await this.#sendEach(some);
      else for (const { written } of some) written.reject(error);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) {
        if (this.#waiting.length > 0) this.#gather();
        else this.#onEmpty();
      }
    }
  }

  async #sendEach(all: readonly WaitingWrite[]): Promise<void> {
    for (const { write, written } of all) {
      try {
        const [row] = await this.#run([write]);
        written.resolve(row ?? {});
      } catch (error) {
        written.reject(error);
      }
    }
  }

  async #run(writes: readonly FencedWrite[]): Promise<Row[]> {
    const { schema } = this.#database;
    const { text, values } = writeStatement(schema, writes);
    const [row = {}] = await this.#database.query(text, values, {
      fence: this.#fence,
      turn: writes.find(({ turn }) => turn !== undefined)?.turn,
    });
    return writes.map((_, at) => readRow(row, at));
  }
}

/** Makes one statement of all writes. Each step depends on the previous one, so that they run in this order. */
export function writeStatement(
  schema: string,
  writes: readonly FencedWrite[],
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const steps: string[] = [];
  const given: string[] = [];
  for (const [at, { name, values: own, columns }] of writes.entries()) {
    const places = own.map((_, place) => `$${values.length + place + 1}`);
    values.push(...own);
    const call = `${schema}.${name}(${places.join(', ')})`;
    steps.push(`w${at} as materialized (select ${call} as r${at === 0 ? '' : ` from w${at - 1}`})`);
    if (columns) given.push(...columns.map((column) => `(w${at}.r).${column} as w${at}_${column}`));
    else given.push(`w${at}.r as w${at}_given`);
  }
  const from = writes.map((_, at) => `w${at}`).join(', ');
  return { text: `with ${steps.join(', ')} select ${given.join(', ')} from ${from}`, values };
}

function readRow(row: Row, at: number): Row {
  const own = `w${at}_`;
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name.startsWith(own))
      .map(([name, value]) => [name.slice(own.length), value]),
  );
}

/**
 * Whether nothing was changed, and the error may be about only one of several writes. A lost lease, or a database that is away,
 * concerns all of them.
 */
function isRefusedAlone(error: unknown): boolean {
  if (error instanceof LeaseLostError) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (code === 'JOURNAL_UNAVAILABLE') return readSqlState(cause ?? {}) !== undefined;
  return code !== 'CLUSTER_CLOSED';
}

function countCharacters(values: readonly unknown[]): number {
  let count = 0;
  for (const value of values) {
    if (typeof value === 'string') count += value.length;
    else if (Array.isArray(value)) count += countCharacters(value);
  }
  return count;
}
