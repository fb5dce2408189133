// What a page is told of a person's answer to a question.
import { canonicalJson } from '@inboard/core/util/canonical-json.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { AnswerFacts } from './tool-calls.js';
import type { UiProviderMetadata } from './ui-chunk.js';

/** The facts about an answer to a question with this input. */
export function answerFactsOf(
  { approvalId, input }: { approvalId: string; input: unknown },
  result: PermissionResult,
  by: string | undefined,
): AnswerFacts {
  if (result.behavior === 'deny') return { approvalId, approved: false, reason: result.message, by };
  const { updatedInput } = result;
  const isEdited = updatedInput !== undefined && !isSameInput(updatedInput, input);
  return { approvalId, approved: true, input: updatedInput, isEdited, by };
}

/** Whether two inputs of a call say the same. */
export function isSameInput(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The facts that a part gets about the answer, besides those that it has. Undefined where there are none. */
export function describeAnswer(
  { by, isEdited = false }: Pick<AnswerFacts, 'by' | 'isEdited'>,
  known?: UiProviderMetadata,
): UiProviderMetadata | undefined {
  if (by === undefined && !isEdited) return known;
  const answered = { ...(by !== undefined && { by }), ...(isEdited && { isEdited }) };
  return { ...known, inboard: { ...known?.['inboard'], answered } };
}
