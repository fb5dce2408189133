// The notice that replaces a result with too many tokens. Its sentences are those of the CLI, as seen in its requests.
import type { CliRules } from './cli-rules.js';
import { describeShape } from './describe-shape.js';
import type { ShownBlock } from './shown-result.js';

/** A result that is saved instead of shown. */
export interface OversizedResult {
  /** The text of the file. */
  text: string;
  /** The parsed JSON; undefined for plain text. */
  json?: unknown;
}

// In characters. The CLI's Read tool cannot split a line, and the notice says so if a line is longer than this.
const LONG_LINE = 80_000;

/**
 * The text of the file for this content. The newer CLI writes a list with a single text as that text. The older CLI
 * writes every list as JSON.
 */
export function toOversized(content: string | ShownBlock[], { isNew }: CliRules): OversizedResult {
  if (typeof content === 'string') {
    try {
      return { text: content, json: JSON.parse(content) as unknown };
    } catch {
      return { text: content };
    }
  }
  const [first] = content;
  if (isNew && content.length === 1 && first?.type === 'text') return { text: first.text };
  return { text: JSON.stringify(content, null, 2), json: content };
}

/** The notice. Without a path it tells the model, in our own words, that the result was not saved. */
export function describeOversized(
  result: OversizedResult,
  path: string | undefined,
  rules: CliRules,
): string {
  const { text, json } = result;
  const isJson = json !== undefined;
  const characters = `${count(text.length)} characters`;
  const size = isJson || !rules.isNew ? characters : `${characters} across ${describeLines(text)}`;
  const start = `Error: result (${size}) exceeds maximum allowed tokens.`;
  if (path === undefined)
    return `${start} It was not saved: this session keeps no files. Ask for less at a time.\n`;
  const kind = Array.isArray(json) ? 'JSON array' : 'JSON';
  const hasLongLine = !isJson && findLongestLine(text) > LONG_LINE;
  return [
    `${start} Output has been saved to ${path}.`,
    `Format: ${isJson ? `${kind} with schema: ${describeShape(json)}` : 'Plain text'}`,
    describeAccess({ isJson, hasLongLine }, rules),
    'REQUIREMENTS FOR SUMMARIZATION/ANALYSIS/REVIEW:',
    `- You MUST read the content from the file at ${path} in sequential chunks until 100% of the content has been read.`,
    ...describeLineLength({ isJson, hasLongLine }, path, rules),
    '- If you receive truncation warnings when reading the file, reduce the chunk size until you have read 100% of the content without truncation.',
    '- Before producing ANY summary or analysis, you MUST explicitly describe what portion of the content you have read. ***If you did not read the entire content, you MUST explicitly state this.***',
    ...(rules.isNew
      ? [
          "- If after a few attempts you cannot read the file (file not found, lines too long for Read's offset/limit, no shell access), STOP retrying. Summarize what you were able to read, explicitly state which portion you could not read and why, and proceed.",
        ]
      : []),
    '',
  ].join('\n');
}

interface FileFacts {
  isJson: boolean;
  hasLongLine: boolean;
}

function describeAccess({ isJson, hasLongLine }: FileFacts, { isNew }: CliRules): string {
  if (!isNew) {
    return 'Use offset and limit parameters to read specific portions of the file, the Grep tool to search for specific content, and jq to make structured queries.';
  }
  if (isJson) return 'Use jq to make structured queries (find a value, filter by field).';
  return hasLongLine
    ? 'Search within the file for specific content, and use jq if the content is JSON.'
    : 'Use offset and limit parameters to read specific portions of the file, search within it for specific content, and jq to make structured queries.';
}

function describeLineLength({ isJson, hasLongLine }: FileFacts, path: string, { isNew }: CliRules): string[] {
  if (!isNew) return [];
  if (isJson) {
    return [
      `- Note: this file is JSON, so a long value (or the whole file) is a single line. Read's offset/limit cannot split a line, so reading in chunks works only if every line is short. If a shell tool is available, first probe the structure (e.g., jq 'type, length, keys?' ${path}), then extract slices with jq or python.`,
    ];
  }
  if (!hasLongLine) return [];
  return [
    "- Note: this file's lines are too long for Read's offset/limit chunking. If a shell tool is available, slice by character range (e.g. python read()[A:B], dd, or cut -c) instead.",
  ];
}

function describeLines(text: string): string {
  const breaks = text.split('\n').length - 1;
  const lines = text.endsWith('\n') ? breaks : breaks + 1;
  return `${count(lines)} ${lines === 1 ? 'line' : 'lines'}`;
}

function findLongestLine(text: string): number {
  let longest = 0;
  for (let start = 0; start <= text.length;) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    longest = Math.max(longest, stop - start);
    start = stop + 1;
  }
  return longest;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
