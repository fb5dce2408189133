// Back-off that all tenants share: when the service tells one of them to slow down, nobody begins a turn for a while.
import type { Clock } from './schedule.ts';

export type Backoff = ReturnType<typeof createBackoff>;

/** The first wait is up to `baseMs` milliseconds long, each further one twice as long, none over two minutes. */
export function createBackoff(clock: Clock, { random = Math.random, baseMs = 2000 } = {}) {
  let [until, failures] = [0, 0];
  /** Nobody begins for this long, as `retry-after` of an answer asks for. */
  const hold = (ms: number): void => void (until = Math.max(until, clock.now() + ms));
  return {
    hold,
    /** A turn was given up because the service is busy: all wait, longer each time, and never exactly as others do. */
    fail(): void {
      hold(Math.min(120_000, baseMs * 2 ** failures) * (0.5 + random() / 2));
      failures += 1;
    },
    succeed: (): void => void (failures = 0),
    /** Resolves when a turn may begin; rejects when the signal aborts. */
    async ready(signal: AbortSignal): Promise<void> {
      for (let left = until - clock.now(); left > 0; left = until - clock.now())
        await clock.sleep(left, signal);
      signal.throwIfAborted();
    },
  };
}
