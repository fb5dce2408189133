// Events as pages get them: long texts are cut, so that no single event holds up what stands beside it. The whole stays with
// the source, and a page asks for it by number.
import { rewriteTree } from '@inboard/core/record/trace/recorder/rewrite-tree.js';
import { boundText } from '@inboard/core/util/bounded-text.js';
import { isRecord } from '@inboard/core/util/guards.js';

/** Texts of up to so many characters stay as they are. */
const MOST_TEXT_CHARACTERS = 8_000;
/** Images in base64 of up to so many characters stay; half an image shows nothing, so that longer ones go as a whole. */
const MOST_IMAGE_CHARACTERS = 256 * 1024;

/** No event has more characters than this, whatever it is made of. */
const MOST_EVENT_CHARACTERS = 1024 * 1024;
/** What is left of each text of an event that is still too long with all of them cut. */
const SHORT_TEXT_CHARACTERS = 200;
const HEAD_CHARACTERS = 2048;

/** The JSON of an event for a page, and whether something is missing in it. */
export interface CutEvent {
  json: string;
  isCut: boolean;
}

/** Cuts the JSON of an event, given without number and session. Short events, which nearly all are, are not even looked into. */
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

// The Messages API has `media_type`, MCP has `mimeType`.
function holdsImage(container: object): boolean {
  const { media_type: ofApi, mimeType: ofMcp } = container as Record<string, unknown>;
  const type = ofApi ?? ofMcp;
  return typeof type === 'string' && type.startsWith('image/');
}

function encode(event: unknown): string | undefined {
  try {
    return JSON.stringify(event);
  } catch {
    // Nested too deeply for that.
    return undefined;
  }
}

// As a trace has a frame over its limit: the length, and how it began.
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
