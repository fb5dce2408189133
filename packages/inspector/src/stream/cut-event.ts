// Cuts long texts in events for pages, so that no single event delays the others. The source keeps the whole event, and a
// page can read it by number.
import { rewriteTree } from '@inboard/core/record/trace/recorder/rewrite-tree.js';
import { boundText } from '@inboard/core/util/bounded-text.js';
import { isRecord } from '@inboard/core/util/guards.js';

/** Longer texts are cut. */
const MOST_TEXT_CHARACTERS = 8_000;
/** Longer images in base64 are removed completely, because half an image shows nothing. */
const MOST_IMAGE_CHARACTERS = 256 * 1024;

/** The greatest length of an event, in characters. */
const MOST_EVENT_CHARACTERS = 1024 * 1024;
/** The length of each text in an event that is still too long after the first cut. */
const SHORT_TEXT_CHARACTERS = 200;
const HEAD_CHARACTERS = 2048;

/** The JSON of an event for a page, and whether a part was cut. */
export interface CutEvent {
  json: string;
  isCut: boolean;
}

/** Cuts the JSON of an event, which has no number and session yet. Most events are short, and are not even parsed. */
export function cutEvent(
  json: string,
  { mostText = MOST_TEXT_CHARACTERS }: { mostText?: number } = {},
): CutEvent {
  if (json.length <= mostText) return { json, isCut: false };
  const event: unknown = JSON.parse(json);
  const whole = cutTexts(event, mostText, MOST_IMAGE_CHARACTERS);
  if (whole === event && json.length <= MOST_EVENT_CHARACTERS) return { json, isCut: false };
  const cut = encode(whole);
  if (cut !== undefined && cut.length <= MOST_EVENT_CHARACTERS) return { json: cut, isCut: true };
  const short = encode(cutTexts(event, SHORT_TEXT_CHARACTERS, 0));
  if (short !== undefined && short.length <= MOST_EVENT_CHARACTERS) return { json: short, isCut: true };
  return { json: JSON.stringify(describeLong(event, json)), isCut: true };
}

function cutTexts(event: unknown, mostText: number, mostImage: number): unknown {
  return rewriteTree<boolean>(event, false, {
    leaf: (value, isImage) => {
      if (typeof value !== 'string') return value;
      if (isImage) return value.length > mostImage ? '' : value;
      return value.length > mostText ? boundText(value, mostText) : value;
    },
    enter: (container) => (holdsImage(container) ? (name) => name === 'data' : () => false),
    name: (name) => name,
  });
}

// The Messages API names the field `media_type`, MCP names it `mimeType`.
function holdsImage(container: object): boolean {
  const { media_type: ofApi, mimeType: ofMcp } = container as Record<string, unknown>;
  const type = ofApi ?? ofMcp;
  return typeof type === 'string' && type.startsWith('image/');
}

function encode(event: unknown): string | undefined {
  try {
    return JSON.stringify(event);
  } catch {
    // The event is nested too deeply to be encoded.
    return undefined;
  }
}

// Replaces an event that is too long by its length and beginning, as a trace does with frames over its limit.
function describeLong(event: unknown, json: string): object {
  const { type, t, dir, frame } = isRecord(event) ? event : {};
  const truncated = { bytes: json.length, head: json.slice(0, HEAD_CHARACTERS) };
  if ((type === 'frame' || type === 'completed') && frame !== undefined) return { type, t, dir, truncated };
  return {
    type: 'fault',
    t: t ?? 0,
    code: 'EVENT_TOO_LONG',
    message: `An event of ${json.length} characters`,
  };
}
