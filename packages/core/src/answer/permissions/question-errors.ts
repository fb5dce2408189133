// The errors around answers to open questions: an answer that a tool would refuse, and the notice that an answer came from
// elsewhere.
import { AbortError, InvalidOptionsError } from '../../errors.js';

/** The error for an answer that allows a call with a changed input which the tool would refuse. */
export function refuseInput(problem: string): InvalidOptionsError {
  return new InvalidOptionsError(
    ['updatedInput'],
    `The question stays open, because the tool would refuse the changed input. ${problem}`,
  );
}

/** The reason with which a callback's signal aborts when its question was answered elsewhere. */
export function answeredElsewhere(by: string): AbortError {
  return new AbortError(
    `The question was answered elsewhere (by ${by}); an answer from the callback is no longer needed`,
  );
}
