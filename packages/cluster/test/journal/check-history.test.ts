// The checker itself: it finds nothing in a history as it should be, and each way to break one under the promise it breaks.
import { beforeAll, describe, expect, it } from 'vitest';
import { checkHistory } from '../../src/journal/check-history.js';
import type { CheckedPromise, HistoryExpectation } from '../../src/journal/checks/history-rule.js';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import type { ClusterEvent, ConversationHistory, Fence, TurnRecord } from '../../src/journal/records.js';

const SENT = [1, 2, 3].map((number) => ({ key: 'a', id: `m${number}` }));
const EXPECTATION: HistoryExpectation = { sent: SENT, repeatable: ['look'], slackMs: 0 };

/** Three turns: the first is cut off and taken over, the second parked, the third cancelled. */
async function makeHistory(): Promise<ConversationHistory> {
  let now = 1_000_000;
  const journal = memoryJournal({ now: () => (now += 1) });
  for (const { key, id } of SENT) {
    await journal.enqueue({ key, id, content: `say ${id}`, start: { agent: 'x', data: null } });
  }
  const grant = async (): Promise<Fence> => {
    const answer = await journal.lease('a', { owner: 'w', ms: 1000 });
    if (answer.state !== 'granted') throw new Error(answer.state);
    return answer.fence;
  };
  const { sessionId = '' } = (await journal.conversation('a')) ?? {};
  const write = async (fence: Fence, entry: { type: string; uuid: string; [field: string]: unknown }) =>
    await journal.store(fence).append({ projectKey: 'p', sessionId }, [{ sessionId, ...entry }]);
  const say = async (fence: Fence, { uuid, content }: TurnRecord) => {
    await write(fence, {
      type: 'user',
      uuid,
      message: { role: 'user', content: [{ type: 'text', text: content }] },
    });
    await write(fence, {
      type: 'user',
      uuid: `r-${uuid}`,
      message: { content: [{ type: 'tool_result', tool_use_id: `u-${uuid}`, content: 'x' }] },
    });
    await write(fence, { type: 'assistant', uuid: `a-${uuid}`, message: { content: 'done' } });
  };
  const end = { outcome: { ok: true, kind: 'success', text: 'done', turnCostUsd: 1 } };
  const first = await grant();
  const one = (await journal.next(first)) as TurnRecord;
  await say(first, one);
  await journal.beginCall(first, { callKey: 'c1', turn: one.id, toolName: 'pay', input: {} });
  await journal.beginCall(first, { callKey: 'c2', turn: one.id, toolName: 'look', input: {} });
  await journal.endCall(first, 'c2', 'seen');
  now += 2000;
  const second = await grant();
  await journal.next(second);
  await journal.beginCall(second, { callKey: 'c1', turn: one.id, toolName: 'pay', input: {} });
  await journal.endCall(second, 'c1', 'paid');
  await journal.endCall(second, 'c2', 'seen again');
  await journal.finish(second, one.id, end);
  const two = (await journal.next(second)) as TurnRecord;
  await journal.ask(second, two.id, { id: 'q', kind: 'permission', attempt: 1, askedAt: 0, input: {} });
  await journal.park(second, two.id, { questions: ['q'], turnCostUsd: 0 });
  await journal.release(second);
  await journal.cancel('a', 'm3');
  await journal.answer('q', { result: { behavior: 'deny', message: 'no' }, answeredAt: 0 });
  const third = await grant();
  await journal.next(third);
  await say(third, two);
  await journal.finish(third, two.id, end);
  await journal.release(third);
  const history = await journal.history('a');
  if (!history) throw new Error('no history');
  return history;
}

type Break = (history: ConversationHistory) => HistoryExpectation | void;

const turnEvent = ({ events }: ConversationHistory, turn: string, state: string): ClusterEvent => {
  const found = events.find((event) => event.type === 'turn' && event.turn === turn && event.state === state);
  if (!found) throw new Error(`no event ${turn} ${state}`);
  return found;
};
const at = <T>(list: readonly T[], index: number): T => list.at(index) as T;

/** An event of the last lease that tells of a completed call. */
function note(history: ConversationHistory, call: { callKey: string; how: string }): void {
  const { epoch } = at(history.leases, -1);
  const calls = [{ toolUseId: `u-${call.callKey}`, toolName: 'pay', delivered: true, ...call }];
  const id = history.events.length + 1;
  const message = { type: 'system', subtype: 'inboard_completed_calls', calls };
  history.events.push({ id, key: 'a', turn: 'm2', at: 2_000_000, epoch, type: 'message', message });
  history.conversation.lastEventId = id;
}

