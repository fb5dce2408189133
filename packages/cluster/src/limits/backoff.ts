// Calculates how long new turns are delayed when the API refuses more (429, 529). Each worker calculates from the refusals that
// it has seen. The journal stores the pause, so that it holds for all workers.

import { pauseBefore, varyPause, type Random } from '@inboard/core/util/back-off.js';
import { clock } from '@inboard/core/util/system/clock.js';

/** A refusal by the API, with what it said. */
export interface ApiRefusal {
  /** The tenant whose request was refused. Undefined if the pause is for all tenants. */
  tenant?: string | undefined;
  /** Milliseconds to wait, if the API named a time. */
  retryAfterMs?: number | undefined;
  /** Which try of the same request was refused, counted from 1. */
  attempt?: number | undefined;
}

/** Calculates pauses from refusals. */
export interface Backoff {
  /** Returns for how many milliseconds new turns should be delayed. */
  refused(refusal?: ApiRefusal): number;
  /** Notes that a turn succeeded, so that the next pause is shorter. */
  succeeded(tenant?: string): void;
}

/** The pauses if the API names no time. */
const OWN_PAUSES = { firstMs: 1000, longestMs: 60_000 };
/** The longest pause that the API can ask for. Beyond it, asking again is better than waiting. */
const LONGEST_TOLD_MS = 15 * 60_000;
/** Refusals are forgotten this many milliseconds after their pause has ended. */
const FORGET_MS = 5 * 60_000;
const MOST_TENANTS = 10_000;

interface Pressure {
  /** How many pauses were needed without a success between them. */
  level: number;
  /** When the newest pause ends. */
  until: number;
}

/** Makes a back-off. `now` is in milliseconds and never goes back. `random` returns a number from 0 to 1. */
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
      // Turns that run at the same time are refused together. So refusals during a pause count as one.
      const level = before === undefined ? 0 : at < before.until ? before.level : before.level + 1;
      const reached = Math.max(level, readAttempt(attempt) - 1);
      const own = pauseBefore(reached, OWN_PAUSES);
      const told = readTold(retryAfterMs);
      // If the API named a time, the pause is at least that long, up to the limit. Otherwise, it is between half of the
      // calculated pause and all of it.
      const ms = Math.round(
        told > 0 ? Math.max(told, own / 2) + spread(told, random) : varyPause(own, [0.5, 1], random),
      );
      if (before === undefined && pressures.size >= MOST_TENANTS) return ms;
      pressures.set(tenant, { level: reached, until: Math.max(before?.until ?? 0, at + ms) });
      return ms;
    },
    succeeded(tenant) {
      const before = pressures.get(tenant);
      // A turn that ends during a pause began before it, so it says nothing about now.
      if (before === undefined || now() < before.until) return;
      if (before.level === 0) pressures.delete(tenant);
      else before.level = Math.floor(before.level / 2);
    },
  };
}

/**
 * How long a worker waits when it is told of a pause: a little longer than the pause, by a random time, so that not all workers
 * begin at once.
 */
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
