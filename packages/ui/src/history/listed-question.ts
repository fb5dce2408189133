// A question that waits for a person, in the form that the approvals route lists. It is made from a question of this process,
// or from a record.
import type { Approval, ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { RecordedQuestion } from '@inboard/core/wire/protocol/config/call-records.js';
import type { ApprovalFacts } from '../stream/tool-calls.js';

/** A question that waits, in the form that the approvals route lists. */
export interface ListedQuestion {
  approvalId: string;
  toolCallId: string | undefined;
  toolName: string;
  input: unknown;
  reason?: string | undefined;
  descriptor: ApprovalFacts['descriptor'];
  /** Milliseconds since 1970. */
  askedAt: number;
}

/** The call that a permission question is about, and when it was asked. */
export interface AskedAbout extends Pick<
  ListedQuestion,
  'approvalId' | 'toolCallId' | 'toolName' | 'input' | 'askedAt'
> {
  attempt: number;
}

/** Describes a question of the CLI. */
export function describePermission(
  { attempt, ...call }: AskedAbout,
  { title, description, blockedPath, defaultToNo, agentID, decisionReason }: Partial<RecordedQuestion>,
): ListedQuestion {
  return withoutUndefined({
    ...call,
    reason: decisionReason,
    descriptor: withoutUndefined({
      kind: 'permission' as const,
      title,
      description,
      attempt,
      blockedPath,
      defaultToNo,
      agentId: agentID,
    }),
  });
}

/** Describes a question of a tool's handler. */
export function describeHeld(question: ApprovalQuestion | Approval, toolUseId: unknown): ListedQuestion {
  const { id, title, description, input, attempt, askedAt, agentID } = question;
  return withoutUndefined({
    approvalId: id,
    toolCallId: typeof toolUseId === 'string' ? toolUseId : undefined,
    toolName: question.toolName ?? 'question',
    input,
    descriptor: withoutUndefined({
      kind: 'held' as const,
      title,
      description,
      input,
      attempt,
      agentId: agentID,
    }),
    askedAt,
  });
}
