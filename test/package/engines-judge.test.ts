// The judge of the scenario that engines play (test/engines) finds every broken promise. Engines that keep them all cannot show that.
import { describe, expect, it } from 'vitest';
import { findBroken, type SceneFacts } from '../engines/judge.mjs';

const RESULT = { type: 'tool_result', content: [{ type: 'text', text: 'refunded 7' }] };
const OUTCOME = { ok: true, kind: 'ok', text: 'done' };
const ENTRIES = [
  { epoch: 1, uuid: 'a' },
  { epoch: 1, uuid: null },
  { epoch: 2, uuid: 'b' },
];
const KEPT: SceneFacts = {
  scene: { asks: true },
  outcomes: [OUTCOME, OUTCOME],
  effects: ['{}'],
  // A fact that was added without a fence has epoch 0.
  rows: { entries: ENTRIES, facts: [{ epoch: 1 }, { epoch: 0 }, { epoch: 2 }] },
  questions: ['question'],
  messages: [
    { role: 'user', content: 'Refund order 7' },
    { role: 'user', content: [RESULT] },
  ],
  pods: [{ lines: [{ ready: 1 }] }],
  prompt: 'Refund order 7',
  answer: 'done',
};

describe('the judge of engines', () => {
  it('finds nothing where all promises are kept', () => {
    expect(findBroken(KEPT)).toEqual([]);
    expect(findBroken({ ...KEPT, rowsAtWake: KEPT.rows })).toEqual([]);
  });

  it.each<[string, string, Partial<SceneFacts>]>([
    ['another answer', 'one outcome', { outcomes: [{ ...OUTCOME, text: 'no' }] }],
    ['an outcome that changes', 'one outcome', { outcomes: [OUTCOME, { ...OUTCOME, costUsd: 1 }] }],
    ['an outcome of another kind', 'one outcome', { scene: { kind: 'interrupted' } }],
    ['two effects', 'one effect', { effects: ['{}', '{}'] }],
    ['no effect', 'one effect', { effects: [] }],
    ['a uuid twice', 'no uuid twice', { rows: { entries: [...ENTRIES, { epoch: 2, uuid: 'a' }] } }],
    [
      'a write by an old fence',
      'no write by an old fence',
      { rows: { ...KEPT.rows, facts: [{ epoch: 2 }, { epoch: 1 }] } },
    ],
    ['rows that change after a pod woke', 'no write by an old fence', { rowsAtWake: { entries: [] } }],
    [
      'a prompt that was sent again',
      'the turn goes on',
      { messages: [...(KEPT.messages ?? []), { role: 'user', content: 'Refund order 7' }] },
    ],
    [
      'a call that was made again',
      'the turn goes on',
      { messages: [...(KEPT.messages ?? []), { role: 'user', content: [RESULT] }] },
    ],
    [
      'an excuse in place of a result',
      'the model gets the result',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Refund order 7' },
              { ...RESULT, content: 'unknown' },
            ],
          },
        ],
      },
    ],
    [
      'a question that was asked anew',
      "the person's answer is used once",
      { questions: ['question', 'another'] },
    ],
    ['an unhandled rejection', 'no unhandled rejection', { pods: [{ lines: [{ unhandled: 'Error' }] }] }],
  ])('finds %s', (_name, promise, change) => {
    expect(findBroken({ ...KEPT, ...change }).map((broken) => broken.promise)).toEqual([promise]);
  });
});
