// The rules about calls that were cut off and completed. The model is told each result once, and is told only what the journal
// has stored.
import { readCompletedNote } from '../completed-note.js';
import type { HistoryRule } from './history-rule.js';

/**
 * G8: no result is delivered twice. G9: if the model was told that a result is `recorded`, the journal has that result. G10:
 * the model is never told that a call did not run if the call had begun in an earlier lease.
 */
export const checkCompletions: HistoryRule = function* ({ events, calls, questions }) {
  const known = new Map(calls.map((call) => [call.callKey, call]));
  // The result of a pending call is the answer to the question that keeps its place.
  const completed = new Set(
    questions.flatMap(({ pending, answer }) => (pending && answer ? [pending.callKey] : [])),
  );
  const delivered = new Set<string>();
  for (const event of events) {
    for (const told of readCompletedNote(event)) {
      const { callKey, toolUseId, how } = told;
      const call = known.get(callKey);
      if (told.delivered && delivered.has(toolUseId))
        yield { promise: 'G8', what: `The result of "${callKey}" was delivered twice.`, rows: [event] };
      if (told.delivered) delivered.add(toolUseId);
      if (how === 'recorded' && call?.result === undefined && !completed.has(callKey))
        yield {
          promise: 'G9',
          what: `The recorded result of "${callKey}" was delivered, but is not kept.`,
          rows: [event, ...(call ? [call] : [])],
        };
      // A model that is told that a call did not run may make the same call again, in this lease or a later one. So only a
      // beginning in an earlier lease counts here.
      const hadBegun = call !== undefined && call.begun > 0 && call.epoch < event.epoch;
      if ((how === 'notRun' || how === 'denied') && hadBegun)
        yield {
          promise: 'G10',
          what: `The call "${callKey}" had begun, but was told of as one that did not run.`,
          rows: [event, call],
        };
    }
  }
};
