// Shortens a result that is too long. A result with too many tokens is saved and replaced by a notice; if it has images,
// it is cut instead. A result with too many characters is saved, and its beginning is shown.
import { findTokenLimit, type CliRules } from './cli-rules.js';
import { describeSize, takeStart } from './cut-text.js';
import { describeOversized, toOversized } from './oversized-notice.js';
import type { ResultFiles } from './result-files.js';
import type { ResultPlace, ShownBlock } from './shown-result.js';

/** Content for the model: a text, or blocks. */
export type ShownContent = string | ShownBlock[];

/** What the limits depend on. */
export interface LimitContext {
  rules: CliRules;
  files: ResultFiles;
  place: ResultPlace;
}

const CHARS_PER_TOKEN = 4;
const IMAGE_TOKENS = 1600;

const NEW_CHARS = 50_000;
const OLD_CHARS = 100_000;
const MOST_CHARS = 500_000;

const PREVIEW_CHARS = 2000;

/**
 * Applies the limit of tokens. The CLI asks the API to count the tokens of a result that may have too many. If the API
 * does not answer, the CLI takes a quarter of the number of characters. This function always does the latter.
 */
export function limitTokens(content: ShownContent, { rules, files, place }: LimitContext): ShownContent {
  const limit = findTokenLimit(rules, place.env);
  const images = hasImage(content);
  if (rules.isNew && !images && findOwnLimit(place) !== undefined) return content;
  // Not `<=`: the limit of the older CLI is NaN if the variable is not a number, and then nothing is too long.
  if (!(estimateTokens(content) > limit)) return content;
  if (images && typeof content !== 'string') return cutAroundImages(content, limit, rules);
  const oversized = toOversized(content, rules);
  return describeOversized(oversized, files.saveOversized(oversized.text), rules);
}

/** Applies the limit of characters. Results with images have no such limit. */
export function limitChars(content: ShownContent, { rules, files, place }: LimitContext): ShownContent {
  if (hasImage(content) || countChars(content, rules) <= findCharLimit(place, rules)) return content;
  const isText = typeof content === 'string';
  const whole = isText ? content : JSON.stringify(content, null, 2);
  const path = files.saveLong(whole, isText ? 'txt' : 'json');
  const preview = takePreview(whole, rules);
  const saved =
    path === undefined ? 'It was not saved: this session keeps no files.' : `Full output saved to: ${path}`;
  return (
    `<persisted-output>\nOutput too large (${describeSize(whole.length)}). ${saved}\n\nPreview (first 2KB):\n` +
    `${preview}${preview.length < whole.length ? '\n...' : ''}\n</persisted-output>`
  );
}

function hasImage(content: ShownContent): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'image');
}

/** The tool's own limit; undefined if it has no valid one. */
function findOwnLimit({ maxResultSizeChars: own }: ResultPlace): number | undefined {
  return typeof own === 'number' && own > 0 ? Math.min(own, MOST_CHARS) : undefined;
}

function findCharLimit(place: ResultPlace, { isNew }: CliRules): number {
  return isNew ? (findOwnLimit(place) ?? NEW_CHARS) : OLD_CHARS;
}

// The older CLI counts the characters of a list in its JSON form, with all escapes.
function countChars(content: ShownContent, { isNew }: CliRules): number {
  if (typeof content === 'string') return content.length;
  if (!isNew) return JSON.stringify(content).length;
  return content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
}

function estimateTokens(content: ShownContent): number {
  if (typeof content === 'string') return toTokens(content);
  return content.reduce(
    (sum, block) => sum + (block.type === 'text' ? toTokens(block.text) : IMAGE_TOKENS),
    0,
  );
}

function toTokens(text: string): number {
  return Math.round(text.length / CHARS_PER_TOKEN);
}

function cutAroundImages(content: ShownBlock[], limit: number, rules: CliRules): ShownBlock[] {
  const kept: ShownBlock[] = [];
  let left = Math.max(0, limit * CHARS_PER_TOKEN);
  let leftOut = 0;
  for (const block of content) {
    if (block.type === 'text') {
      const text = takeStart(block.text, left, rules);
      left = block.text.length > left ? 0 : left - block.text.length;
      if (text !== '' || block.text === '') kept.push({ type: 'text', text });
      continue;
    }
    // If the CLI's estimate for an image no longer fits, the length of the image's data counts.
    const estimate = IMAGE_TOKENS * CHARS_PER_TOKEN;
    const cost = left >= estimate ? estimate : block.source.data.length;
    if (cost > left) leftOut += 1;
    else {
      kept.push(block);
      left -= cost;
    }
  }
  const notes = [...(rules.isNew && leftOut > 0 ? [describeLeftOut(leftOut)] : []), describeCut(limit)];
  return [...kept, ...notes.map((text): ShownBlock => ({ type: 'text', text }))];
}

function describeLeftOut(images: number): string {
  return images === 1
    ? '[Image left out: it did not fit in the tool output limit]'
    : `[${images} images left out: they did not fit in the tool output limit]`;
}

function describeCut(limit: number): string {
  return (
    `\n\n[OUTPUT TRUNCATED - exceeded ${limit} token limit]\n\nThe tool output was truncated. If this MCP server provides ` +
    'pagination or filtering tools, use them to retrieve specific portions of the data. If pagination is not available, ' +
    'inform the user that you are working with truncated output and results may be incomplete.'
  );
}

// The preview ends at the end of a line, unless it would then be shorter than half of what is allowed.
function takePreview(text: string, rules: CliRules): string {
  if (text.length <= PREVIEW_CHARS) return text;
  const end = text.slice(0, PREVIEW_CHARS).lastIndexOf('\n');
  return end > PREVIEW_CHARS / 2 ? text.slice(0, end) : takeStart(text, PREVIEW_CHARS, rules);
}
