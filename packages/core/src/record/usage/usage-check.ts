// Finds contradictions between the numbers of a result, the previous result, the stream, and the caller's prices.
// Contradictions are reported, and nothing is corrected.
import { priceOf, totalInput, type PriceTable, type UsageCount } from './usage-count.js';
import { sumCosts, type ReportedTotals } from './usage-totals.js';

/** A number that the CLI reported and that contradicts another number. */
export interface UsageDisagreement {
  kind: 'cost-decreased' | 'models-do-not-sum-up' | 'price-differs' | 'tokens-differ';
  /** The turn with the result, from 1. */
  turn: number;
  /** The number that the CLI reported. */
  reported: number;
  /** The number that the CLI should have reported. */
  expected: number;
  model?: string;
  message: string;
}

interface Comparison {
  turn: number;
  totals: ReportedTotals;
  /** The totals of the previous result; undefined when the CLI counts from zero again. */
  before: ReportedTotals | undefined;
  prices: PriceTable | undefined;
  /** The main loop's usage of the turn, added up from its messages. */
  counted: UsageCount;
  /** The main loop's usage of the turn, as the CLI reported it. */
  main: UsageCount;
}

/** Equal costs may differ by this much, because sums of many floating-point prices differ in their last digits. */
const ABSOLUTE_TOLERANCE = 1e-6;
const RELATIVE_TOLERANCE = 0.005;

/** Finds every disagreement in one result. */
export function compareCosts(comparison: Comparison): UsageDisagreement[] {
  return [
    ...findDecrease(comparison),
    ...findWrongSum(comparison),
    ...findWrongPrices(comparison),
    ...findUnreportedTokens(comparison),
  ];
}

function findDecrease({ turn, totals, before }: Comparison): UsageDisagreement[] {
  if (!before || totals.costUsd >= before.costUsd - ABSOLUTE_TOLERANCE) return [];
  const [reported, expected] = [totals.costUsd, before.costUsd];
  const message =
    `The total cost went down from $${format(expected)} to $${format(reported)}, although it counts from ` +
    'the beginning of the session. Add up the turns instead.';
  return [{ kind: 'cost-decreased', turn, reported, expected, message }];
}

function findWrongSum({ turn, totals }: Comparison): UsageDisagreement[] {
  const sum = sumCosts(totals.byModel);
  if (Object.keys(totals.byModel).length === 0 || isClose(sum, totals.costUsd)) return [];
  const message = `The models' costs add up to $${format(sum)}, but the total is $${format(totals.costUsd)}.`;
  return [{ kind: 'models-do-not-sum-up', turn, reported: totals.costUsd, expected: sum, message }];
}

function findWrongPrices({ turn, totals, prices }: Comparison): UsageDisagreement[] {
  if (!prices) return [];
  return Object.entries(totals.byModel).flatMap(([model, share]) => {
    const expected = priceOf(model, share, prices);
    if (expected === undefined || isClose(expected, share.costUsd)) return [];
    const message =
      `${model} is reported at $${format(share.costUsd)} in total, but costs $${format(expected)} according to ` +
      'the price table. Discounts and fast mode also change the price.';
    return [{ kind: 'price-differs', turn, model, reported: share.costUsd, expected, message }];
  });
}

/** Finds tokens that the result does not report. Fewer counted tokens are no error, as the stream may lack messages. */
function findUnreportedTokens({ turn, counted, main }: Comparison): UsageDisagreement[] {
  const [reported, expected] = [totalInput(main), totalInput(counted)];
  if (expected <= reported) return [];
  const message =
    `The messages of the turn report ${expected} tokens, but its result reports ${reported}. ` +
    'A call that was retried or aborted may be missing from it.';
  return [{ kind: 'tokens-differ', turn, reported, expected, message }];
}

function isClose(one: number, other: number): boolean {
  const allowed = Math.max(ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE * Math.max(one, other));
  return Math.abs(one - other) <= allowed;
}

function format(usd: number): string {
  return usd.toFixed(6);
}
