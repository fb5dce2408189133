// Finds what a single turn used, from results that report totals. Newer CLIs report the turn separately. For older CLIs the
// usage of a turn is the difference to the previous result, so the results of a session must be given in order.
import type { WireObject } from '../../wire/protocol/codec.js';
import { totalInput, type UsageCount } from './usage-count.js';
import {
  addModels,
  readSinceLast,
  readTotals,
  subtractModels,
  sumCosts,
  sumUsage,
} from './usage-totals.js';
import type { ModelShare, ReportedTotals } from './usage-totals.js';

/** What one turn used: its main loop, its subagents, and the CLI's own requests to a model. */
export interface TurnSpending {
  costUsd: number;
  usage: UsageCount;
  byModel: Record<string, ModelShare>;
  /** What the session has cost, including this turn, if its CLIs do not count that themselves. */
  totalCostUsd?: number | undefined;
}

const NOTHING: ReportedTotals = { costUsd: 0, byModel: {} };

/** Measures the turns of one session. It must get each result once. */
export class TurnMeter {
  /** The totals of the session. */
  #totals = NOTHING;
  /** The totals of the last result, as its CLI reported them. */
  #reported = NOTHING;
  #startsOver = false;
  /** What the running turn used on CLIs that were let go. */
  #carried: Record<string, ModelShare> | undefined;
  /** Whether a CLI was ever let go. The CLIs after it do not know what it used, so the turns are added up here. */
  #addsUp = false;

  /** The totals of the session, up to the last result. */
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
    const startsOver = this.#startsOver || totals.costUsd < this.#reported.costUsd;
    const before = startsOver ? undefined : this.#reported;
    const sinceLast = readSinceLast(result);
    const reported = sinceLast ?? subtractModels(totals.byModel, before?.byModel ?? {});
    const reportedCost = sinceLast ? sumCosts(sinceLast) : totals.costUsd - (before?.costUsd ?? 0);
    const carried = this.#carried ?? {};
    const byModel = addModels(reported, carried);
    const costUsd = reportedCost + sumCosts(carried);
    this.#carried = undefined;
    this.#reported = totals;
    this.#startsOver = false;
    const spending: TurnSpending = { costUsd, usage: sumUsage(byModel), byModel };
    if (!this.#addsUp) {
      this.#totals = totals;
      return spending;
    }
    const totalCostUsd = this.#totals.costUsd + costUsd;
    this.#totals = { costUsd: totalCostUsd, byModel: addModels(this.#totals.byModel, byModel) };
    return { ...spending, totalCostUsd };
  }

  /**
   * What the turn used on a CLI that will be let go, from the totals that this CLI has at the moment. `seen` was seen on the
   * stream. It tells whether a CLI that has sent no result yet counts from zero or goes on with the totals before it.
   */
  measureOpen(totals: ReportedTotals, seen: UsageCount): Record<string, ModelShare> {
    const sinceLast = subtractModels(totals.byModel, this.#reported.byModel);
    const isCovered = totalInput(sumUsage(sinceLast)) >= totalInput(seen);
    return isCovered || !this.#startsOver ? sinceLast : totals.byModel;
  }

  /** Adds what the running turn used on a CLI that is let go. No later result has it. */
  carry(byModel: Record<string, ModelShare>): void {
    this.#carried = addModels(this.#carried ?? {}, byModel);
    this.#addsUp = true;
  }
}
