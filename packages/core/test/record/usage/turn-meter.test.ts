// What a turn used on CLIs that were let go: each CLI may count from zero, or from what an earlier one had saved.
import { expect, it } from 'vitest';
import { UsageLedger } from '../../../src/record/usage/usage-ledger.js';
import type { ReportedTotals } from '../../../src/record/usage/usage-totals.js';

const usageOf = (model: string, requests: number) => ({
  [model]: { inputTokens: 10 * requests, outputTokens: 5 * requests, costUSD: requests },
});
const totalsOf = (shares: Record<string, number>): ReportedTotals => {
  const shown = Object.entries(shares).map(([model, requests]) => {
    const noCache = { cacheReadInputTokens: 0, cacheCreationInputTokens: 0, cacheCreation1hInputTokens: 0 };
    const counts = { inputTokens: 10 * requests, outputTokens: 5 * requests, webSearchRequests: 0 };
    return [model, { ...noCache, ...counts, costUsd: requests }];
  });
  const costUsd = Object.values(shares).reduce((sum, cost) => sum + cost, 0);
  return { costUsd, byModel: Object.fromEntries(shown) as ReportedTotals['byModel'] };
};

function createSession() {
  const ledger = new UsageLedger();
  let messages = 0;
  const ask = (model: string): void => {
    const usage = { input_tokens: 10, output_tokens: 1 };
    ledger.observe({ type: 'assistant', message: { id: `msg_${(messages += 1)}`, model, usage } });
  };
  const end = (shares: Record<string, number>, since: Record<string, number>): void => {
    const modelUsage = Object.assign({}, ...Object.entries(shares).map(([model, n]) => usageOf(model, n)));
    const own = Object.assign({}, ...Object.entries(since).map(([model, n]) => usageOf(model, n)));
    const total_cost_usd = Object.values(shares).reduce((sum, cost) => sum + cost, 0);
    ledger.observe({ type: 'result', total_cost_usd, modelUsage, model_usage_since_last_result: own });
  };
  const leave = (shares: Record<string, number>): void => {
    ledger.letGo(totalsOf(shares));
    ledger.startOver();
  };
  return { ledger, ask, end, leave };
}

it.each([
  ['count from zero', { m: 1 }, { m: 1 }],
  ['go on with what the one before had', { m: 2 }, { m: 3 }],
  ['go on with the last result', { m: 2 }, { m: 2 }],
])('counts each request once where later CLIs %s', (_, second, last) => {
  const { ledger, ask, end, leave } = createSession();
  ask('m');
  end({ m: 1 }, { m: 1 });
  ledger.startOver();
  ask('m');
  leave(second);
  ask('m');
  leave(last);
  ask('m');
  end({ m: 1 }, { m: 1 });
  expect(ledger.report().turns.map(({ turnCostUsd }) => turnCostUsd)).toEqual([1, 3]);
  expect(ledger.report().total).toMatchObject({ totalCostUsd: 4, usage: { inputTokens: 40 } });
});

it('counts each request once where a CLI goes on with what an older one had saved', () => {
  const { ledger, ask, end, leave } = createSession();
  ask('opus');
  leave({ opus: 1 });
  end({}, {}); // the turn was stopped
  ledger.startOver();
  ask('haiku');
  end({ opus: 1, haiku: 1 }, { haiku: 1 });
  ask('haiku');
  leave({ opus: 1, haiku: 2 });
  ask('haiku');
  leave({ opus: 1, haiku: 1 });
  ask('haiku');
  end({ haiku: 1 }, { haiku: 1 });
  expect(ledger.report().turns.map(({ turnCostUsd }) => turnCostUsd)).toEqual([1, 1, 3]);
  expect(ledger.report().total.usage.inputTokens).toBe(50);
});
