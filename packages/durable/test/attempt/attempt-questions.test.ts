// The questions of an attempt: which answers are used, when, and how often.
import { describe, expect, it, vi } from 'vitest';
import { allow, deny } from '../../../inboard/src/index.js';
import {
  createAnsweredStore,
  createAttemptApprovals,
  type QuestionAnswer,
} from '../../src/attempt/attempt-questions.js';
import { HeldQuestions } from '../../src/attempt/held-questions.js';

function createQuestions(answers: QuestionAnswer[] = []) {
  const onChange = vi.fn();
  return { onChange, questions: new HeldQuestions({ store: createAnsweredStore(answers), onChange }) };
}

const ask = (questions: HeldQuestions, callKey: string, signal = new AbortController().signal) =>
  questions.canUseTool(
    'pay',
    { order: 7 },
    { signal, callKey, requestId: `r-${callKey}`, toolUseID: `t-${callKey}` },
  );

describe('a question of an attempt', () => {
  it('gets the answer that was given to it, once', async () => {
    const { questions } = createQuestions([{ id: 'one', result: allow(), by: 'ann' }]);
    expect(await ask(questions, 'one')).toEqual(allow());
    const again = ask(questions, 'one-more');
    expect(questions.open.map(({ id }) => id)).toEqual(['one-more']);
    expect(questions.toolUseIds).toEqual(['t-one-more']);
    questions.close();
    expect(await again).toBeNull();
  });

  it('stays open without an answer, and its waiter gets nothing when the attempt ends', async () => {
    const { questions, onChange } = createQuestions([{ id: 'another', result: deny('no') }]);
    const asked = ask(questions, 'one');
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(questions.open).toMatchObject([
      { id: 'one', kind: 'permission', toolName: 'pay', input: { order: 7 } },
    ]);
    questions.close();
    expect(await asked).toBeNull();
    expect(questions.open).toEqual([]);
  });

  it('gets the newest answer, if the one before could not be used and the question was asked again', async () => {
    const { questions } = createQuestions([{ id: 'one-again-2', result: deny('second thoughts') }]);
    expect(await ask(questions, 'one')).toEqual(deny('second thoughts'));
  });

  it('of a handler keeps its id, and lets the handler go on only while the attempt may', async () => {
    const context = { callKey: 'call', server: 'shop', tool: 'pay' };
    const { questions } = createQuestions();
    const asked = questions.ask({ title: 'Really?' }, context);
    const [question] = questions.open;
    questions.close();
    await expect(asked).rejects.toMatchObject({ code: 'PERMISSION_UNAVAILABLE' });
    const answers = [{ id: String(question?.id), result: allow() }];
    expect(await createQuestions(answers).questions.ask({ title: 'Really?' }, context)).toEqual(allow());
    const lost = createAttemptApprovals(createQuestions(answers).questions, () => {
      throw new Error('lost');
    });
    await expect(lost.ask({ title: 'Really?' }, context)).rejects.toThrow('lost');
  });
});
