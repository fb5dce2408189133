// Long events are cut before they go to a page: it shows their beginning, and asks for the whole by number. What was cut
// says so where it stands, so that nobody takes the beginning for all of it.
import { stringifyDeep } from '../../util/deep-json.js';
import { isRecord } from '../../util/guards.js';
import { rewriteTree } from '../../record/trace/recorder/rewrite-tree.js';
import { numberLine } from './event-codec.js';

/** How much of an event a page gets unasked, in characters of its line. */
export const LINE_CHARACTERS = 32_000;

const LEAST_TEXT_CHARACTERS = 64;
const MARK_CHARACTERS = 26;

/** What stands for the rest of a text. */
export function cutMark(count: number): string {
  return `[cut: ${count} characters]`;
}

/** The mark at the end of a text that was cut, and how many characters are missing. */
export const CUT_MARK = /\[cut: (\d{1,12}) characters\]$/;

/** An event's line with its number and session, no longer than about `limit` characters. `json` is the event's own, as it was recorded. */
export function cutLine(n: number, s: string, json: string, limit: number = LINE_CHARACTERS): string {
  if (json.length <= limit) return numberLine(n, s, json);
  const event: unknown = JSON.parse(json);
  const most = findLength(event, json.length, limit);
  if (most !== undefined) return markLine(n, s, stringifyDeep(cutTexts(event, most)) as string, json);
  // What is long without long texts is no longer a value when it is cut.
  const { type, t, dir } = isRecord(event) ? event : {};
  const truncated = { bytes: byteLength(json), head: json.slice(0, Math.floor(limit / 2)) };
  return markLine(n, s, JSON.stringify({ type, t, dir, truncated }), json);
}

/** How long texts may be for the whole to be short enough; undefined where that does not help. */
function findLength(event: unknown, length: number, limit: number): number | undefined {
  const lengths: number[] = [];
  let rest = length;
  eachText(event, (text) => {
    if (text.length <= LEAST_TEXT_CHARACTERS) return text;
    lengths.push(text.length);
    rest -= JSON.stringify(text).length;
    return text;
  });
  const fits = (most: number): boolean =>
    lengths.reduce((sum, one) => sum + (one > most ? most + MARK_CHARACTERS : one), rest) <= limit;
  for (let most = Math.floor(limit / 2); most >= LEAST_TEXT_CHARACTERS; most = Math.floor(most / 2))
    if (fits(most)) return most;
  return undefined;
}

function cutTexts(value: unknown, most: number): unknown {
  return eachText(value, (text) =>
    text.length <= most ? text : `${text.slice(0, most)}${cutMark(text.length - most)}`,
  );
}

function eachText(value: unknown, change: (text: string) => string): unknown {
  return rewriteTree(value, undefined, {
    leaf: (part) => (typeof part === 'string' ? change(part) : part),
    enter: () => () => undefined,
    name: (name) => name,
  });
}

function markLine(n: number, s: string, cut: string, whole: string): string {
  return numberLine(n, s, `{"isCut":true,"bytes":${byteLength(whole)},${cut.slice(1)}`);
}

const encoder = new TextEncoder();

/** The length of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
