// The questions of AskUserQuestion, and the answers to them.
import { describe, expect, it } from 'vitest';
import { readUserQuestions, writeAnswers } from '../../src/model/form/user-questions.js';

const input = {
  questions: [
    {
      question: 'Where?',
      header: 'Place',
      multiSelect: true,
      options: [{ label: 'A', description: 'a' }, { label: 'B' }],
    },
    { question: 'When?', options: 'soon' },
    'no question',
  ],
};

describe('readUserQuestions', () => {
  it('reads what is there, and trusts nothing', () => {
    expect(readUserQuestions({})).toEqual([]);
    expect(readUserQuestions(input)).toEqual([
      {
        question: 'Where?',
        header: 'Place',
        multiSelect: true,
        options: [
          { label: 'A', description: 'a', preview: undefined },
          { label: 'B', description: '', preview: undefined },
        ],
      },
      { question: 'When?', header: '', multiSelect: false, options: [] },
    ]);
  });
});

describe('writeAnswers', () => {
  const questions = readUserQuestions(input);

  it('joins what was chosen in the order of the question, own words last', () => {
    const picks = { 0: { labels: ['B', 'A'], own: ' elsewhere ' }, 1: { labels: [], own: 'Now' } };
    expect(writeAnswers(questions, picks)).toEqual({ 'Where?': 'A, B, elsewhere', 'When?': 'Now' });
  });

  it('has nothing for what was not answered', () => {
    expect(writeAnswers(questions, { 0: { labels: [], own: '  ' } })).toEqual({});
  });
});
