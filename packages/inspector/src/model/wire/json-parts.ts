// Splits a JSON text into parts of one kind each, for colouring. The characters stay the same.
import { HIDDEN } from '@inboard/core/record/trace/trace-event.js';

/** A part of a JSON text; `mark` is everything between keys and values. */
export interface JsonPart {
  kind: 'key' | 'string' | 'number' | 'boolean' | 'null' | 'hidden' | 'mark';
  text: string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** The parts of a JSON text, which may be cut off. Joined, they are the text. */
export function splitJson(text: string): JsonPart[] {
  const parts: JsonPart[] = [];
  const add = (kind: JsonPart['kind'], part: string): void => {
    if (part === '') return;
    const last = parts.at(-1);
    if (kind === 'mark' && last?.kind === 'mark') last.text += part;
    else parts.push({ kind, text: part });
  };
  let from = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    add('mark', text.slice(from, index));
    from = index + token.length;
    add(kindOf(token, text, from), token);
  }
  add('mark', text.slice(from));
  return parts;
}

function kindOf(token: string, text: string, end: number): JsonPart['kind'] {
  if (token.startsWith('"')) {
    if (/^\s*:/.test(text.slice(end, end + 8))) return 'key';
    return HIDDEN.test(token) ? 'hidden' : 'string';
  }
  if (token === 'null') return 'null';
  return token === 'true' || token === 'false' ? 'boolean' : 'number';
}

/** The value of a JSON text; undefined if it is not valid. */
export function parseIfJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
