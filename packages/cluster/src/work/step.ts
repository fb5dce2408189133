// Works on one conversation for one lease: takes the lease, runs all turns that are due, and gives the lease back. Programs
// with their own scheduler use it.
import { onAbort } from '@inboard/core/util/on-abort.js';
import { createQuietDeferred } from '@inboard/core/util/deferred.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { ConversationRun, type RunEnd } from './turns/conversation-run.js';
import type { HostParts } from './host/host-parts.js';
import type { StepOptions, StepOutcome } from './host/work-options.js';
import { WorkHost } from './host/work-host.js';

/** Takes a lease and works until nothing is left to do. Rejects if the journal cannot be reached. */
export async function stepConversation(
  parts: HostParts,
  key: string,
  options: StepOptions = {},
): Promise<StepOutcome> {
  const { signal, ...work } = options;
  signal?.throwIfAborted();
  const host = new WorkHost(parts, { ...work, keepWarmMs: work.keepWarmMs ?? 0 });
  try {
    const [taken] = await Promise.all([host.keeper.take(key), host.hub.open()]);
    if (taken.state === 'unknown') return { state: 'unknown' };
    if (taken.state === 'idle') return { state: 'idle', afterMs: taken.afterMs };
    if (taken.state !== 'granted') return { state: taken.state, forMs: taken.forMs };
    const run = new ConversationRun(host, taken);
    const left = await workThrough(host, run, signal);
    return { state: 'worked', ended: run.ended, left };
  } finally {
    await host.close();
  }
}

type Left = 'parked' | 'handedOver' | 'lost' | undefined;

async function workThrough(
  host: WorkHost,
  run: ConversationRun,
  signal: AbortSignal | undefined,
): Promise<Left> {
  const forget = signal && onAbort(signal, () => run.handOver());
  try {
    for (;;) {
      const end = await run.work();
      if (end !== 'idle') return leftOf(end);
      if (signal?.aborted || !run.isWarm || !(await waitForWork(run, host.settings.keepWarmMs, signal)))
        break;
    }
    await run.leave();
    return undefined;
  } finally {
    forget?.();
  }
}

/** Waits for more work within the time. Returns whether there may be some. */
async function waitForWork(
  run: ConversationRun,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (ms <= 0) return false;
  const work = createQuietDeferred<boolean>();
  const timer = clock.setTimeout(() => work.resolve(false), ms);
  const forget = signal && onAbort(signal, () => work.resolve(false));
  run.onWork = () => work.resolve(true);
  try {
    return await work.promise;
  } finally {
    clock.clearTimeout(timer);
    forget?.();
    run.onWork = undefined;
  }
}

function leftOf(end: Exclude<RunEnd, 'idle'>): Left {
  return end === 'failed' ? 'handedOver' : end;
}
