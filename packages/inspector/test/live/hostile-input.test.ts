// What an attacker would try with the input of a question: other spellings of a path, depth, and errors that quote a secret.
import { describe, expect, it } from 'vitest';
import { createRedactor } from '@inboard/core/record/trace/recorder/redact.js';
import { applyEditsToRealInput } from '../../src/sources/live/hidden-values.js';
import { presentQuestion } from '../../src/sources/live/present-question.js';
import { replyJson } from '../../src/server/http-reply.js';

describe('an edit', () => {
  const list = {
    real: { list: [{ key: 'ONE' }], 0: 'TWO' },
    shown: { list: [{ key: '-' }], 0: '-' },
    isRevealed: false,
  };

  it.each([
    [{ path: ['list', '0', 'key'], value: 'mine' }],
    [{ path: ['list', '0'], value: { key: 'mine' } }],
    [{ path: [0], value: 'mine' }],
    [{ path: [0], remove: true } as const],
  ])('does not reach a hidden value by another spelling of its path: %j', (edit) => {
    const { input, issues } = applyEditsToRealInput(list, [edit]);
    expect(issues).toHaveLength(1);
    expect(input).toEqual(list.real);
  });

  it('takes either spelling of a place that is not hidden', () => {
    const plain = { real: { list: [1, 2] }, shown: { list: [1, 2] }, isRevealed: false };
    expect(applyEditsToRealInput(plain, [{ path: ['list', '1'], value: 3 }])).toEqual({
      input: { list: [1, 3] },
      issues: [],
    });
  });
});

describe('an input nested very deeply', () => {
  const DEPTH = 10_000;
  const token = 'sk-ant-abcdefghijklmnop';
  const input = JSON.parse(`${'{"a":'.repeat(DEPTH)}{"token":"${token}"}${'}'.repeat(DEPTH)}`) as Record<
    string,
    unknown
  >;
  const facts = { id: '1', kind: 'permission', subject: 'x', title: 'x', askedAt: 1, attempt: 1 } as const;
  const question = presentQuestion(
    { ...facts, input, suggestions: [] },
    { session: 's1', redactor: createRedactor({}), canAnswer: true },
  );

  it('is presented without its secrets, and can be sent', () => {
    expect(question.hidden).toHaveLength(1);
    const body = String(replyJson({ questions: [question] }).body);
    expect(body).toContain('[redacted]');
    expect(body).not.toContain(token);
  });

  it('can be edited beside them', () => {
    const given = { real: input, shown: question.input, isRevealed: false };
    expect(applyEditsToRealInput(given, [{ path: ['b'], value: 1 }]).issues).toEqual([]);
    expect(applyEditsToRealInput(given, [{ path: ['a'], value: 1 }]).issues).toHaveLength(1);
  });
});
