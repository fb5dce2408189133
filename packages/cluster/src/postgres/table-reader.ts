// Checks rows as they are read. If a column is not what its reader expects, the error names the table, the column and the type
// that was found. The error does not contain the value, because a model may read it.
import { ClusterError } from '@inboard/core/errors.js';
import type { Json } from '../journal/records.js';
import type { Row } from './database.js';

const JOURNAL = {
  owner: 'the journal',
  advice: 'Run "inboard cluster migrate" as a role that may change them, and look at that row.',
};

/** Reads the columns of one table, or of the result of one database function. */
export class TableReader {
  readonly #table: string;
  readonly #owner: string;
  readonly #advice: string;

  /** The owner of the table, as errors name it, is the journal unless another is given, with what to do. */
  constructor(table: string, { owner, advice }: { owner: string; advice: string } = JOURNAL) {
    this.#table = table;
    this.#owner = owner;
    this.#advice = advice;
  }

  text(row: Row | undefined, column: string): string {
    const value = row?.[column];
    return typeof value === 'string' ? value : this.#refuse(column, value, 'text');
  }

  number(row: Row | undefined, column: string): number {
    const value = row?.[column];
    return typeof value === 'number' ? value : this.#refuse(column, value, 'a number');
  }

  flag(row: Row | undefined, column: string): boolean {
    const value = row?.[column];
    return typeof value === 'boolean' ? value : this.#refuse(column, value, 'true or false');
  }

  /** Undefined for null. */
  textIfAny(row: Row | undefined, column: string): string | undefined {
    return row?.[column] == null ? undefined : this.text(row, column);
  }

  /** Undefined for null. */
  numberIfAny(row: Row | undefined, column: string): number | undefined {
    return row?.[column] == null ? undefined : this.number(row, column);
  }

  /** A text that must be one of the given words. */
  word<Word extends string>(row: Row | undefined, column: string, words: readonly Word[]): Word {
    const value = row?.[column];
    return words.find((each) => each === value) ?? this.#refuse(column, value, `one of ${words.join(', ')}`);
  }

  /** A value that is stored as JSON text (`toText`). */
  json(row: Row | undefined, column: string): Json {
    const text = this.text(row, column);
    try {
      const value: Json = JSON.parse(text);
      return value;
    } catch (error) {
      return this.#refuse(column, text, 'JSON', error);
    }
  }

  /** A string that is stored as JSON text, because names may have characters that PostgreSQL's own text cannot store. */
  jsonText(row: Row | undefined, column: string): string {
    return this.shape(row, column, 'text as JSON', isText);
  }

  /** A value that is stored as JSON text and has a certain shape. `what` names the shape. */
  shape<Value>(
    row: Row | undefined,
    column: string,
    what: string,
    isShape: (value: unknown) => value is Value,
  ): Value {
    return this.check(column, this.json(row, column), what, isShape);
  }

  /** Undefined for null. */
  shapeIfAny<Value>(
    row: Row | undefined,
    column: string,
    what: string,
    isShape: (value: unknown) => value is Value,
  ): Value | undefined {
    return row?.[column] == null ? undefined : this.shape(row, column, what, isShape);
  }

  /** Checks a value of a column that was read elsewhere. */
  check<Value>(
    column: string,
    value: unknown,
    what: string,
    isShape: (value: unknown) => value is Value,
  ): Value {
    return isShape(value) ? value : this.#refuse(column, value, what);
  }

  #refuse(column: string, value: unknown, wanted: string, error?: unknown): never {
    const found = describe(value);
    // The error has a cause. Without one, a worker would think that the tables are too new, and end.
    const cause = error ?? new TypeError(`${this.#table}.${column} is ${found}, not ${wanted}`);
    throw new ClusterError(
      'JOURNAL_VERSION',
      `The column "${column}" of "${this.#table}" in the database of ${this.#owner} has ${found} where ${wanted} belongs. ` +
        `The tables are not the ones that this version of the package expects, or were changed by something else. ${this.#advice}`,
      { cause },
    );
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'another text';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'another object' : `a ${typeof value}`;
}

/** Whether a value is a list of numbers. */
export function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number');
}
