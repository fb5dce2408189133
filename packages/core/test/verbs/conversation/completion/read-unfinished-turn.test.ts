// What is read of a session that was cut off: each state of a call, from the facts about it, without any effect.
import { expect, it } from 'vitest';
import { awaitClaimedElsewhere } from '../../../../src/verbs/conversation/completion/claimed-elsewhere.js';
import { readUnfinishedTurn } from '../../../../src/verbs/conversation/completion/read-unfinished-turn.js';
import type { CallFact } from '../../../../src/wire/protocol/config/call-records.js';
import {
  ASKED,
  BEGUN,
  CALL,
  COVERED,
  createCutStore,
  SESSION,
} from '../../../flows/completed/cut-session.js';

const callKey = `key ${CALL}`;
const ANSWERED: CallFact = { type: 'answered', callKey, answer: { behavior: 'allow' }, by: 'Ines', at: 2 };

it.each([
  ['unknown', []],
  ['unknown', [COVERED]],
  ['unknown', [COVERED, { ...ASKED, question: { agentID: 'a1' } }]],
  ['asked', [COVERED, ASKED]],
  ['answered', [COVERED, ASKED, ANSWERED]],
  ['withdrawn', [COVERED, ASKED, { type: 'withdrawn', callKey, at: 2 }]],
  ['begun', [COVERED, ASKED, ANSWERED, BEGUN]],
  ['waiting', [COVERED, BEGUN, { type: 'waiting', callKey, at: 4 }]],
  ['begun', [COVERED, BEGUN, { type: 'waiting', callKey, at: 4 }, { type: 'working', callKey, at: 5 }]],
  ['ended', [COVERED, BEGUN, { type: 'ended', callKey, result: { content: [] }, at: 5 }]],
] as [string, CallFact[]][])('finds a call to be %s', async (state, facts) => {
  const { store, results } = await createCutStore(facts);
  const turn = await readUnfinishedTurn({ sessionId: SESSION, options: { sessionStore: store } });
  expect(turn?.message).toBe('00000000-0000-4000-8000-0000000000d6');
  expect(turn?.calls).toMatchObject([{ toolUseId: CALL, input: { order: '7' }, state }]);
  expect(await results()).toEqual([]);
});

it('tells who answered, and what', async () => {
  const { store } = await createCutStore([COVERED, ASKED, ANSWERED]);
  const turn = await readUnfinishedTurn({ sessionId: SESSION, options: { sessionStore: store } });
  expect(turn?.calls[0]?.answered).toEqual({ answer: { behavior: 'allow' }, by: 'Ines', at: 2 });
});

it('finds nothing where there is no such session', async () => {
  const { store } = await createCutStore();
  const sessionId = '00000000-0000-4000-8000-0000000000fe';
  expect(await readUnfinishedTurn({ sessionId, options: { sessionStore: store } })).toBeUndefined();
});

it('says that another process keeps the claim, and leaves the claim of this one alone', async () => {
  const { store, key } = await createCutStore();
  const leaving = new AbortController();
  const watched = {
    sessionId: SESSION,
    options: { sessionStore: store },
    afterMs: 0,
    signal: leaving.signal,
  };
  const held = await store.calls(key).claim({ owner: 'another process', ttlMs: 60_000 });
  expect(await awaitClaimedElsewhere(watched)).toMatchObject({ code: 'SESSION_RUNNING', retryable: true });
  if ('release' in held) await held.release();
  leaving.abort();
  expect(await awaitClaimedElsewhere(watched)).toBeUndefined();
});
