// Reads the cumulative numbers of a result, and the part that a single turn added.
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { addUsage, noUsage, readModelUsage, subtractUsage, type UsageCount } from './usage-count.js';

/** What one model used, and its share of the cost of what this is a part of: a turn, or the whole session. */
export type ModelShare = UsageCount & { costUsd: number };

/** The cumulative numbers of a result. */
export interface ReportedTotals {
  costUsd: number;
  byModel: Record<string, ModelShare>;
}

/** The totals of a result. A missing number counts as zero. */
export function readTotals(result: WireObject): ReportedTotals {
  const cost = result['total_cost_usd'];
  return { costUsd: typeof cost === 'number' ? cost : 0, byModel: readShares(result['modelUsage']) ?? {} };
}

/** The usage of the turn as the CLI reports it; undefined if this version of the CLI does not report it. */
export function readSinceLast(result: WireObject): Record<string, ModelShare> | undefined {
  return readShares(result['model_usage_since_last_result']);
}

function readShares(value: unknown): Record<string, ModelShare> | undefined {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([model, usage]) => {
      const cost = isRecord(usage) ? usage['costUSD'] : undefined;
      return [model, { ...readModelUsage(usage), costUsd: typeof cost === 'number' ? cost : 0 }];
    }),
  );
}

/** The usage of a turn, computed as the difference between the totals of two results. */
export function subtractModels(
  all: Record<string, ModelShare>,
  before: Record<string, ModelShare>,
): Record<string, ModelShare> {
  return Object.fromEntries(
    Object.entries(all).map(([model, share]) => {
      const earlier = before[model];
      if (!earlier) return [model, share];
      const costUsd = Math.max(0, share.costUsd - earlier.costUsd);
      return [model, { ...subtractUsage(share, earlier), costUsd }];
    }),
  );
}

/** The sum of two usages, model by model. */
export function addModels(
  one: Record<string, ModelShare>,
  other: Record<string, ModelShare>,
): Record<string, ModelShare> {
  const sum = { ...one };
  for (const [model, share] of Object.entries(other)) {
    const known = sum[model];
    sum[model] = known ? { ...addUsage(known, share), costUsd: known.costUsd + share.costUsd } : share;
  }
  return sum;
}

/** The usage of all models together. */
export function sumUsage(byModel: Record<string, ModelShare>): UsageCount {
  return Object.values(byModel).reduce<UsageCount>(addUsage, noUsage());
}

/** The cost of all models together. */
export function sumCosts(byModel: Record<string, ModelShare>): number {
  return Object.values(byModel).reduce((cost, share) => cost + share.costUsd, 0);
}
