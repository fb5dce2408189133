// The judge of the scenario that engines play (test/engines) finds every broken promise. Engines that keep them all cannot show that.
import { describe, expect, it } from 'vitest';
import { findBroken, type SceneFacts } from '../engines/judge.mjs';

const RESULT = { type: 'tool_result', content: [{ type: 'text', text: 'refunded 7' }] };
const STOPPED = { role: 'user', content: '[Request interrupted by user]' };
const OUTCOME = { ok: true, kind: 'ok', text: 'done' };
const ENTRIES = [
  { epoch: 1, uuid: 'a' },
  { epoch: 1, uuid: null },
  { epoch: 2, uuid: 'b' },
];
const BEGUN_TWICE = [1, 2].map((epoch) => ({ epoch, fact: '{"type":"begun","callKey":"key"}' }));
const KEPT: SceneFacts = {
  scene: { asks: true },
  outcomes: [OUTCOME, OUTCOME],
  effects: ['{}'],
  // A fact that was added without a fence has epoch 0.
  rows: { entries: ENTRIES, facts: [{ epoch: 1 }, { epoch: 0 }, { epoch: 2 }] },
  questions: ['question'],
  taken: [true, false],
  tellsMessages: true,
  messages: [
    { role: 'user', content: 'Refund order 7' },
    { role: 'user', content: [RESULT] },
  ],
  pods: [{ lines: [{ ready: 1 }, { message: { type: 'result', uuid: 'r' } }] }],
  prompt: 'Refund order 7',
  answer: 'done',
};

describe('the judge of engines', () => {
  it('finds nothing where all promises are kept', () => {
    expect(findBroken(KEPT)).toEqual([]);
    expect(findBroken({ ...KEPT, rowsAtWake: KEPT.rows })).toEqual([]);
    // Nobody could know; and an answer that was found in the transcript has no messages.
    expect(findBroken({ ...KEPT, taken: [undefined, undefined] })).toEqual([]);
    const recovered = { ...OUTCOME, recovered: true };
    expect(findBroken({ ...KEPT, outcomes: [recovered, recovered], pods: [] })).toEqual([]);
  });

  it('lets a call begin twice where a kill may come in that moment, and the model is told', () => {
    const told = {
      ...RESULT,
      content: [{ type: 'text', text: 'Its outcome is unknown: it was not run again.' }],
    };
    const facts = {
      scene: { mayBeUnknown: true },
      effects: [],
      rows: { ...KEPT.rows, facts: BEGUN_TWICE },
      messages: [
        { role: 'user', content: 'Refund order 7' },
        { role: 'user', content: [told] },
      ],
    };
    expect(findBroken({ ...KEPT, ...facts })).toEqual([]);
    expect(findBroken({ ...KEPT, ...facts, scene: { effects: 0, isUnknown: true } })).toEqual([]);
  });

  it.each<[string, string, Partial<SceneFacts>]>([
    [
      'a call of unknown outcome of which the model was told something else',
      'the model is told the truth',
      { scene: { effects: 0, isUnknown: true }, effects: [] },
    ],
    ['another answer', 'one outcome', { outcomes: [{ ...OUTCOME, text: 'no' }] }],
    ['an outcome that changes', 'one outcome', { outcomes: [OUTCOME, { ...OUTCOME, turnCostUsd: 1 }] }],
    [
      'an outcome of another kind',
      'one outcome',
      { scene: { kind: 'interrupted' }, messages: [...(KEPT.messages ?? []), STOPPED] },
    ],
    [
      'a stop of which nobody told the model',
      'the model is told of the stop',
      { scene: { kind: 'interrupted' }, outcomes: [{ ...OUTCOME, kind: 'interrupted' }] },
    ],
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
    [
      'a second answer that was said to be taken',
      "the person's answer is used once",
      { taken: [true, true] },
    ],
    ['an answer that was said to be late', "the person's answer is used once", { taken: [false, false] }],
    [
      "the second person's answer in the record",
      "the person's answer is used once",
      {
        rows: {
          ...KEPT.rows,
          facts: [{ epoch: 2, fact: '{"type":"answered","answer":{"behavior":"deny"}}' }],
        },
      },
    ],
    [
      'a call that began twice, although its effect came once',
      'one effect',
      {
        rows: { ...KEPT.rows, facts: BEGUN_TWICE },
      },
    ],
    [
      'a call that began twice of which the model was not told, although it may be',
      'one effect',
      { scene: { asks: true, mayBeUnknown: true }, rows: { ...KEPT.rows, facts: BEGUN_TWICE } },
    ],
    [
      'a late write of an old fence, after the next turn',
      'no write by an old fence',
      { rowsAfter: { entries: [...ENTRIES, { epoch: 3, uuid: 'c' }, { epoch: 1, uuid: 'd' }] } },
    ],
    [
      'a uuid that comes again after the next turn',
      'no uuid twice',
      { rowsAfter: { entries: [...ENTRIES, { epoch: 3, uuid: 'a' }] } },
    ],
    [
      'a message that two attempts told',
      'messages are told once',
      {
        pods: ['m', 'm', 'r'].map((uuid) => ({
          lines: [{ message: { type: uuid === 'r' ? 'result' : 'assistant', uuid } }],
        })),
      },
    ],
    ['messages that nobody was told', 'messages are told once', { pods: [] }],
    [
      'an unhandled rejection',
      'no unhandled rejection',
      { pods: [...KEPT.pods, { lines: [{ unhandled: 'Error' }] }] },
    ],
  ])('finds %s', (_name, promise, change) => {
    expect(findBroken({ ...KEPT, ...change }).map((broken) => broken.promise)).toEqual([promise]);
  });
});
