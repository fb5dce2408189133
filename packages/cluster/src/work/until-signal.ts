// Waits until the process is told to end, and then lets work finish. A second signal ends the process at once.
import { constants } from 'node:os';
import { createDeferred } from '@inboard/core/util/deferred.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves when the process was told to end and `finish` has resolved. Rejects if `failed` rejects before that. */
export async function untilSignal(finish: () => Promise<void>, failed: Promise<never>): Promise<void> {
  const told = createDeferred<void>();
  let isTold = false;
  const listen = (signal: (typeof SIGNALS)[number]): void => {
    if (isTold) process.exit(128 + constants.signals[signal]);
    isTold = true;
    told.resolve();
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  try {
    await Promise.race([told.promise, failed]);
    await finish();
  } finally {
    for (const signal of SIGNALS) process.off(signal, listen);
  }
}
