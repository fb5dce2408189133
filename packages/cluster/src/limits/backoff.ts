// How long new turns are put off when the API refuses more (429, 529). Arithmetic only: the pause itself is kept in the journal,
// so that it holds for all workers; each worker reckons from the refusals that it has seen.

import { pauseBefore, varyPause, type Random } from '@inboard/core/util/back-off.js';
import { clock } from '@inboard/core/util/system/clock.js';

/** What an API said when it refused. */
export interface ApiRefusal {
  /** On whose behalf; undefined for all. */
  tenant?: string | undefined;
  /** Milliseconds to wait, where it said so. */
  retryAfterMs?: number | undefined;
  /** Which try of the same request it was, from 1. */
  attempt?: number | undefined;
}

/** Reckons pauses from refusals. */
export interface Backoff {
  /** Milliseconds for which new turns are to be put off. */
  refused(refusal?: ApiRefusal): number;
  /** A turn went through: the next pause will be shorter. */
  succeeded(tenant?: string): void;
}

/** The pauses without a word from the API. */
const OWN_PAUSES = { firstMs: 1000, longestMs: 60_000 };
/** What an API says counts up to here: beyond it, asking again is better than waiting. */
const LONGEST_TOLD_MS = 15 * 60_000;
/** Refusals so old say nothing any more. */
const FORGET_MS = 5 * 60_000;
const MOST_TENANTS = 10_000;

interface Pressure {
  /** Pauses that were needed without a success between. */
  level: number;
  /** When the newest pause ends. */
  until: number;
}

/** Makes a back-off. `now` is in milliseconds and never goes back; `random` gives 0 to 1. */
export function createBackoff({
  now = () => clock.performance.now(),
  random,
}: { now?: (() => number) | undefined; random?: Random | undefined } = {}): Backoff {
  const pressures = new Map<string | undefined, Pressure>();

  const forget = (at: number): void => {
    for (const [tenant, { until }] of pressures) if (at - until > FORGET_MS) pressures.delete(tenant);
  };

  return {
    refused({ tenant, retryAfterMs, attempt = 1 } = {}) {
      const at = now();
      forget(at);
      const before = pressures.get(tenant);
      // Turns that ran side by side are refused together: during a pause a refusal is the same one.
      const level = before === undefined ? 0 : at < before.until ? before.level : before.level + 1;
      const reached = Math.max(level, readAttempt(attempt) - 1);
      const own = pauseBefore(reached, OWN_PAUSES);
      const told = readTold(retryAfterMs);
      // Never less than the API asked for; without a word of it between a half and the whole.
      const ms = Math.round(
        told > 0 ? Math.max(told, own / 2) + spread(told, random) : varyPause(own, [0.5, 1], random),
      );
      if (before === undefined && pressures.size >= MOST_TENANTS) return ms;
      pressures.set(tenant, { level: reached, until: Math.max(before?.until ?? 0, at + ms) });
      return ms;
    },
    succeeded(tenant) {
      const before = pressures.get(tenant);
      // What ends during a pause had begun before it.
      if (before === undefined || now() < before.until) return;
      if (before.level === 0) pressures.delete(tenant);
      else before.level = Math.floor(before.level / 2);
    },
  };
}

/** How long a worker waits that was told of a pause: a little longer than it, each another time, so that not all begin at once. */
export function spreadPause(forMs: number, random?: Random): number {
  return Math.round(forMs + spread(forMs, random));
}

function spread(ms: number, random: Random | undefined): number {
  return varyPause(Math.min(ms / 4, 5000), [0, 1], random);
}

function readTold(ms: number | undefined): number {
  return ms !== undefined && ms > 0 ? Math.min(ms, LONGEST_TOLD_MS) : 0;
}

function readAttempt(attempt: number): number {
  return Number.isInteger(attempt) && attempt > 0 ? Math.min(attempt, 20) : 1;
}
