// What a live call and `showToModel` are compared by: the block, the entry's fields and the files, without what is random in names.
import { createHash } from 'node:crypto';
import { showDenial, showRpcError } from '../../../src/calls/result/show-failure.js';
import { showToModel } from '../../../src/calls/result/show-to-model.js';
import {
  toToolResultBlock,
  type ResultFile,
  type ShownResult,
} from '../../../src/calls/result/shown-result.js';
import { SERVER, TOOL_LIMITS, type ResultRow } from './rows.js';

/** A row as it was seen, by a CLI or by us, in a form that can be compared and kept. */
export interface SeenResult {
  block: unknown;
  toolUseResult: unknown;
  mcpMeta?: unknown;
  toolDenialKind?: unknown;
  holdsPersonsWords?: unknown;
  permissionDecision?: unknown;
  /** What each file holds, in the order in which the block names them. */
  files: string[];
}

/** Where a row is shown. */
export interface RowPlace {
  cliVersion: string;
  resultsFolder: string;
  env?: Record<string, string>;
}

/** The tool that a row calls. */
export function toolOf({ denial, tool }: ResultRow): keyof typeof TOOL_LIMITS {
  return denial ? 'ask' : (tool ?? 'give');
}

/** The id of a row's call. */
export function idOf(index: number): string {
  return `toolu_row${index}`;
}

/** What we make of a row. */
export function showRow(row: ResultRow, index: number, place: RowPlace): ShownResult {
  const { cliVersion } = place;
  if (row.denial) return showDenial(row.denial, cliVersion);
  if (row.error) return showRpcError(row.error, cliVersion);
  const tool = toolOf(row);
  return showToModel(row.result ?? {}, {
    ...place,
    server: SERVER,
    tool,
    toolUseId: idOf(index),
    maxResultSizeChars: TOOL_LIMITS[tool],
    // As long as the CLI's own, because the length of a path counts.
    at: 1_700_000_000_000,
  });
}

/** The same as `SeenResult`. */
export function describeShown(shown: ShownResult, index: number, place: RowPlace): SeenResult {
  const { toolUseResult, entryFields = {}, files } = shown;
  const block = toToolResultBlock(shown, idOf(index));
  // An image that was left out is saved all the same, by the CLI as well, but nothing tells the name.
  const named = findPaths(JSON.stringify([block, toolUseResult]), place.resultsFolder);
  const contents = named.map((path) => describeBytes(Buffer.from(findFile(files, path))));
  return normalize({ block, toolUseResult, ...entryFields, files: contents }, place.resultsFolder);
}

/** A transcript's entry with a result, and a function that reads a file it names. */
export function describeEntry(
  entry: Record<string, unknown>,
  place: RowPlace,
  read: (path: string) => Buffer,
): SeenResult {
  const { message, toolUseResult, mcpMeta, toolDenialKind, holdsPersonsWords } = entry;
  const permissionDecision = entry['permissionDecision'] as { decision?: string } | undefined;
  // That a call was allowed is not a fact about its result.
  const denied = permissionDecision?.decision === 'reject' ? { permissionDecision } : {};
  const [block] = (message as { content: unknown[] }).content;
  const files = findPaths(JSON.stringify([block, toolUseResult]), place.resultsFolder);
  const seen = {
    block,
    toolUseResult,
    ...dropUndefined({ mcpMeta, toolDenialKind, holdsPersonsWords }),
    ...denied,
    files: files.map((path) => describeBytes(read(path))),
  };
  return normalize(seen, place.resultsFolder);
}

/** A text as the API would read it: half of a character cannot be sent. */
export function asSent<Value>(value: Value): Value {
  return mapStrings(value, (words) => Buffer.from(words).toString()) as Value;
}

/** A value without folders and random parts of names. */
export function normalize<Value>(value: Value, folder: string): Value {
  const replace = (words: string): string =>
    words
      .replaceAll(folder, '<results>')
      .replaceAll(/-blob-\d{13}-[0-9a-z]{6}\./g, '-blob-<name>.')
      .replaceAll(/(<results>\/mcp-[\w-]+?)-\d{13}(?:-[0-9a-z]{6})?\.txt/g, '$1-<name>.txt');
  return mapStrings(value, replace) as Value;
}

/** Long texts by their start, length and digest, and long lists alike, so that recordings stay small. */
export function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= 2500 ? value : summarize(value);
  if (Array.isArray(value)) return value.length <= 50 ? value.map(shorten) : summarize(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part)]));
}

// Not by its UTF-8, in which all halves of characters are alike.
function summarize(words: string): unknown {
  return { start: words.slice(0, 80), length: words.length, sha256: hash(Buffer.from(words, 'utf16le')) };
}

function findFile(files: ResultFile[], path: string): Buffer | string {
  const file = files.find((each) => each.path === path);
  if (file === undefined) throw new Error(`The result names ${path}, but there is no such file`);
  return file.data;
}

/** All paths in the folder that a JSON text names, each once, in order. */
function findPaths(json: string, folder: string): string[] {
  const names = json.split(`${folder}/`).slice(1);
  return [...new Set(names.map((rest) => `${folder}/${/^[\w-]+\.[a-z0-9]+/.exec(rest)?.[0] ?? ''}`))];
}

function describeBytes(bytes: Buffer): string {
  return `${bytes.length} bytes, ${hash(bytes)}`;
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

function dropUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function mapStrings(value: unknown, change: (words: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((part) => mapStrings(part, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapStrings(part, change)]));
}
