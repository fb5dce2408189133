// Collects what a program cannot catch: unhandled rejections, uncaught errors and process warnings.
import { setImmediate as nextRound } from 'node:timers/promises';

/** Runs the work and gives what was heard until shortly after its end. */
export async function listenForOutcry(work: () => Promise<void>): Promise<string[]> {
  const heard: string[] = [];
  const listeners = {
    unhandledRejection: (reason: unknown) => void heard.push(`unhandled rejection: ${String(reason)}`),
    uncaughtExceptionMonitor: (error: unknown) => void heard.push(`uncaught: ${String(error)}`),
    warning: (warning: Error) => void heard.push(`warning: ${warning.message}`),
  };
  for (const [event, listener] of Object.entries(listeners)) process.on(event, listener);
  try {
    await work();
    // A rejection is told when the queue of promises has run dry; a few rounds more for what a timer of 0 ms begins.
    for (let round = 0; round < 5; round += 1) await nextRound();
  } finally {
    for (const [event, listener] of Object.entries(listeners)) process.off(event, listener);
  }
  return heard;
}
