// Journals that break a promise each, on purpose: what the runs of the model must find.
import type { Journal } from '../../src/journal/journal.js';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import type { Fence } from '../../src/journal/records.js';

type Mutate = (journal: Journal, newest: (fence: Fence) => Fence) => Partial<Journal>;

/** Each with what it does wrong. */
export const MUTANTS: Readonly<Record<string, Mutate>> = {
  'lets an old owner append to the transcript': (journal, newest) => ({
    store: (fence) => journal.store(fence && newest(fence)),
  }),
  'lets an old owner end a turn': (journal, newest) => ({
    finish: (fence, ...rest) => journal.finish(newest(fence), ...rest),
  }),
  'lets an old owner end a turn and begin the next': (journal, newest) => ({
    finishAndNext: async (fence, ...rest) =>
      (await journal.finishAndNext?.(newest(fence), ...rest)) ?? { ended: false },
  }),
  'ends a turn and forgets that it began the next': (journal) => ({
    finishAndNext: async (fence, ...rest) => ({
      ended: (await journal.finishAndNext?.(fence, ...rest))?.ended === true,
    }),
  }),
  'lets an old owner publish events': (journal, newest) => ({
    publish: (fence, ...rest) => journal.publish(newest(fence), ...rest),
  }),
  'lets an old owner write the result of a call': (journal, newest) => ({
    endCall: (fence, ...rest) => journal.endCall(newest(fence), ...rest),
  }),
  'renews a lease that is lost': (journal) => ({
    renew: async (fences, ms) => (await journal.renew(fences, ms)).map((each) => ({ ...each, held: true })),
  }),
  'renews a lease that has run out': (journal) => ({
    renew: async (fences, ms) => {
      const renewed = await journal.renew(fences, ms);
      return renewed.map((each) => (each.why === 'late' ? { ...each, held: true } : each));
    },
  }),
  'grants a conversation that somebody has': (journal, newest) => ({
    lease: async (key, lease) => {
      const answer = await journal.lease(key, lease);
      if (answer.state !== 'held') return answer;
      await journal.release(newest({ key, epoch: 0, owner: '' }));
      return await journal.lease(key, lease);
    },
  }),
  'keeps a message twice': (journal) => ({
    enqueue: async (turn) => {
      const sent = await journal.enqueue(turn);
      return sent.isNew ? sent : await journal.enqueue({ ...turn, id: `${turn.id} again` });
    },
  }),
  'loses the end of a turn': (journal) => ({
    finish: async (fence, id) => (await journal.turn(fence.key, id))?.state === 'running',
  }),
  'ends a turn twice': (journal) => ({
    finish: async (fence, id, end) => {
      if ((await journal.turn(fence.key, id))?.state === 'ended') return true;
      return await journal.finish(fence, id, end);
    },
  }),
  'takes every answer': (journal) => ({
    answer: async (id, answer) => ({ ...(await journal.answer(id, answer)), taken: true }),
  }),
  'says that it parked a turn that was answered': (journal) => ({
    park: async (fence, ...rest) => (await journal.park(fence, ...rest)) || true,
  }),
  'forgets the result of a call': (journal) => ({
    beginCall: async (fence, call) => {
      const known = await journal.beginCall(fence, call);
      return known.state === 'ended' ? { state: 'begun', begun: known.begun } : known;
    },
  }),
  'does not see that a lease ran out': (journal) => ({
    due: async (limit) => (await journal.due(limit)).filter(({ recovered }) => !recovered),
  }),
  'removes nothing': () => ({ remove: async () => true }),
  'leaves an interrupted turn parked': (journal) => ({
    interrupt: async (key) => {
      const { state } = (await journal.conversation(key)) ?? {};
      return state === 'parked' ? true : await journal.interrupt(key);
    },
  }),
};

/** Makes a journal that is wrong in one way. */
export function createMutant(mutate: Mutate, now: () => number): Journal {
  const journal = memoryJournal({ now });
  const fences = new Map<string, Fence>();
  const newest = (fence: Fence): Fence => fences.get(fence.key) ?? fence;
  const lease: Journal['lease'] = async (key, asked) => {
    const answer = await journal.lease(key, asked);
    if (answer.state === 'granted') fences.set(key, answer.fence);
    return answer;
  };
  const whole = { ...journal, lease };
  return { ...whole, ...mutate(whole, newest) };
}
