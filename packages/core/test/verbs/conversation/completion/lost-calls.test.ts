// Calls that have begun and are not in the transcript, because the CLI was killed before it had saved them.
import { describe, expect, it } from 'vitest';
import { FIRST_MESSAGE } from '../../../../src/live/tooling/call-key.js';
import { CallLedger } from '../../../../src/live/tooling/call-ledger.js';
import { foldFacts } from '../../../../src/record/calls/fold-facts.js';
import type { LastTurn } from '../../../../src/record/history/transcript/transcript-state.js';
import { findLostCalls } from '../../../../src/verbs/conversation/completion/lost-calls.js';
import type { CallFact } from '../../../../src/wire/protocol/config/call-records.js';

const SESSION = '00000000-0000-4000-8000-0000000000e1';
const TOOL = 'mcp__shop__pay';
const made = (toolUseId: string, order: number, hasEnded = true) => ({
  toolUseId,
  toolName: TOOL,
  input: { order },
  hasEnded,
  mayComeAgain: !hasEnded,
});
const turnOf = (...calls: LastTurn['calls']): LastTurn => ({
  uuid: 'u1',
  firstUuid: 'u1',
  isFirst: true,
  calls,
  text: undefined,
  stopped: false,
});

/** The facts of calls that begin in this order in a turn. */
function begin(calls: LastTurn['calls'], message = FIRST_MESSAGE): CallFact[] {
  const identities = CallLedger.identifyAll(SESSION, message, calls);
  return calls.map(({ toolUseId, toolName, input }) => ({
    type: 'begun',
    callKey: identities.get(toolUseId)?.callKey ?? '',
    toolUseId,
    toolName,
    input: input as Record<string, unknown>,
    attempt: 1,
    owner: 'the process that died',
    at: 1,
  }));
}

const find = (turn: LastTurn, facts: CallFact[]) =>
  findLostCalls(SESSION, turn, foldFacts(facts)).map(({ toolUseId }) => toolUseId);

describe('calls that only the records know', () => {
  it.each([
    ['the only call of a turn', turnOf(), begin([made('t1', 7)]), ['t1']],
    ['one beside a saved call', turnOf(made('t1', 7)), begin([made('t1', 7), made('t2', 8)]), ['t2']],
    ['the second of two equal ones', turnOf(made('t1', 7)), begin([made('t1', 7), made('t2', 7)]), ['t2']],
    ['none where all are saved', turnOf(made('t1', 7, false)), begin([made('t1', 7)]), []],
    ['none of another turn', turnOf(), begin([made('t1', 7)], 'another message'), []],
    ['none where nothing has begun', turnOf(), [], []],
  ])('are %s', (_what, turn, facts, expected) => {
    expect(find(turn, facts)).toEqual(expected);
  });

  it('are none that was saved under a new id, because the model made it again', () => {
    const facts = begin([made('t1', 7)]);
    expect(find(turnOf(made('t9', 7, false)), facts)).toEqual([]);
  });
});
