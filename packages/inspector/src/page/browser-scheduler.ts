// The scheduler of a browser.
import type { Scheduler } from './store/scheduler.js';

/** How long a frame takes on a hidden page. The browser draws nothing then, but the title must stay up to date. */
const UNSEEN_FRAME_MS = 500;

export function createBrowserScheduler(): Scheduler {
  const waiting: (() => void)[] = [];
  // A message arrives sooner than a timer, because browsers delay timers.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => waiting.shift()?.();
  return {
    now: () => performance.now(),
    pause: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        port2.postMessage(0);
      }),
    onFrame: (run) => {
      if (document.hidden) setTimeout(run, UNSEEN_FRAME_MS);
      else requestAnimationFrame(run);
    },
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    prefersCalm: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  };
}
