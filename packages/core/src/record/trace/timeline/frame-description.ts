// The type of a frame's description, and functions that make its texts.
import { toOneLine } from '../../../util/bounded-text.js';
import { stringifyDeep } from '../../../util/deep-json.js';

/**
 * `message`: the conversation. `control`: requests between host and CLI. `mcp`: JSON-RPC inside such requests. `process`:
 * events of the process, such as its end.
 */
export type TimelineLayer = 'message' | 'control' | 'mcp' | 'process';

/** What a timeline says about a frame. */
export interface FrameDescription {
  layer: TimelineLayer;
  role: 'message' | 'question' | 'answer' | 'notice';
  event: string;
  summary: string;
  requestId: string | undefined;
  toolUseId: string | undefined;
  isError: boolean;
  /** The input that a question about a call shows, so that its answer can be compared with it. */
  input?: unknown;
}

const SUMMARY_CHARACTERS = 160;

/** The description of a message that belongs to no request and no tool call. */
export function describePlain(event: string, summary: string): FrameDescription {
  return {
    layer: 'message',
    role: 'message',
    event,
    summary: shortenToSummary(summary),
    requestId: undefined,
    toolUseId: undefined,
    isError: false,
  };
}

/** The beginning of a value's JSON; empty for undefined. */
export function previewJson(value: unknown): string {
  return value === undefined ? '' : (stringifyDeep(value) ?? '').slice(0, SUMMARY_CHARACTERS * 2);
}

/** A string unchanged, any other value as the beginning of its JSON. */
export function previewText(value: unknown): string {
  return typeof value === 'string' ? value : previewJson(value);
}

/** A text on one line, cut to the length of a summary. */
export function shortenToSummary(text: string): string {
  return toOneLine(text, SUMMARY_CHARACTERS);
}
