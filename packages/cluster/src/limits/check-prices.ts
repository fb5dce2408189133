// Checks a table of prices by model.
import { isRecord } from '@inboard/core/util/guards.js';
import { checkShape, entries } from '@inboard/core/util/option-shapes.js';

const NAMES = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'webSearch'];

const PRICES = entries(
  'prices in US dollars per million tokens by model: { "claude-…": { input, output } }',
  (value) =>
    isRecord(value) &&
    isPrice(value['input']) &&
    isPrice(value['output']) &&
    Object.entries(value).every(
      ([name, price]) => NAMES.includes(name) && (price === undefined || isPrice(price)),
    ),
);

/** Throws an InvalidOptionsError for prices that are none. */
export function checkPrices(name: string, prices: unknown): void {
  checkShape(name, prices, PRICES);
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}
