// What the audit says about an answer: what kind of deed it was, and what was decided about. The result of a pending call is a
// content of the conversation, and not repeated there.
import { isSameDeep } from '@inboard/core/util/same-deep.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { AuditedDeed, AuditEntry } from './audit-entry.js';
import { isApproval, type JournalAnswer, type NewJournalQuestion } from './journal-question.js';
import type { Json } from './records.js';

type AnswerFacts = Pick<AuditEntry, 'toolName' | 'input' | 'editedInput' | 'message' | 'permissions'>;

/** What kind of deed an answer is. */
export function kindOfAnswer(question: Question, { result }: JournalAnswer): AuditedDeed {
  const allows = result?.behavior === 'allow';
  if (!isApproval(question)) return allows ? 'completed' : 'failed';
  if (!allows) return 'denied';
  return result.updatedInput && !isSameDeep(result.updatedInput, question.input) ? 'edited' : 'allowed';
}

type Question = Parameters<typeof isApproval>[0];

/** The facts of an entry about an answer. Parts that are undefined were forgotten, or are not known. */
export function describeAnswered(
  what: AuditedDeed,
  question: NewJournalQuestion | undefined,
  answer: Partial<JournalAnswer> | undefined,
): AnswerFacts {
  const { result } = answer ?? {};
  const allowed = result?.behavior === 'allow' ? result : undefined;
  return withoutUndefined({
    toolName: question?.toolName,
    input: question?.input as Json | undefined,
    editedInput: what === 'edited' ? (allowed?.updatedInput as Json | undefined) : undefined,
    message: result?.behavior === 'deny' ? result.message : undefined,
    permissions: allowed?.updatedPermissions,
  });
}
