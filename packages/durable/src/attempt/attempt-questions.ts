// Where an attempt keeps its questions to people: in memory. Answers that people gave since an earlier attempt are used as soon as
// their questions are asked again, each once. The other questions end with the attempt.
import { firstIdOf } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalStore,
} from '@inboard/core/answer/permissions/approvals/approval.js';
import { deny } from '@inboard/core/answer/permissions/decisions.js';
import { createMemoryApprovalStore } from '@inboard/core/answer/permissions/approvals/memory-approval-store.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type {
  CanUseTool,
  PermissionResult,
} from '@inboard/core/wire/protocol/control/permission-question.js';
import type { HeldQuestions } from './held-questions.js';

/** The answer of a person to a question of an earlier attempt. */
export interface QuestionAnswer {
  /** The id of the question. */
  id: string;
  /** What `allow()` or `deny()` returned. */
  result: PermissionResult;
  /** Who answered. */
  by?: string | undefined;
}

/** Creates the store of one attempt. */
export function createAnsweredStore(given: readonly QuestionAnswer[]): ApprovalStore {
  const memory = createMemoryApprovalStore();
  const answers = [...given];
  return {
    ...memory,
    put: async (question) => (await memory.put(question)) ?? takeAnswer(answers, question),
  };
}

/** No person can read deeper input, and most engines write JSON by recursion: the turn would fail in each of its attempts. */
const MOST_LEVELS = 200;
const TOO_DEEP = `Nobody can be asked about an input that is nested deeper than ${MOST_LEVELS} levels. Use a flatter one.`;

/** Denies calls whose input no engine can keep. All others are asked about. */
export function refuseDeepInput(canUseTool: CanUseTool): CanUseTool {
  return async (toolName, input, options) =>
    isTooDeep(input) ? deny(TOO_DEEP) : await canUseTool(toolName, input, options);
}

function isTooDeep(input: unknown): boolean {
  let level = [input];
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** What an agent asks people with. `demand` throws once the attempt must not do anything any more. */
export function createAttemptApprovals(
  questions: HeldQuestions,
  demand: () => void,
): Pick<Approvals, 'canUseTool' | 'ask'> {
  return {
    canUseTool: refuseDeepInput(questions.canUseTool),
    ask: async (request, context) => {
      if (isTooDeep(request.input)) return deny(TOO_DEEP);
      const answer = await questions.ask(request, context);
      // The handler may have an effect from now on.
      demand();
      return answer;
    },
  };
}

/**
 * The answer to a question. A question that is asked again after an answer that could not be used has a new id, so the newest
 * answer to the same question counts.
 */
function takeAnswer(answers: QuestionAnswer[], { id }: ApprovalQuestion): ApprovalAnswer | undefined {
  const index = answers.findLastIndex((answer) => answer.id === id);
  const at = index < 0 ? answers.findLastIndex((answer) => firstIdOf(answer.id) === id) : index;
  const [taken] = at < 0 ? [] : answers.splice(at, 1);
  return taken && withoutUndefined({ result: taken.result, by: taken.by, answeredAt: clock.Date.now() });
}