const BREAKS: ReadonlyArray<readonly [what: string, CheckedPromise, Break]> = [
  ['a message that was accepted is not there', 'G1', (h) => void h.turns.pop()],
  ['the whole conversation is not there', 'G1', () => ({ sent: [...SENT, { key: 'b', id: 'm1' }] })],
  [
    'a turn still runs',
    'G1',
    (h) => void Object.assign(at(h.turns, 0), { state: 'running', outcome: undefined }),
  ],
  [
    'a turn is parked for ever',
    'G1',
    (h) => void Object.assign(at(h.turns, 1), { state: 'parked', outcome: undefined }),
  ],
  ['a turn has ended without an outcome', 'G1', (h) => void delete at(h.turns, 0).outcome],
  ['an event tells of a turn that is not there', 'G1', (h) => void (at(h.events, 0).turn = 'm9')],
  [
    'a turn has ended twice',
    'G2',
    (h) => void h.events.push({ ...turnEvent(h, 'm1', 'ended'), id: h.events.length + 1 }),
  ],
  [
    'a turn has ended, and no event says so',
    'G2',
    (h) => void (h.events = h.events.filter((event) => event !== turnEvent(h, 'm1', 'ended'))),
  ],
  [
    'a turn has ended in two ways',
    'G2',
    (h) =>
      void Object.assign(turnEvent(h, 'm1', 'ended'), {
        outcome: { ok: false, kind: 'lost', text: '', turnCostUsd: 0 },
      }),
  ],
  [
    'a turn went on after its end',
    'G2',
    (h) => void h.events.push({ ...turnEvent(h, 'm1', 'running'), id: h.events.length + 1 }),
  ],
  ['a turn is said to have ended, and runs', 'G2', (h) => void (at(h.turns, 0).state = 'running')],
  [
    'two turns have changed places',
    'G3',
    (h) => void ([at(h.turns, 0).place, at(h.turns, 1).place] = [2, 1]),
  ],
  ['a place is left out', 'G3', (h) => void (at(h.turns, 2).place = 4)],
  ['messages stand in another order than they were accepted', 'G3', () => ({ sent: SENT.toReversed() })],
  [
    'a turn began before the one before it had ended',
    'G3',
    (h) => {
      const [one, two] = [turnEvent(h, 'm1', 'ended'), turnEvent(h, 'm2', 'running')];
      const [from, to] = [h.events.indexOf(one), h.events.indexOf(two)];
      [h.events[from], h.events[to]] = [
        { ...two, id: one.id },
        { ...one, id: two.id },
      ];
    },
  ],
  [
    'two leases were valid at the same time',
    'G3',
    (h) => void (at(h.leases, 0).until = at(h.leases, 1).grantedAt + 1),
  ],
  [
    'a lease ended before it began',
    'G3',
    (h) => void (at(h.leases, 0).until = at(h.leases, 0).grantedAt - 1),
  ],
  ['epochs went back', 'G4', (h) => void (h.leases = h.leases.toReversed())],
  ['an epoch was given twice', 'G4', (h) => void (at(h.leases, 1).epoch = at(h.leases, 0).epoch)],
  [
    'an event was written under an old epoch',
    'G4',
    (h) => void (turnEvent(h, 'm1', 'ended').epoch = at(h.leases, 0).epoch),
  ],
  [
    'an event was written late, under an epoch that nobody had followed with a row yet',
    'G4',
    (h) => {
      const running = h.events.find((event) => event.epoch === at(h.leases, 0).epoch) as ClusterEvent;
      running.at = at(h.leases, 1).grantedAt + 1;
    },
  ],
  [
    'an event was written under an epoch that was never given',
    'G4',
    (h) => void (at(h.events, -1).epoch = 99),
  ],
  [
    'an entry was written under an old epoch',
    'G4',
    (h) => void (at(h.entries, -1).epoch = at(h.leases, 0).epoch),
  ],
  ['an entry was written under no epoch that was given', 'G4', (h) => void (at(h.entries, -1).epoch = 99)],
  ['a call was written under no epoch that was given', 'G4', (h) => void (at(h.calls, 0).epoch = 99)],
  ['a turn was run under no epoch that was given', 'G4', (h) => void (at(h.turns, 0).epoch = 99)],
  [
    'a message is in the transcript again, under another uuid',
    'G8',
    (h) => {
      h.entries.push({
        epoch: at(h.leases, 2).epoch,
        entry: { ...(at(h.entries, 0).entry as object), uuid: 'another' },
      });
    },
  ],
  [
    'a message is in the transcript again, under its uuid',
    'G8',
    (h) => void h.entries.push({ ...at(h.entries, 0), epoch: at(h.leases, 2).epoch }),
  ],
  [
    'messages are in the transcript in another order',
    'G8',
    (h) => {
      const prompts = [at(h.entries, 0), at(h.entries, 3)];
      [at(h.entries, 0).entry, at(h.entries, 3).entry] = [at(prompts, 1).entry, at(prompts, 0).entry];
    },
  ],
  ['the conversation was begun anew', 'G8', (h) => void (h.entries = h.entries.slice(3))],
  [
    'the conversation went on in another session',
    'G8',
    (h) => void (at(h.entries, -1).entry = { type: 'assistant', sessionId: 'another' }),
  ],
  [
    'a call has two results in the transcript',
    'G8',
    (h) => void h.entries.push({ ...at(h.entries, 1), epoch: at(h.entries, h.entries.length - 1).epoch }),
  ],
  ['a call with a result was run again', 'G9', (h) => void (at(h.calls, 0).ended = 2)],
  ['a result is lost', 'G9', (h) => void delete at(h.calls, 0).result],
  ['a call is there twice', 'G9', (h) => void h.calls.push({ ...at(h.calls, 0) })],
  ['a call is of a turn that is not there', 'G9', (h) => void (at(h.calls, 0).turn = 'm9')],
  [
    'a handler ran more often than its call was begun',
    'G9',
    () => ({ runs: [1, 2, 3].map(() => ({ key: 'a', callKey: 'c1' })) }),
  ],
  ['a handler ran without a word in the journal', 'G10', () => ({ runs: [{ key: 'a', callKey: 'c9' }] })],
  ['a call was never begun', 'G10', (h) => void (at(h.calls, 0).begun = 0)],
  [
    'a recorded result was delivered that nobody keeps',
    'G9',
    (h) => note(h, { callKey: 'c9', how: 'recorded' }),
  ],
  ['a call that had begun was said not to have run', 'G10', (h) => note(h, { callKey: 'c2', how: 'notRun' })],
  [
    'a call that had begun was said to have been denied',
    'G10',
    (h) => note(h, { callKey: 'c1', how: 'denied' }),
  ],
  [
    'a result was delivered twice',
    'G8',
    (h) => {
      note(h, { callKey: 'c1', how: 'recorded' });
      note(h, { callKey: 'c1', how: 'recorded' });
    },
  ],
  [
    'a question was answered twice',
    'G11',
    (h) => {
      const told = h.events.find(({ type }) => type === 'answer') as ClusterEvent;
      h.events.push({ ...told, id: h.events.length + 1 });
    },
  ],
  ['an answer is lost', 'G11', (h) => void delete at(h.questions, 0).answer],
  [
    'an answer came from nowhere',
    'G11',
    (h) => void (h.events = h.events.filter(({ type }) => type !== 'answer')),
  ],
  ['an event is missing', 'G13', (h) => void h.events.splice(3, 1)],
  ['an event has the number of another', 'G13', (h) => void (at(h.events, 3).id = 3)],
  ['the newest event is missing', 'G13', (h) => void h.events.pop()],
];

