// When Temporal tries an attempt again: the default policy, and what a user's own settings change in it.
import type { Duration, RetrySettings } from './workflow-library.js';

const DEFAULTS = { initialInterval: '1 second', maximumInterval: '1 minute' } as const;
const MINUTE_MS = 60_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: MINUTE_MS,
  hour: 3_600_000,
  day: 86_400_000,
};

/** The default policy with these settings in place of its own. */
export function mergeRetry(own: RetrySettings = {}): RetrySettings {
  const given = Object.fromEntries(
    Object.entries(own).filter(([, value]) => value !== undefined),
  ) as RetrySettings;
  const merged = { ...DEFAULTS, ...given };
  if (given.maximumInterval !== undefined || given.initialInterval === undefined) return merged;
  const firstMs = toMs(given.initialInterval);
  if (firstMs !== undefined && firstMs <= MINUTE_MS) return merged;
  // Temporal refuses a longest pause that is shorter than the first one.
  return { ...merged, maximumInterval: given.initialInterval };
}

/** Milliseconds of a duration, or nothing if it is none. */
export function toMs(duration: Duration): number | undefined {
  if (typeof duration === 'number') return duration;
  const [, count, unit = ''] = /^([\d.]+) ?(second|minute|hour|day)s?$/.exec(duration) ?? [];
  const unitMs = UNITS_MS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}
