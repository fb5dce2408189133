// What a turn that has no result yet has cost, as far as the CLI tells: its own count now, less that at the turn's begin.
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';

const LIMIT_MS = 1000;

/** Asks a session what it has cost; undefined where the CLI cannot tell in time. Never rejects. */
async function readSessionCost(session: Session): Promise<number | undefined> {
  try {
    return parseCost(await session.getSessionCost({ timeoutMs: LIMIT_MS }));
  } catch {
    // An older CLI, one that is ending, or one that is busy: the cost is not known, which is no reason to fail.
    return undefined;
  }
}

/** The cost of one turn, in a session that may have had others before. */
export class TurnCostMeter {
  #before: Promise<number | undefined>;

  /** `totalUsd` is what the session has cost before the turn. */
  constructor(totalUsd = 0) {
    this.#before = Promise.resolve(totalUsd);
  }

  /** The turn begins in a session that has costs of its own already. */
  begin(session: Session): void {
    this.#before = readSessionCost(session);
  }

  /** What it has cost up to now; 0 where the CLI cannot tell. Never rejects. */
  async read(session: Session): Promise<number> {
    const [before, now] = await Promise.all([this.#before, readSessionCost(session)]);
    return before === undefined || now === undefined ? 0 : Math.max(0, now - before);
  }
}

/** The total in the CLI's words, such as `Total cost: $0.0123`. */
export function parseCost(text: string): number | undefined {
  const found = /Total cost:\s{0,40}\$(\d{1,12}(?:\.\d{1,12})?)/.exec(text);
  return found ? Number(found[1]) : undefined;
}
