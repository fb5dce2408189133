// Readers for the value of one setting. A reader returns the value to use, `undefined` to ignore the setting, or BAD.
// `setting-kinds` and `settings-table` assign readers to settings.
import { isRecord } from '../../../util/guards.js';

/** A reader returns this for a value that cannot be used. */
export const BAD: unique symbol = Symbol('unusable setting');

/** Reports a part of a value that is ignored while the rest is used. */
export type Note = (part: string, why: string) => void;

/** Checks one value and returns the value to use. */
export type Reader = (value: unknown, note: Note) => unknown;

export const readString: Reader = (value) => (typeof value === 'string' ? value : BAD);

export const readFlag: Reader = (value) => (typeof value === 'boolean' ? value : BAD);

/** A value that `read` accepts, or `null`, which leaves the setting unset. */
export function readOrNull(read: Reader): Reader {
  return (value, note) => (value === null ? undefined : read(value, note));
}

export const readRecord: Reader = (value) => (isRecord(value) ? value : BAD);

export const readStrings: Reader = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : BAD;

export const readRecords: Reader = (value) => (Array.isArray(value) && value.every(isRecord) ? value : BAD);

/** The objects of a list for which `fits` is true. Other items are ignored, with a note. */
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

export function readWholeNumber(least: number): Reader {
  return (value) => (Number.isSafeInteger(value) && (value as number) >= least ? value : BAD);
}

/** A number up to 1 that is not negative. */
export function readFraction({ isZeroAllowed }: { isZeroAllowed: boolean }): Reader {
  return (value) =>
    typeof value === 'number' && value <= 1 && (isZeroAllowed ? value >= 0 : value > 0) ? value : BAD;
}

export function readChoice(...words: readonly string[]): Reader {
  return (value) => (typeof value === 'string' && words.includes(value) ? value : BAD);
}

/** The result of the first reader that accepts the value. */
export function readEither(...readers: readonly Reader[]): Reader {
  return (value, note) => {
    for (const read of readers) {
      const result = read(value, note);
      if (result !== BAD) return result;
    }
    return BAD;
  };
}

/** An object whose given fields have their own readers. Other fields are not checked. */
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

/** An object whose values are all read by the same reader. */
export function readValues(read: Reader): Reader {
  return (value, note) => {
    if (!isRecord(value)) return BAD;
    const entries = Object.entries(value).map(([key, item]) => [key, read(item, note)] as const);
    return entries.some(([, item]) => item === BAD) ? BAD : Object.fromEntries(entries);
  };
}