describe('checkHistory', () => {
  let whole: ConversationHistory;
  beforeAll(async () => {
    whole = await makeHistory();
  });

  it('finds nothing in a history as it should be', () => {
    const runs = [1, 2].map(() => ({ key: 'a', callKey: 'c1' }));
    expect(checkHistory([whole], { ...EXPECTATION, runs })).toEqual([]);
    expect(checkHistory([], { sent: SENT, removed: ['a'] })).toEqual([]);
  });

  it('finds nothing in completed calls that are as they should be', () => {
    const completed = structuredClone(whole);
    note(completed, { callKey: 'c1', how: 'recorded' });
    note(completed, { callKey: 'c2', how: 'ran' });
    note(completed, { callKey: 'never begun', how: 'notRun' });
    note(completed, { callKey: 'nor this', how: 'denied' });
    expect(checkHistory([completed], EXPECTATION).filter(({ promise }) => promise !== 'G4')).toEqual([]);
  });

  it.each(BREAKS)('finds that %s (%s)', (_what, promise, breakIt) => {
    const broken = structuredClone(whole);
    const more = breakIt(broken) ?? {};
    const found = checkHistory([broken], { ...EXPECTATION, ...more });
    const hit = found.find((each) => each.promise === promise);
    expect(hit, JSON.stringify(found)).toBeDefined();
    expect(hit?.rows.length).toBeGreaterThan(0);
    expect(hit?.what).toMatch(/^[A-Z].*\.$/);
  });

  it('finds an epoch that two conversations have', () => {
    const other = structuredClone(whole);
    other.conversation.key = 'b';
    expect(checkHistory([whole, other]).map(({ promise }) => promise)).toContain('G4');
  });

  it('finds a tool that runs again only where it may not', () => {
    const found = checkHistory([whole], { ...EXPECTATION, repeatable: [] });
    expect(found.map(({ promise, key }) => ({ promise, key }))).toEqual([{ promise: 'G9', key: 'a' }]);
  });

  it('forgives what is said to be so: turns under way, pruned events, no transcripts', () => {
    const open = structuredClone(whole);
    Object.assign(at(open.turns, 2), { state: 'queued', outcome: undefined });
    open.events = open.events.filter(
      (event) => !(event.turn === 'm3' && event.type === 'turn' && event.state === 'ended'),
    );
    const renumbered = open.events.map((event, index) => ({ ...event, id: index + 1 }));
    const left = {
      ...open,
      events: renumbered,
      conversation: { ...open.conversation, lastEventId: renumbered.length },
    };
    expect(checkHistory([left], { ...EXPECTATION, settled: false })).toEqual([]);
    const pruned = {
      ...structuredClone(whole),
      events: whole.events.slice(9),
      leases: whole.leases.slice(2),
    };
    expect(checkHistory([pruned], { ...EXPECTATION, pruned: true })).toEqual([]);
    const bare = { ...structuredClone(whole), entries: [] };
    expect(checkHistory([bare], { ...EXPECTATION, transcripts: false })).toEqual([]);
  });
});
