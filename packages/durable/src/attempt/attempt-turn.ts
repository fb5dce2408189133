// `attemptTurn`: one attempt at one turn of a conversation that a ledger keeps. Any process can make the next attempt, at any time.
import { AbortError } from '@inboard/core/errors.js';
import { nameThisProcess } from '@inboard/core/wire/process/process-name.js';
import { readAttempt, type AttemptTurnInput } from './attempt-input.js';
import type { AttemptEnd } from './attempt-end.js';
import { TurnAttempt } from './turn-attempt.js';

/**
 * Makes one attempt at a turn: begins it, or goes on where an earlier attempt was cut off. The newest attempt wins: it takes the
 * conversation, and an older one that still runs can write nothing any more. Rejects with an InvalidOptionsError for wrong input,
 * with an AbortError if the signal aborts, and with the error of the agent, the CLI or the ledger. After an error, the turn is as
 * after a crash: make another attempt.
 * @example
 * ```ts
 * const end = await attemptTurn({ ledger, agent, ...job });
 * if (end.state === 'ended') console.log(end.outcome.ok, end.outcome.text);
 * ```
 * @experimental Its names, and the contract of a ledger, may change in any release.
 */
export function attemptTurn(input: AttemptTurnInput): Promise<AttemptEnd>;
export async function attemptTurn(
  input: AttemptTurnInput,
  ...others: readonly unknown[]
): Promise<AttemptEnd> {
  const settings = readAttempt(input, others);
  const { ledger, conversation, signal } = settings;
  if (signal?.aborted) throw new AbortError('The attempt was aborted', { cause: signal.reason });
  const taken = await ledger.take(conversation, { owner: nameThisProcess() });
  if ('busyUntil' in taken) return { state: 'busy', until: taken.busyUntil };
  const attempt = new TurnAttempt(settings, taken);
  const here = runningAttempts.get(ledger) ?? new Map<string, TurnAttempt>();
  runningAttempts.set(ledger, here);
  const older = here.get(conversation);
  // Two attempts of this process may take the conversation at the same time, and hear of it in the other order.
  if (older && older.epoch > taken.fence.epoch) return { state: 'lost' };
  here.set(conversation, attempt);
  try {
    // The older attempt could write nothing any more, but its CLI may still have the session's files on this machine.
    await older?.lose();
    return await attempt.run();
  } finally {
    if (here.get(conversation) === attempt) here.delete(conversation);
  }
}

/** The attempts of this process, by the keys of their conversations. */
const runningAttempts = new WeakMap<object, Map<string, TurnAttempt>>();
