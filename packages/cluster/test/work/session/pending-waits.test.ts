// The waits for pending calls under a lease, with a journal that answers when the test says so.
import { describe, expect, it } from 'vitest';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { Journal } from '../../../src/journal/journal.js';
import type { JournalAnswer, NewJournalQuestion } from '../../../src/journal/journal-question.js';
import type { ChangeListener } from '../../../src/work/host/change-hub.js';
import { PendingWaits, type PendingWaitsInput } from '../../../src/work/session/pending-waits.js';

const QUESTION: NewJournalQuestion = {
  id: 'pending_call',
  kind: 'pending',
  attempt: 1,
  askedAt: 0,
  input: {},
};
const ANSWER: JournalAnswer = {
  result: { behavior: 'allow', updatedInput: {} },
  answeredAt: 1,
  ended: { content: [{ type: 'text', text: 'done' }] },
};

function open() {
  const asked = createDeferred<JournalAnswer | undefined>();
  const reads: Deferred<unknown[]>[] = [];
  const listeners = new Set<ChangeListener>();
  const journal = {
    ask: () => asked.promise,
    questions: () => {
      const read = createDeferred<unknown[]>();
      reads.push(read);
      return read.promise;
    },
  };
  const input = {
    journal: journal as unknown as Journal,
    lease: { fence: { key: 'chat', epoch: 1, owner: 'w' }, write: (call: () => Promise<unknown>) => call() },
    hub: {
      on: (_key: string, listener: ChangeListener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    turns: { turnId: () => 'turn', review: () => {} },
  } as unknown as PendingWaitsInput;
  const waiting = new PendingWaits(input).wait(QUESTION, () => {});
  const hint = (): void => listeners.forEach((listener) => listener('answer'));
  return { asked, reads, hint, waiting };
}

describe('a pending call that is made again', () => {
  it('is not taken for withdrawn because its earlier question was, before the new one is stored', async () => {
    const { asked, reads, hint, waiting } = open();
    hint();
    reads[0]?.resolve([]);
    asked.resolve(undefined);
    await new Promise(setImmediate);
    hint();
    reads[1]?.resolve([{ ...QUESTION, answer: ANSWER }]);
    expect(await waiting).toEqual(ANSWER.ended);
  });

  it('is withdrawn when its question is gone after that', async () => {
    const { asked, reads, hint, waiting } = open();
    asked.resolve(undefined);
    await new Promise(setImmediate);
    hint();
    reads[0]?.resolve([]);
    await expect(waiting).rejects.toThrow('has ended');
  });
});
