// The table of what is done about a call that was cut off, row by row.
import { describe, expect, it } from 'vitest';
import { decideCall, type CallSituation } from '../../../../src/verbs/conversation/completion/decide-call.js';
import { foldFacts } from '../../../../src/record/calls/fold-facts.js';
import type { CallFact } from '../../../../src/wire/protocol/config/call-records.js';

const CALL = { callKey: 'call_1', toolUseId: 'toolu_1', toolName: 'mcp__shop__pay', input: { order: 7 } };
const asked: CallFact = { type: 'asked', ...CALL, question: { title: 'Pay?' }, at: 1 };
const allowed: CallFact = {
  type: 'answered',
  callKey: 'call_1',
  answer: { behavior: 'allow' },
  by: 'ann',
  at: 2,
};
const denied: CallFact = {
  type: 'answered',
  callKey: 'call_1',
  answer: { behavior: 'deny', message: 'No.' },
  at: 2,
};
const begun: CallFact = { type: 'begun', ...CALL, attempt: 1, owner: 'other', at: 3 };
const waiting: CallFact = { type: 'waiting', callKey: 'call_1', at: 4 };
const working: CallFact = { type: 'working', callKey: 'call_1', at: 5 };
const ended: CallFact = { type: 'ended', callKey: 'call_1', result: { content: [] }, at: 6 };
const withdrawn: CallFact = { type: 'withdrawn', callKey: 'call_1', at: 2 };

const pending: CallFact = { type: 'pending', callKey: 'call_1', note: 'parcel', at: 4 };
const completed: CallFact = { ...ended, completion: 'one', by: 'warehouse' };
const stopped: CallFact = { ...withdrawn, at: 5 };

type Tool = CallSituation['tool'];
const ours = (onRepeat?: 'recorded' | 'run' | 'unknown'): Tool => ({
  kind: 'ours',
  name: 'mcp__shop__pay',
  onRepeat,
});
const gone: Tool = { kind: 'gone', name: 'mcp__shop__pay' };
const theirs = (name = 'Bash'): Tool => ({ kind: 'theirs', name });

function decide(facts: readonly CallFact[], tool: Tool, more: Partial<CallSituation> = {}): unknown {
  const known = foldFacts(facts).get('call_1');
  return decideCall({
    known,
    tool,
    isCovered: true,
    runsHere: false,
    ownerLives: false,
    isRepeated: false,
    ...more,
  });
}

describe('a call of a tool of ours that was cut off', () => {
  it.each<[string, readonly CallFact[], Tool, Partial<CallSituation>, object]>([
    ['was asked about', [asked], ours(), {}, { do: 'ask', question: { title: 'Pay?' } }],
    ['was allowed and did not begin', [asked, allowed], ours(), {}, { do: 'obey', by: 'ann' }],
    ['was denied', [asked, denied], ours(), {}, { do: 'obey', answer: { behavior: 'deny' } }],
    ['runs in this process', [begun], ours(), { runsHere: true }, { do: 'awaitHere' }],
    ['runs in another process', [begun], ours(), { ownerLives: true }, { do: 'awaitOwner' }],
    ['was waiting for a person', [begun, waiting], ours(), {}, { do: 'run' }],
    ['went on after it had waited', [begun, waiting, working], ours(), {}, { do: 'tell', how: 'unknown' }],
    ['ended', [asked, allowed, begun, ended], ours(), {}, { do: 'deliver' }],
    ['is pending', [asked, allowed, begun, pending], ours(), {}, { do: 'awaitPending' }],
    ['is pending, its host lives', [begun, pending], ours(), { ownerLives: true }, { do: 'awaitPending' }],
    ['is pending, its tool may run again', [begun, pending], ours('run'), {}, { do: 'awaitPending' }],
    ['is pending, its tool is gone', [begun, pending], gone, {}, { do: 'awaitPending' }],
    ['was pending, was completed', [begun, pending, completed], ours(), {}, { do: 'deliver' }],
    ['was pending, was stopped', [begun, pending, stopped], ours(), {}, { do: 'tell', how: 'unknown' }],
    ['was stopped before it was completed', [begun, pending, stopped, completed], ours(), {}, { do: 'tell' }],
    ['was completed before it was stopped', [begun, pending, completed, stopped], ours(), {}, { do: 'deliver' }],
    ['ended, whatever its tool wants for repeats', [begun, ended], ours('run'), {}, { do: 'deliver' }],
    ['began, and runs again', [begun], ours('run'), {}, { do: 'run' }],
    ['began, and its result was wanted', [begun], ours('recorded'), {}, { do: 'run' }],
    ['began, and must not run again', [begun], ours('unknown'), {}, { do: 'tell', how: 'unknown' }],
    ['began, and says nothing about repeats', [begun], ours(), {}, { do: 'tell', how: 'unknown' }],
    ['lost its question', [asked, withdrawn], ours(), {}, { do: 'tell', how: 'notRun' }],
    ['was never asked about', [], ours(), {}, { do: 'tell', how: 'notRun' }],
    ['has no record', [], ours(), { isCovered: false }, { do: 'leave' }],
    ['was allowed, and its tool is gone', [asked, allowed], gone, {}, { do: 'tell', how: 'notRun' }],
    ['was made by a subagent', [{ ...asked, question: { agentID: 'a1' } }], ours(), {}, { do: 'leave' }],
  ])('%s', (_what, facts, tool, more, decision) => {
    expect(decide(facts, tool, more)).toMatchObject(decision);
  });
});

describe('a call of a tool of the CLI that was cut off', () => {
  it.each<[string, readonly CallFact[], Tool, object]>([
    ['was waiting for a person', [asked], theirs(), { do: 'ask' }],
    ['had its answer, and may have begun', [asked, allowed], theirs(), { do: 'leave' }],
    ['was never asked about', [], theirs(), { do: 'leave' }],
    ['lost its question', [asked, withdrawn], theirs(), { do: 'tell', how: 'notRun' }],
    ['is a dialog', [asked], theirs('AskUserQuestion'), { do: 'leave' }],
    ['is a plan', [asked], theirs('ExitPlanMode'), { do: 'leave' }],
  ])('%s', (_what, facts, tool, decision) => {
    expect(decide(facts, tool)).toMatchObject(decision);
  });
});
