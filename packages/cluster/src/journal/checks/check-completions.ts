// Rules about calls that were cut off and completed: each result is told of once, and what is told is what the journal keeps.
import { readCompletedNote } from '../completed-note.js';
import type { HistoryRule } from './history-rule.js';

/** G8, G9 and G10: no result is told of twice, one that is called recorded is kept, and no call that had begun is called one that did not run. */
export const checkCompletions: HistoryRule = function* ({ events, calls }) {
  const known = new Map(calls.map((call) => [call.callKey, call]));
  const delivered = new Set<string>();
  for (const event of events) {
    for (const told of readCompletedNote(event)) {
      const { callKey, toolUseId, how } = told;
      const call = known.get(callKey);
      if (told.delivered && delivered.has(toolUseId))
        yield { promise: 'G8', what: `The result of "${callKey}" was delivered twice.`, rows: [event] };
      if (told.delivered) delivered.add(toolUseId);
      if (how === 'recorded' && call?.result === undefined)
        yield {
          promise: 'G9',
          what: `The recorded result of "${callKey}" was delivered, but is not kept.`,
          rows: [event, ...(call ? [call] : [])],
        };
      // Told that it did not run, the model may have made the same call again, in this lease or a later one.
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
