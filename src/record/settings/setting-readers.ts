// Small readers of one setting's value: each gives the value as it is used, `undefined` for one that is left out
// without harm, or BAD. Which reader a setting has is in settings-table.ts.
import { isRecord } from '../../util/guards.js';

/** The value cannot be used. */
export const BAD: unique symbol = Symbol('unusable setting');

/** Notes a part of a value that was left out while the rest is used. */
export type Note = (part: string, why: string) => void;

/** Reads one value. */
export type Reader = (value: unknown, note: Note) => unknown;

/** A text, empty ones included. */
export const readText: Reader = (value) => (typeof value === 'string' ? value : BAD);

/** True or false. */
export const readFlag: Reader = (value) => (typeof value === 'boolean' ? value : BAD);

/** A flag whose `null` means that it is not set. */
export const readNullableFlag: Reader = (value, note) => (value === null ? undefined : readFlag(value, note));

/** A text whose `null` means that it is not set. */
export const readNullableText: Reader = (value, note) => (value === null ? undefined : readText(value, note));

/** An object of any fields. */
export const readRecord: Reader = (value) => (isRecord(value) ? value : BAD);

/** A list of texts. */
export const readTexts: Reader = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : BAD;

/** A list of objects. */
export const readRecords: Reader = (value) => (Array.isArray(value) && value.every(isRecord) ? value : BAD);

/** The objects of a list; other items are left out. */
export function readOnlyRecords(fits: (item: Record<string, unknown>) => boolean = () => true): Reader {
  return (value, note) => {
    if (!Array.isArray(value)) return BAD;
    return value.filter((item, index) => {
      const isUsed = isRecord(item) && fits(item);
      if (!isUsed) note(`[${index}]`, 'has none of the fields it needs');
      return isUsed;
    });
  };
}

/** A whole number from `least` on. */
export function readWholeNumber(least: number): Reader {
  return (value) => (Number.isSafeInteger(value) && (value as number) >= least ? value : BAD);
}

/** A number between 0 and 1. */
export function readShare(isZeroMeant: boolean): Reader {
  return (value) =>
    typeof value === 'number' && value <= 1 && (isZeroMeant ? value >= 0 : value > 0) ? value : BAD;
}

/** One of a few words. */
export function readChoice(...words: readonly string[]): Reader {
  return (value) => (typeof value === 'string' && words.includes(value) ? value : BAD);
}

/** What the first fitting reader makes of it. */
export function readEither(...readers: readonly Reader[]): Reader {
  return (value, note) => {
    for (const read of readers) {
      const result = read(value, note);
      if (result !== BAD) return result;
    }
    return BAD;
  };
}

/** An object whose named fields are read by their own readers; the others pass. */
export function readFields(fields: Readonly<Record<string, Reader>>): Reader {
  return (value, note) => {
    if (!isRecord(value)) return BAD;
    const result: Record<string, unknown> = { ...value };
    for (const [name, read] of Object.entries(fields)) {
      if (!Object.hasOwn(result, name)) continue;
      const part = read(result[name], (inner, why) => note(`.${name}${inner}`, why));
      if (part === BAD) return BAD;
      if (part === undefined) delete result[name];
      else result[name] = part;
    }
    return result;
  };
}

/** An object all of whose values go through one reader. */
export function readValues(read: Reader): Reader {
  return (value, note) => {
    if (!isRecord(value)) return BAD;
    const entries = Object.entries(value).map(([key, item]) => [key, read(item, note)] as const);
    return entries.some(([, item]) => item === BAD) ? BAD : Object.fromEntries(entries);
  };
}
