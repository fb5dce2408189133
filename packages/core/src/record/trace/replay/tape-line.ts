// Makes the CLI's line for a frame of the tape, with the ids of this run.
import { TraceError, type InboardError } from '../../../errors.js';
import { stringifyDeep } from '../../../util/deep-json.js';
import { readWireAnswer, readCancel, readWireQuestion } from '../timeline/wire-question.js';
import type { TraceFrame } from '../trace-event.js';
import type { TapeMatches } from './tape-matches.js';

/** The line to deliver for a frame of the CLI. Undefined if this run must not get it. An error if it was not recorded. */
export function findLine(step: TraceFrame, matches: TapeMatches): string | InboardError | undefined {
  if (step.truncated) {
    const { bytes, reason } = step.truncated;
    const why =
      reason === undefined
        ? 'was too large to be recorded. Record again with a higher maxFrameBytes.'
        : `was not recorded: ${reason}.`;
    return incompleteAt(step.t, `a frame of ${bytes} bytes ${why}`);
  }
  if (!step.frame) return step.text;
  const question = readWireQuestion(step.frame);
  if (question || readWireAnswer(step.frame)) {
    const adapted = question ? matches.put(question, step.frame) : matches.adaptAnswer(step.frame);
    return adapted && stringifyDeep(adapted);
  }
  const withdrawn = readCancel(step.frame);
  if (withdrawn !== undefined && !matches.isPut(withdrawn)) return undefined;
  return matches.adaptText(stringifyDeep(step.frame) as string);
}

/** The error for a tape whose frames after a time are missing. */
export function incompleteAt(t: number, reason: string): TraceError {
  const message = `The tape cannot be played beyond ${Math.round(t)} ms: ${reason}`;
  return new TraceError('TRACE_INCOMPLETE', message);
}
