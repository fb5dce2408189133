// What `inboard cluster` says about turns that wait: for what, and which command shows them.
import type { TurnWait } from '@inboard/cluster/journal/records.js';

/** Follows "waits" or the number of conversations. */
export const WAIT_TEXTS: Readonly<Record<TurnWait, string>> = {
  place: 'for a free place of a worker',
  budget: 'for a budget that running turns have reserved',
  answer: 'for a person, or the result of a call',
  time: 'for its time, or its next try',
  pause: 'for the end of a pause',
  lease: 'for the lease of a silent worker to run out',
};

/** What turns can wait for, in the order in which it is shown. */
export const WAITS = Object.keys(WAIT_TEXTS) as readonly TurnWait[];

/** The command that shows what waits for this. */
export function showingCommand(reason: TurnWait): string {
  return reason === 'answer' ? 'inboard cluster approvals, calls' : `inboard cluster ls --waits ${reason}`;
}
