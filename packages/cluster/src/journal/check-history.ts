// Checks the promises of a cluster against the history in its journal. They must hold whatever happened to the workers. Each
// rule reads the history of one conversation, and names each violation with the rows that show it.
import { checkCompletions } from './checks/check-completions.js';
import { checkCalls, checkTranscript } from './checks/check-contents.js';
import { checkEpochs, checkLeases } from './checks/check-leases.js';
import { checkAnswers, checkEvents, checkOrder, checkTurns } from './checks/check-turns.js';
import type { HistoryExpectation, HistoryRule, Violation } from './checks/history-rule.js';
import type { ConversationHistory } from './records.js';

const RULES: readonly HistoryRule[] = [
  checkTurns,
  checkOrder,
  checkEvents,
  checkAnswers,
  checkLeases,
  checkEpochs,
  checkTranscript,
  checkCalls,
  checkCompletions,
];

/** Finds every broken promise that the histories of a journal show. An empty list means that all is well. */
export function checkHistory(
  histories: readonly ConversationHistory[],
  expectation: HistoryExpectation = {},
): Violation[] {
  const found = histories.flatMap((history) => {
    const { key } = history.conversation;
    return RULES.flatMap((rule) => [...rule(history, expectation)].map((each) => ({ ...each, key })));
  });
  return [...findLost(histories, expectation), ...findSharedEpochs(histories), ...found];
}

/** Finds messages that were accepted but are missing in the journal, or are there in another order. */
function* findLost(
  histories: readonly ConversationHistory[],
  { sent = [], removed = [] }: HistoryExpectation,
): Iterable<Violation> {
  const known = new Map(histories.map((history) => [history.conversation.key, history]));
  const gone = new Set(removed);
  const lastPlaces = new Map<string, number>();
  for (const { key, id } of sent) {
    if (gone.has(key)) continue;
    const turn = known.get(key)?.turns.find((each) => each.id === id);
    if (!turn) {
      yield {
        promise: 'G1',
        key,
        what: `The message "${id}" was accepted, but is missing.`,
        rows: [{ key, id }],
      };
      continue;
    }
    const last = lastPlaces.get(key) ?? 0;
    if (turn.place <= last) {
      const what = `The message "${id}" was accepted after the one in place ${last}, but has place ${turn.place}.`;
      yield { promise: 'G3', key, what, rows: [turn] };
    }
    lastPlaces.set(key, turn.place);
  }
}

/** Finds epochs that two conversations share. Epochs are unique within a journal. */
function* findSharedEpochs(histories: readonly ConversationHistory[]): Iterable<Violation> {
  const owners = new Map<number, string>();
  for (const { conversation, leases } of histories) {
    for (const lease of leases) {
      const { key } = conversation;
      const other = owners.get(lease.epoch);
      if (other !== undefined) {
        yield {
          promise: 'G4',
          key,
          what: `The epoch ${lease.epoch} was granted twice, also to "${other}".`,
          rows: [lease],
        };
      }
      owners.set(lease.epoch, key);
    }
  }
}
