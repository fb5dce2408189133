// The questions of a session in the journal, with a hub that gives hints when the test says so.
import { expect, it } from 'vitest';
import type { ApprovalAnswer } from '@inboard/core/answer/permissions/approvals/approval.js';
import { nextRound } from '@inboard/core/util/timers.js';
import type { ChangeListener } from '../../../src/work/host/change-hub.js';
import {
  createJournalApprovals,
  type JournalApprovalsInput,
} from '../../../src/work/session/journal-approvals.js';

it('read the journal when it hints at an answer, or at anything, and not at what else happens', async () => {
  let answer: ApprovalAnswer | undefined;
  let reads = 0;
  let hint: ChangeListener = () => {};
  const journal = {
    ask: async () => undefined,
    questions: async () => {
      reads += 1;
      return [{ id: 'q', kind: 'tool', attempt: 1, askedAt: 0, input: {}, ...(answer && { answer }) }];
    },
  };
  const questions = createJournalApprovals({
    journal,
    lease: { fence: { key: 'chat', epoch: 1, owner: 'w' }, write: (call: () => Promise<unknown>) => call() },
    hub: {
      on: (_key: string, listener: ChangeListener) => {
        hint = listener;
        return () => {};
      },
    },
    turns: { turnId: () => 'turn', review: () => {} },
    store: { whenStored: async () => {} },
  } as unknown as JournalApprovalsInput);
  const asked = questions.ask({ id: 'q', title: 'May I?' });
  const readsAfter = async (kind: Parameters<ChangeListener>[0]): Promise<number> => {
    hint(kind);
    await nextRound();
    return reads;
  };
  await nextRound();
  const atFirst = reads;
  expect(await readsAfter('events')).toBe(atFirst);
  expect(await readsAfter(undefined)).toBe(atFirst + 1);
  answer = { result: { behavior: 'allow' }, answeredAt: 1 };
  expect(await readsAfter('answer')).toBe(atFirst + 2);
  expect(await asked).toEqual({ behavior: 'allow' });
});
