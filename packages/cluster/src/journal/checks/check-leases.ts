// The rules about leases: a conversation has one at a time, and nothing is written under an old one.
import type { HistoryRule, Violation } from './history-rule.js';
import type { ConversationHistory } from '../records.js';

/** G3: no lease begins before the previous one is over. G4: epochs grow from lease to lease. */
export const checkLeases: HistoryRule = function* ({ leases }) {
  for (const [at, lease] of leases.entries()) {
    const before = leases[at - 1];
    if (lease.until < lease.grantedAt)
      yield { promise: 'G3', what: `The lease ${lease.epoch} ended before it began.`, rows: [lease] };
    if (!before) continue;
    const rows = [before, lease];
    if (lease.epoch <= before.epoch)
      yield { promise: 'G4', what: `The lease ${lease.epoch} came after ${before.epoch}.`, rows };
    if (lease.grantedAt < before.until) {
      yield {
        promise: 'G3',
        what: `The leases ${before.epoch} and ${lease.epoch} were valid at the same time, for ${before.until - lease.grantedAt} ms.`,
        rows,
      };
    }
  }
};

/**
 * G4: in the order of writing, the epochs of events and entries never go back. Each row with an epoch was written under a lease
 * that was granted. Each event was written before any newer lease was granted. Rows with epoch 0 needed no lease.
 */
export const checkEpochs: HistoryRule = function* (history, { pruned = false, slackMs = 1000 }) {
  const { leases, events, calls, entries, turns } = history;
  const known = new Set(leases.map(({ epoch }) => epoch));
  const written: Array<{ what: string; epoch: number; at?: number; row: unknown }> = [
    ...events.map((event) => ({
      what: `The event ${event.id}`,
      epoch: event.epoch,
      at: event.at,
      row: event,
    })),
    ...calls.map((call) => ({ what: `The call "${call.callKey}"`, epoch: call.epoch, row: call })),
    ...entries.map(({ epoch, entry }, at) => ({
      what: `The entry ${at + 1} of the transcript`,
      epoch,
      row: { epoch, entry },
    })),
    ...turns.map((turn) => ({ what: `The turn "${turn.id}"`, epoch: turn.epoch, row: turn })),
  ];
  for (const { what, epoch, at, row } of written) {
    if (epoch !== 0 && !known.has(epoch) && !pruned) {
      yield {
        promise: 'G4',
        what: `${what} was written under the epoch ${epoch}, which was never granted.`,
        rows: [row],
      };
    }
    const newer =
      at === undefined || epoch === 0
        ? undefined
        : leases.find((lease) => lease.epoch > epoch && lease.grantedAt + slackMs < at);
    if (newer)
      yield {
        promise: 'G4',
        what: `${what} was written under the epoch ${epoch} after ${newer.epoch} was granted.`,
        rows: [row, newer],
      };
  }
  yield* findBackward('event', events);
  yield* findBackward('entry of the transcript', entries);
};

function* findBackward(
  what: string,
  rows: ConversationHistory['events'] | ConversationHistory['entries'],
): Iterable<Omit<Violation, 'key'>> {
  let newest: { epoch: number } = { epoch: 0 };
  for (const row of rows) {
    if (row.epoch === 0) continue;
    if (row.epoch < newest.epoch) {
      yield {
        promise: 'G4',
        what: `An ${what} was written under the epoch ${row.epoch} after one under ${newest.epoch}.`,
        rows: [newest, row],
      };
    }
    if (row.epoch > newest.epoch) newest = row;
  }
}
