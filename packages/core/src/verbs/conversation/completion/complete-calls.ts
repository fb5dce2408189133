// Creates the `CallCompletion` of a session from the parts of its conversation.
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import type { AskedAgain } from './ask-again.js';
import { CallCompletion } from './call-completion.js';
import type { OpenedRecords } from './open-records.js';
import type { Patience } from './patience.js';
import type { PermissionChanges } from './permission-changes.js';
import { findTranscriptPlace } from './transcript-place.js';

export interface CompleteCallsInput {
  opened: OpenedRecords;
  options: Options;
  warnings: WarningReporter;
  /** The version of the CLI that will be started, if it is known. */
  cliVersion: string | undefined;
  patience: Patience;
  changes: PermissionChanges;
  /** The questions of a CLI that was let go. */
  held?: AskedAgain | undefined;
  onHooksMissed: (hooks: readonly string[]) => void;
}

/**
 * Returns undefined for sessions whose calls are never completed: forks, which leave the original alone, and sessions that
 * are resumed in the middle.
 */
export function completeCalls({
  opened,
  options,
  warnings,
  cliVersion,
  patience,
  changes,
  held,
  onHooksMissed,
}: CompleteCallsInput): CallCompletion | undefined {
  const { forkSession, resumeSessionAt, resumeDropsTurn } = options;
  if (forkSession === true || resumeSessionAt !== undefined || resumeDropsTurn !== undefined)
    return undefined;
  const { sessionId, records, recorder, owner } = opened;
  const place = findTranscriptPlace({ sessionId, options, cliVersion });
  const parts = { sessionId, options, warnings, records, recorder, owner, place, patience };
  return new CallCompletion({ ...parts, changes, held, onHooksMissed });
}

export { foldFacts } from '../../../record/calls/fold-facts.js';
export { AskedAgain } from './ask-again.js';
export { findLostCalls } from './lost-calls.js';
export { Patience } from './patience.js';
export { PermissionChanges } from './permission-changes.js';
export { findTranscriptPlace } from './transcript-place.js';
