// Converts a value to the text in its field, and back.
import { findNumberMistake } from './check-value.js';
import type { FormShape } from './form-shape.js';
import { parseJson } from './json-syntax.js';

/** The value of a text, or why it has none. */
export type ReadText = { ok: true; value: unknown } | { ok: false; message: string };

const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** The text that the field of a value shows: a text as it is, any other value as JSON. */
export function writeText(shape: FormShape, value: unknown): string {
  if (value === undefined) return '';
  if (shape.kind === 'text' && typeof value === 'string') return value;
  return JSON.stringify(value, null, 2);
}

/** The value of a text. In a text field, it is always the text itself, and only `checkValue` finds mistakes. */
export function readFieldText(shape: FormShape, text: string): ReadText {
  if (shape.kind === 'text') return { ok: true, value: text };
  if (shape.kind === 'number') return readNumber(shape, text.trim());
  const parsed = parseJson(text);
  if (parsed.ok) return parsed;
  const { line, column, message } = parsed.mistake;
  return { ok: false, message: `is not JSON (line ${line}, column ${column}): ${message}` };
}

function readNumber(shape: FormShape, text: string): ReadText {
  const isWhole = shape.kind === 'number' && shape.isInteger;
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value))
    return { ok: false, message: isWhole ? 'must be a whole number' : 'must be a number' };
  if (/^-?\d+$/.test(text) && String(value) !== text && BigInt(text) !== BigInt(value))
    return { ok: false, message: 'has more digits than a number can hold' };
  const message = findNumberMistake(shape, value);
  return message === undefined ? { ok: true, value } : { ok: false, message };
}
