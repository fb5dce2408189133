// Checks what is given to a ledger. All ledgers of this package use it, so that they refuse the same with the same words.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { encodeFact } from '@inboard/core/record/calls/plain-fact.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { filledText, requireShape, shape } from '@inboard/core/util/option-shapes.js';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';

/** Longer keys do not fit into an index of PostgreSQL. */
const MOST_CHARACTERS = 500;
/** What can be the key of a conversation, and of what is kept with it. */
export const conversationKey = shape(
  `a text of 1 to ${MOST_CHARACTERS} characters without NUL and without half surrogate pairs`,
  (value) =>
    typeof value === 'string' &&
    value !== '' &&
    value.length <= MOST_CHARACTERS &&
    !value.includes('\0') &&
    // UTF-8 has no half pairs: two keys would become one.
    value.isWellFormed(),
);

/** Throws an InvalidOptionsError unless these can name a conversation and an owner. */
export function checkTake(key: unknown, options: unknown): void {
  requireShape('key', key, conversationKey);
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
