// Decides what is done about a call that was cut off, from what is known of it. `settle-call` carries the decision out.
import { isOpenPending, type KnownCallState } from '../../../record/calls/fold-facts.js';
import type { RepeatPolicy } from '../../../answer/mcp/tool/repeat-policy.js';
import type { RecordedQuestion, RecordedResult } from '../../../wire/protocol/config/call-records.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import { describeGone, describeUnknown, DID_NOT_RUN, PENDING_WITHDRAWN, QUESTION_GONE } from './result-texts.js';

/** What is known of a call besides its facts. */
export interface CallSituation {
  readonly known: KnownCallState | undefined;
  /** Whether the records would show that the call began. */
  readonly isCovered: boolean;
  /** `ours` can run in this process, `gone` could before and no longer can, `theirs` is run by the CLI. */
  readonly tool:
    | { kind: 'ours'; name: string; onRepeat: RepeatPolicy | undefined }
    | { kind: 'gone' | 'theirs'; name: string };
  /** Whether the handler of the call runs in this process at the moment. */
  readonly runsHere: boolean;
  /** Whether the model made the call again after it was told to. */
  readonly isRepeated: boolean;
  /** Whether the call was begun by another process that still lives. */
  readonly ownerLives: boolean;
}

/** What is done about a call. */
export type CallDecision =
  | { do: 'deliver'; result: RecordedResult }
  | { do: 'awaitHere' }
  | { do: 'awaitOwner' }
  /** The turn waits until the pending call is completed, in whatever process. */
  | { do: 'awaitPending' }
  | { do: 'ask'; question: RecordedQuestion }
  | { do: 'obey'; answer: PermissionResult; by: string | undefined }
  | { do: 'run' }
  | { do: 'tell'; text: string; how: 'notRun' | 'unknown' }
  /** Nothing is written. The CLI says that the outcome is unknown. */
  | { do: 'leave'; reason: string };

/** Built-in tools whose questions need more for an answer than a yes. */
const DIALOGS = new Set(['AskUserQuestion', 'ExitPlanMode', 'EnterPlanMode']);

/** Whether a built-in tool of the CLI asks with a dialog, which cannot be shown again without a CLI. */
export function isDialog(toolName: string): boolean {
  return DIALOGS.has(toolName);
}

/** Decides about one call. */
export function decideCall(situation: CallSituation): CallDecision {
  const { known, tool, isCovered } = situation;
  if (known?.asked?.question.agentID !== undefined) return leave('A subagent made the call.');
  if (tool.kind === 'theirs') return decideTheirs(situation);
  if (situation.runsHere) return { do: 'awaitHere' };
  if (known?.ended) return { do: 'deliver', result: known.ended.result };
  if (known && isOpenPending(known)) return { do: 'awaitPending' };
  if (known?.pending) return { do: 'tell', how: 'unknown', text: PENDING_WITHDRAWN };
  if (known?.begun) return decideBegun(situation);
  if (!known && !isCovered) return leave('No record covers its turn.');
  if (tool.kind === 'gone') return { do: 'tell', how: 'notRun', text: describeGone(tool.name) };
  if (known?.answered) return { do: 'obey', answer: known.answered.answer, by: known.answered.by };
  if (known?.withdrawn) return { do: 'tell', how: 'notRun', text: QUESTION_GONE };
  if (known?.asked) return { do: 'ask', question: known.asked.question };
  // Either the CLI had not reached the call, or a rule allowed it. Only the CLI can apply rules.
  return { do: 'tell', how: 'notRun', text: DID_NOT_RUN };
}

function decideBegun({ known, tool, ownerLives }: CallSituation): CallDecision {
  if (ownerLives) return { do: 'awaitOwner' };
  const onRepeat = tool.kind === 'ours' ? tool.onRepeat : undefined;
  const mayRun = known?.isWaiting === true || (onRepeat !== undefined && onRepeat !== 'unknown');
  if (mayRun && tool.kind === 'ours') return { do: 'run' };
  return { do: 'tell', how: 'unknown', text: describeUnknown(known?.begun?.at) };
}

/** Decides about a built-in tool of the CLI. It may have run as soon as the CLI had permission for it. */
function decideTheirs({ known, tool, isRepeated }: CallSituation): CallDecision {
  if (!known?.asked || isDialog(tool.name)) return leave('The tool is one of the CLI.');
  if (known.answered) {
    const { answer, by, withoutCli } = known.answered;
    // An answer from before the model repeated the call was given to the CLI at that time.
    if (withoutCli === true && !isRepeated) return { do: 'obey', answer, by };
    return leave('The tool is one of the CLI, which had the answer.');
  }
  if (known.withdrawn) return { do: 'tell', how: 'notRun', text: QUESTION_GONE };
  return { do: 'ask', question: known.asked.question };
}

function leave(reason: string): CallDecision {
  return { do: 'leave', reason };
}
