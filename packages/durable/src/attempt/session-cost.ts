// Measures the cost of a turn that has no result yet: the CLI's total now, minus its total when the turn began.
import { isRecord } from '@inboard/core/util/guards.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';

const LIMIT_MS = 1000;

/**
 * Asks the CLI for its total cost. Undefined if it cannot tell in time. Never rejects. The text for display is rounded, to a
 * cent where the total is large, so it counts only where the CLI has no number.
 */
async function readSessionCost(session: Session): Promise<number | undefined> {
  return (await readExactCost(session)) ?? (await readShownCost(session));
}

async function readExactCost(session: Session): Promise<number | undefined> {
  const options = { timeoutMs: LIMIT_MS, skipBehaviors: true };
  try {
    const usage: unknown = await session.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options);
    const totals = isRecord(usage) ? usage['session'] : undefined;
    const cost = isRecord(totals) ? totals['total_cost_usd'] : undefined;
    return typeof cost === 'number' ? cost : undefined;
  } catch {
    return undefined;
  }
}

async function readShownCost(session: Session): Promise<number | undefined> {
  try {
    return parseCost(await session.getSessionCost({ timeoutMs: LIMIT_MS }));
  } catch {
    // The CLI is too old, is ending or is busy. An unknown cost is no reason to fail.
    return undefined;
  }
}

/** The cost of one turn in a session that may have had earlier turns. */
export class TurnCostMeter {
  #before: Promise<number | undefined>;

  /** `totalUsd` is the session's cost before the turn. */
  constructor(totalUsd = 0) {
    this.#before = Promise.resolve(totalUsd);
  }

  /** Notes that the turn begins in a session that may already have costs. */
  begin(session: Session): void {
    this.#before = readSessionCost(session);
  }

  /** The turn's cost so far. 0 if the CLI cannot tell. Never rejects. */
  async read(session: Session): Promise<number> {
    const [before, now] = await Promise.all([this.#before, readSessionCost(session)]);
    return before === undefined || now === undefined ? 0 : Math.max(0, now - before);
  }
}

/** Reads the total from the CLI's text, such as `Total cost: $0.0123`. */
export function parseCost(text: string): number | undefined {
  const found = /Total cost:\s{0,40}\$(\d{1,12}(?:\.\d{1,12})?)/.exec(text);
  return found ? Number(found[1]) : undefined;
}
