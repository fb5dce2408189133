// The error messages of the official SDK, and our messages for the same errors. Programs compare such texts, because
// the official errors have little else. This file decides whether a comparison would still match.
import { stringValue } from '../tokens/string-value.js';
import type { Token } from '../tokens/token.js';

/** Messages of the official SDK's errors, as observed. What varies at the end of a message is left out. */
const OFFICIAL = [
  'Claude Code process exited with code 1. stderr: ',
  'Claude Code process terminated by signal SIG',
  'Claude Code process aborted by user',
  'Claude Code returned an error result: ',
  'Operation aborted',
  'ProcessTransport is not ready for writing',
  'Query closed before response received',
  'SDK MCP server not found: ',
];

/** Our messages for these errors. packages/cli/test/migrate/rules.test.ts compares them with the real errors. */
export const OURS = [
  'The Claude CLI exited with code 1 before its work was done. It wrote to stderr: ',
  'The Claude CLI was ended by SIG',
  'The query was aborted by its caller',
  'The CLI returned an error result: ',
  'The session is closed',
  'There is no in-process MCP server named ',
];

// Shorter texts occur in too many other messages.
const SHORTEST = 9;

/** Whether a text is part of a message of the official SDK. */
export function isOfficialMessage(text: string): boolean {
  return text.trim().length >= SHORTEST && isPartOf(text, OFFICIAL);
}

/** Whether a comparison with the text matches an error of the official SDK, but none of ours. */
export function isLostMessage(text: string): boolean {
  return isOfficialMessage(text) && !isPartOf(text, OURS);
}

// The case is ignored, because some programs convert a message to lower case before they compare it.
function isPartOf(text: string, messages: readonly string[]): boolean {
  const wanted = text.toLowerCase();
  return messages.some((message) => message.toLowerCase().includes(wanted));
}

/** The text that a token stands for in a comparison. For a regular expression, this is its longest run of plain words. */
export function comparedText(token: Token): string | undefined {
  if (token.kind !== 'regex') return stringValue(token);
  const runs = token.text.slice(1).match(/[a-z][a-z ]*/gi) ?? [];
  return runs.toSorted((left, right) => right.length - left.length)[0]?.trim();
}
