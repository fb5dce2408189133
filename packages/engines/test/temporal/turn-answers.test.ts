// Which answers a workflow takes. Signals are refused by nothing before it.
import { expect, it } from 'vitest';
import { allow, deny } from '@inboard/core/answer/permissions/decisions.js';
import { isTurnAnswer } from '../../src/temporal/workflow/turn-answers.js';

it.each([
  ['an allowance', { id: 'q', result: allow() }],
  ['a denial', { id: 'q', result: deny('No.'), by: 'ann' }],
])('takes %s', (_name, answer) => {
  expect(isTurnAnswer(answer)).toBe(true);
});

it.each([
  ['nothing', null],
  ['a text', 'yes'],
  ['no id', { result: allow() }],
  ['no result', { id: 'q', result: null }],
  ['a denial without words, which no attempt takes', { id: 'q', result: { behavior: 'deny' } }],
  ['somebody who is no text', { id: 'q', result: allow(), by: 7 }],
])('refuses %s', (_name, answer) => {
  expect(isTurnAnswer(answer)).toBe(false);
});
