// Finds what a single turn used, from results that report totals. Newer CLIs report the turn separately. For older CLIs the
// usage of a turn is the difference to the previous result, so the results of a session must be given in order.
import type { WireObject } from '../../wire/protocol/codec.js';
import type { UsageCount } from './usage-count.js';
import { readSinceLast, readTotals, subtractModels, sumCosts, sumUsage } from './usage-totals.js';
import type { ModelShare, ReportedTotals } from './usage-totals.js';

/** What one turn used: its main loop, its subagents, and the CLI's own requests to a model. */
export interface TurnSpending {
  costUsd: number;
  usage: UsageCount;
  byModel: Record<string, ModelShare>;
}

/** Measures the turns of one session. It must get each result once. */
export class TurnMeter {
  #totals: ReportedTotals = { costUsd: 0, byModel: {} };
  #startsOver = false;

  /** The totals of the last result. */
  get totals(): ReportedTotals {
    return this.#totals;
  }

  /**
   * Notes that the next result is from another CLI. An older CLI then counts from zero. A newer CLI reports the turn
   * separately.
   */
  startOver(): void {
    this.#startsOver = true;
  }

  measure(message: object): TurnSpending {
    const result = message as WireObject;
    const totals = readTotals(result);
    // A lower total than before means that the CLI counts from zero again.
    const startsOver = this.#startsOver || totals.costUsd < this.#totals.costUsd;
    const before = startsOver ? undefined : this.#totals;
    const sinceLast = readSinceLast(result);
    const byModel = sinceLast ?? subtractModels(totals.byModel, before?.byModel ?? {});
    const costUsd = sinceLast ? sumCosts(sinceLast) : totals.costUsd - (before?.costUsd ?? 0);
    this.#totals = totals;
    this.#startsOver = false;
    return { costUsd, usage: sumUsage(byModel), byModel };
  }
}
