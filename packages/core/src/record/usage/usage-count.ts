// Counts of tokens. Reads them in the two forms in which the CLI writes them, adds and subtracts them, and computes their
// cost from a price table.
import { isRecord } from '../../util/guards.js';

/** Tokens by kind. `cacheCreation1hInputTokens` is the part of `cacheCreationInputTokens` that is kept for an hour. */
export interface UsageCount {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  cacheCreation1hInputTokens: number;
  webSearchRequests: number;
}

/**
 * Prices in US dollars per million tokens. `webSearch` is a price per request. A missing price of the cache is derived
 * from `input` at the API's usual rates.
 */
export interface ModelPrice {
  input: number;
  output: number;
  /** Default a tenth of `input`. */
  cacheRead?: number | undefined;
  /** Default 1.25 times `input`. */
  cacheWrite?: number | undefined;
  /** Default twice `input`. */
  cacheWrite1h?: number | undefined;
  /** Default 0.01. */
  webSearch?: number | undefined;
}

/** Prices by model. The key need not have the date or the `[1m]` at the end of a reported name. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;

const FIELDS = [
  'inputTokens',
  'outputTokens',
  'cacheReadInputTokens',
  'cacheCreationInputTokens',
  'cacheCreation1hInputTokens',
  'webSearchRequests',
] as const satisfies readonly (keyof UsageCount)[];

const PER_MILLION = 1e6;

/** A count in which everything is 0. */
export function noUsage(): UsageCount {
  return combine(() => 0);
}

/** The counts in a `usage` object of the API. */
export function readApiUsage(usage: unknown): UsageCount {
  const given = isRecord(usage) ? usage : {};
  const creation = isRecord(given['cache_creation']) ? given['cache_creation'] : {};
  const server = isRecord(given['server_tool_use']) ? given['server_tool_use'] : {};
  return {
    inputTokens: readNumber(given['input_tokens']),
    outputTokens: readNumber(given['output_tokens']),
    cacheReadInputTokens: readNumber(given['cache_read_input_tokens']),
    cacheCreationInputTokens: readNumber(given['cache_creation_input_tokens']),
    cacheCreation1hInputTokens: readNumber(creation['ephemeral_1h_input_tokens']),
    webSearchRequests: readNumber(server['web_search_requests']),
  };
}

/** The counts in one entry of the CLI's `modelUsage`. */
export function readModelUsage(usage: unknown): UsageCount {
  const given = isRecord(usage) ? usage : {};
  return {
    ...combine((field) => readNumber(given[field])),
    cacheCreation1hInputTokens: readNumber(given['cacheCreationEphemeral1hInputTokens']),
  };
}

/** All tokens that were sent to the model, cached or not. */
export function totalInput(count: UsageCount): number {
  return count.inputTokens + count.cacheReadInputTokens + count.cacheCreationInputTokens;
}

/** The sum of two counts. */
export function addUsage(one: UsageCount, other: UsageCount): UsageCount {
  return combine((field) => one[field] + other[field]);
}

/** The first count minus the second. No number goes below zero. */
export function subtractUsage(all: UsageCount, part: UsageCount): UsageCount {
  return combine((field) => Math.max(0, all[field] - part[field]));
}

/** For each field, the larger of two readings of one growing count. */
export function maxUsage(one: UsageCount, other: UsageCount): UsageCount {
  return combine((field) => Math.max(one[field], other[field]));
}

/** The cost of a count according to a price table; undefined if the table does not have the model. */
export function priceOf(model: string, count: UsageCount, table: PriceTable): number | undefined {
  const price = findPrice(model, table);
  if (price === undefined) return undefined;
  const { input, output, cacheRead = input / 10, cacheWrite = input * 1.25 } = price;
  const { cacheWrite1h = input * 2, webSearch = 0.01 } = price;
  const shortCreation = count.cacheCreationInputTokens - count.cacheCreation1hInputTokens;
  const tokens =
    count.inputTokens * input +
    count.outputTokens * output +
    count.cacheReadInputTokens * cacheRead +
    shortCreation * cacheWrite +
    count.cacheCreation1hInputTokens * cacheWrite1h;
  return tokens / PER_MILLION + count.webSearchRequests * webSearch;
}

function findPrice(model: string, table: PriceTable): ModelPrice | undefined {
  const plain = model.replace(/\[\w+\]$/, '');
  const undated = plain.replace(/[-@]\d{8}$/, '');
  for (const name of [model, plain, undated]) if (Object.hasOwn(table, name)) return table[name];
  return undefined;
}

function combine(count: (field: keyof UsageCount) => number): UsageCount {
  return Object.fromEntries(FIELDS.map((field) => [field, count(field)])) as unknown as UsageCount;
}

function readNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
