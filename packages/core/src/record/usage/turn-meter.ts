// Finds what a single turn used, from results that report totals. Newer CLIs report the turn separately. For older CLIs the
// usage of a turn is the difference to the previous result, so the results of a session must be given in order.
import type { WireObject } from '../../wire/protocol/codec.js';
import { totalInput, type UsageCount } from './usage-count.js';
import { addModels, readSinceLast, readTotals, subtractModels, sumCosts, sumUsage } from './usage-totals.js';
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
const EARLIER_LIMIT = 8;

/** Measures the turns of one session. It must get each result once. */
export class TurnMeter {
  /** The totals of the session. */
  #totals = NOTHING;
  /** The totals of the last result, as its CLI reported them. */
  #reported = NOTHING;
  #startsOver = false;
  /** The totals that earlier CLIs had last. A CLI that resumes the session begins with one of them, or with zero. */
  #earlier: ReportedTotals[] = [];
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
    this.#remember(this.#reported);
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
   * stream. Where the CLI has sent no result yet, it tells with which totals the CLI began: those that leave the least, but
   * not less than was seen. Which of them the CLI had saved depends on when its predecessors ended.
   */
  measureOpen(totals: ReportedTotals, seen: UsageCount): Record<string, ModelShare> {
    const found = this.#startsOver
      ? [NOTHING, ...this.#earlier]
          .filter((begin) => hasAtLeast(totals, begin))
          .map((begin) => subtractModels(totals.byModel, begin.byModel))
          .filter((used) => inputOf(used) >= totalInput(seen))
          .toSorted((one, other) => inputOf(one) - inputOf(other))[0]
      : subtractModels(totals.byModel, this.#reported.byModel);
    this.#remember(totals);
    return found ?? totals.byModel;
  }

  #remember(totals: ReportedTotals): void {
    this.#earlier = [...this.#earlier, totals].slice(-EARLIER_LIMIT);
  }

  /** Adds what the running turn used on a CLI that is let go. No later result has it. */
  carry(byModel: Record<string, ModelShare>): void {
    this.#carried = addModels(this.#carried ?? {}, byModel);
    this.#addsUp = true;
  }
}

function inputOf(byModel: Record<string, ModelShare>): number {
  return totalInput(sumUsage(byModel));
}

/** Whether a CLI with these totals may have begun with `begin`. */
function hasAtLeast({ byModel }: ReportedTotals, begin: ReportedTotals): boolean {
  return Object.entries(begin.byModel).every(([model, share]) => {
    const now = byModel[model];
    return now !== undefined && totalInput(now) >= totalInput(share);
  });
}
