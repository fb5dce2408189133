// What the model is told about each call of a turn that was stopped without a CLI.
import { describe, expect, it } from 'vitest';
import { deny } from '../../../core/src/answer/permissions/decisions.js';
import { foldFacts } from '../../../core/src/record/calls/fold-facts.js';
import type { CallFact } from '../../../core/src/wire/protocol/config/call-records.js';
import { describeStopped } from '../../src/attempt/tell-stopped.js';

const CALL = { callKey: 'call', toolName: 'refund', input: {}, toolUseId: 'toolu_1' };
const BEGUN = { type: 'begun', ...CALL, owner: 'me', attempt: 1, at: 1 } as const;
const ASKED = { type: 'asked', ...CALL, question: {}, at: 1 } as unknown as CallFact;
const RESULT = { content: [{ type: 'text', text: 'refunded' }] };

describe('describeStopped', () => {
  it.each<[string, CallFact[], RegExp]>([
    ['a call that nobody decided about', [], /did not run: the turn was interrupted/],
    ['a call that was asked about', [ASKED], /did not run: the turn was interrupted/],
    [
      'a handler that waits for a person',
      [BEGUN, { type: 'waiting', callKey: 'call', at: 2 }],
      /did not run/,
    ],
    ['a handler that was cut off', [BEGUN], /Its outcome is unknown/],
    [
      'a handler that went on after it had waited',
      [BEGUN, { type: 'waiting', callKey: 'call', at: 2 }, { type: 'working', callKey: 'call', at: 3 }],
      /Its outcome is unknown/,
    ],
    [
      'a pending call',
      [BEGUN, { type: 'pending', callKey: 'call', at: 2 }, { type: 'withdrawn', callKey: 'call', at: 3 }],
      /its result was to come later/,
    ],
  ])('says what is known of %s', (_, facts, words) => {
    expect(JSON.stringify(describeStopped(foldFacts(facts).get('call')))).toMatch(words);
  });

  it('gives a call that has ended its result', () => {
    const ended: CallFact = { type: 'ended', callKey: 'call', result: RESULT, at: 2 };
    expect(describeStopped(foldFacts([BEGUN, ended]).get('call'))).toEqual({ result: RESULT });
  });

  it('passes on the denial of a person', () => {
    const answer = deny('No.');
    const answered: CallFact = { type: 'answered', callKey: 'call', answer, at: 2 };
    expect(describeStopped(foldFacts([ASKED, answered]).get('call'))).toEqual({ denial: answer });
  });
});
