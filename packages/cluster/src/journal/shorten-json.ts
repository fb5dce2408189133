// Makes a short form of a large value. The shape stays the same: lists stay lists, texts stay texts, and short fields stay
// unchanged.
import type { Json } from './records.js';

const MOST_CHARACTERS = 16 * 1024;
const MOST_TEXT = 2000;
const MOST_ITEMS = 20;
const MOST_FIELDS = 100;
const MOST_DEPTH = 12;
/** About how many characters any value takes for its brackets, quotes or digits. */
const MARKS = 6;
/** Texts up to this length are always kept, because they are names, ids and times. */
const ALWAYS_KEPT = 200;
/**
 * A text is cut at a space if there is one within this many characters before the limit. A secret that is cut in half would not
 * be recognized as a secret.
 */
const LONGEST_WORD = 300;

/** The short form of a value. It has some thousand characters, whatever the size of the value. */
export function shortenJson(value: Json): Json {
  const room = { left: MOST_CHARACTERS };
  return shorten(value, room, 0);
}

function shorten(value: Json, room: { left: number }, depth: number): Json {
  room.left -= MARKS;
  if (typeof value === 'string') return shortenText(value, room);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of depth < MOST_DEPTH ? (value as readonly Json[]).slice(0, MOST_ITEMS) : []) {
      if (room.left <= 0) break;
      items.push(shorten(item, room, depth + 1));
    }
    return items;
  }
  const names = depth < MOST_DEPTH ? Object.keys(value).slice(0, MOST_FIELDS) : [];
  const fields = value as { readonly [name: string]: Json };
  const short = new Map<string, Json>();
  // Short fields come first. They tell the kind of a message and where it belongs, so long content must not take their room.
  for (const isLong of [false, true])
    for (const name of names) {
      const field = fields[name] as Json;
      if (isLong === isShortField(field) || name.length > ALWAYS_KEPT) continue;
      room.left -= name.length;
      short.set(name, shorten(field, room, depth + 1));
    }
  return Object.fromEntries(
    names.flatMap((name) => (short.has(name) ? [[name, short.get(name) as Json]] : [])),
  );
}

function isShortField(field: Json): boolean {
  return typeof field === 'string'
    ? field.length <= ALWAYS_KEPT
    : typeof field !== 'object' || field === null;
}

function shortenText(text: string, room: { left: number }): string {
  const most = text.length <= ALWAYS_KEPT ? ALWAYS_KEPT : Math.min(MOST_TEXT, Math.max(room.left, 0));
  if (text.length <= most) {
    room.left -= text.length;
    return text;
  }
  let end = most;
  while (end > Math.max(0, most - LONGEST_WORD) && !/\s/.test(text[end - 1] ?? ' ')) end -= 1;
  const kept = text.slice(0, end);
  const short = `${kept}… [shortened: ${text.length} characters]`;
  room.left -= short.length;
  return short;
}
