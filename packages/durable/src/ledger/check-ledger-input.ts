// Checks what is given to a ledger. All ledgers of this package use it, so that they refuse the same with the same words.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { encodeFact } from '@inboard/core/record/calls/plain-fact.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { filledText, requireShape, shape } from '@inboard/core/util/option-shapes.js';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';

/** Longer keys do not fit into an index of PostgreSQL. */
const MOST_CHARACTERS = 500;
const CONVERSATION_KEY = shape(
  `a text of 1 to ${MOST_CHARACTERS} characters without NUL`,
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS && !value.includes('\0'),
);

/** Throws an InvalidOptionsError unless these can name a conversation and an owner. */
export function checkTake(key: unknown, options: unknown): void {
  requireShape('key', key, CONVERSATION_KEY);
  if (!isRecord(options)) throw new InvalidOptionsError(['owner'], 'take(key, { owner }) needs an owner');
  requireShape('owner', options['owner'], filledText);
}

/** The error for a write without a fence. */
export function refuseUnfenced(): InvalidOptionsError {
  return new InvalidOptionsError(
    ['fence'],
    'Without a fence, a conversation can be read but not written: take(key, { owner }) gives one',
  );
}

/** The JSON of a fact. Without a fence, only the end of a pending call is accepted, which names its completion. */
export function encodeLedgerFact(fact: CallFact, hasFence: boolean): string {
  const text = encodeFact(fact);
  if (!hasFence && !(fact.type === 'ended' && typeof fact.completion === 'string')) throw refuseUnfenced();
  return text;
}
