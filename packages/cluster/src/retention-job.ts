// The retention job of a worker: from time to time one worker of the cluster removes what is older than the policy says. If it
// is killed, another one goes on after a minute.
import { requireShape, wholeNumber } from '@inboard/core/util/option-shapes.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { checkPolicy } from './journal/check-policy.js';
import type { Journal } from './journal/journal.js';
import type { RetentionOptions } from './journal/retention.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a worker has the job without claiming it again. */
const CLAIM_MS = 60_000;
/** Milliseconds between two claims of a run under way. */
const CLAIM_AGAIN_MS = 10_000;
/** The longest time between two looks whether the job is due. */
const LONGEST_PAUSE_MS = 60_000;

/** Throws an InvalidOptionsError for options that cannot be followed, or a journal that has no retention. */
export function checkRetention(options: RetentionOptions, journal: Partial<Journal>): void {
  checkPolicy(options, ['everyMs']);
  if (options.everyMs !== undefined) requireShape('everyMs', options.everyMs, wholeNumber(1000));
  if (!journal.retain || !journal.claimRetention)
    throw new InvalidOptionsError(
      ['retention'],
      'This journal has no retention: it has no "retain" or "claimRetention".',
    );
}

/** Starts the job. Call the returned function to end it. It resolves once nothing is under way. */
export function startRetentionJob(
  journal: Journal,
  { everyMs = DAY_MS, ...policy }: RetentionOptions,
  { owner, onTrouble }: { owner: string; onTrouble: (error: unknown) => void },
): () => Promise<void> {
  const ended = new AbortController();
  let under: Promise<void> = Promise.resolve();
  let isBusy = false;
  const claim = async (): Promise<boolean> =>
    (await journal.claimRetention?.({ owner, ms: CLAIM_MS, everyMs })) === true;
  const look = async (): Promise<void> => {
    if (isBusy || ended.signal.aborted) return;
    isBusy = true;
    try {
      if (!(await claim())) return;
      let claimedAt = clock.performance.now();
      const keepOn = async (): Promise<boolean> => {
        if (clock.performance.now() - claimedAt < CLAIM_AGAIN_MS) return true;
        claimedAt = clock.performance.now();
        return await claim();
      };
      const report = await journal.retain?.(policy, {
        apply: true,
        by: `retention of the worker ${owner}`,
        signal: ended.signal,
        keepOn,
      });
      for (const { kind, conversationNumber, reason } of report?.failed ?? [])
        onTrouble(
          new Error(`Retention went past the conversation number ${conversationNumber} (${kind}): ${reason}`),
        );
      // A run that was cut off is not done: the next worker goes on with it.
      if (report?.isWhole) await journal.claimRetention?.({ owner, ms: 0, everyMs, done: true });
    } catch (error) {
      if (!ended.signal.aborted) onTrouble(error);
    } finally {
      isBusy = false;
    }
  };
  const timer = clock.setInterval(
    () => {
      under = look();
    },
    Math.min(everyMs, LONGEST_PAUSE_MS),
  );
  timer.unref?.();
  under = look();
  return async () => {
    ended.abort();
    clock.clearInterval(timer);
    await under;
  };
}
