// Chaos itself is run by `scripts/run-cluster-chaos.mjs`; here it is shown that what judges a run can fail it, for each promise
// it looks at, and that the same seed plans the same run.
import { describe, expect, it } from 'vitest';

type Facts = Record<string, unknown>;
interface Run {
  histories: Facts[];
  notes: Facts[];
  effects: Facts[];
  wanted: { conversations: number; turns: number };
  isRolling: boolean;
}
interface Judge {
  findBroken: (run: Run) => Array<{ promise: string; what: string }>;
  findSlow: (run: { notes: Facts[] }) => Array<{ promise: string }>;
}
interface Random {
  createRandom: (seed: number) => { between: (low: number, high: number) => number };
}

const folder = '../../../../scripts/support/cluster-chaos/';
const load = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(folder + file, import.meta.url).href)) as Module;
const { findBroken, findSlow } = await load<Judge>('judge.mjs');
const { createRandom } = await load<Random>('random.mjs');

/** A run in which one conversation had one turn, and all went well. */
function createRun() {
  const outcome = { ok: true, kind: 'success', text: 'done c0 1' };
  const turn: Facts = {
    id: 'c0-1',
    uuid: 'prompt',
    place: 1,
    state: 'ended',
    outcome,
    startedAt: 20,
    endedAt: 40,
  };
  const ended: Facts = { id: 1, epoch: 1, at: 40, type: 'turn', turn: 'c0-1', state: 'ended' };
  const turns = [turn];
  const events = [ended];
  const leases: Facts[] = [{ epoch: 1, grantedAt: 10, until: 100 }];
  const entries: Facts[] = [{ epoch: 1, entry: { type: 'user', parentUuid: null, uuid: 'prompt' } }];
  const run: Facts = { kind: 'run', who: 'w0', at: 10, callKey: 'call', hadRow: true };
  return {
    histories: [{ conversation: { key: 'c0' }, turns, events, leases, entries }] as Facts[],
    notes: [run, { kind: 'end-call', who: 'w0', at: 20, callKey: 'call' }] as Facts[],
    effects: [{ conversation: 'c0', turn: 1, call: 0 }] as Facts[],
    wanted: { conversations: 1, turns: 1 },
    isRolling: false,
    turn,
    turns,
    ended,
    events,
    leases,
    entries,
    run,
  };
}

type Break = (run: ReturnType<typeof createRun>) => unknown;
const BREAKS: Array<[promise: string, what: string, breakIt: Break]> = [
  ['G1', 'a turn that never ended', ({ turn }) => (turn['state'] = 'running')],
  ['G1', 'a turn that failed', ({ turn }) => (turn['outcome'] = { ok: false, kind: 'lost', text: '' })],
  ['G1', 'a conversation that is gone', ({ histories }) => histories.pop()],
  ['G1', 'an effect that is missing', ({ effects }) => effects.pop()],
  ['G2', 'two ends of a turn', ({ ended, events }) => events.push({ ...ended, id: 2 })],
  ['G3', 'two leases at a time', ({ leases }) => leases.push({ epoch: 2, grantedAt: 50, until: 60 })],
  [
    'G3',
    'a turn that began too early',
    ({ turn, turns }) => turns.push({ ...turn, place: 2, startedAt: 30 }),
  ],
  ['G4', 'an event of an old lease', ({ leases }) => leases.push({ epoch: 2, grantedAt: 30, until: 60 })],
  ['G4', 'an event of no lease', ({ ended }) => (ended['epoch'] = 9)],
  ['G4', 'an entry of an old lease', ({ entries }) => entries.unshift({ epoch: 2, entry: {} })],
  ['G8', 'the answer of another turn', ({ turn }) => (turn['outcome'] = { ok: true, text: 'done c0 2' })],
  ['G8', 'a prompt that is there twice', ({ entries }) => entries.push({ ...entries[0] })],
  ['G8', 'a prompt that is not there', ({ entries }) => entries.pop()],
  ['G9', 'a call that ran again after it had ended', ({ notes, run }) => notes.push({ ...run, at: 30 })],
  ['G9', 'an effect under a second key', ({ effects }) => effects.push({ ...effects[0] })],
  ['G10', 'a handler before its row', ({ run }) => (run['hadRow'] = false)],
  [
    'G13',
    'a reader with a gap',
    ({ notes }) => notes.push({ kind: 'reader-gap', key: 'c0', id: 3, last: 1 }),
  ],
  ['G13', 'a gap among the events', ({ ended }) => (ended['id'] = 2)],
  ['G15', 'a worker that ended by itself', ({ notes }) => notes.push({ kind: 'unasked', what: 'w0 ended' })],
  [
    'G15',
    'a denial that nobody gave',
    ({ entries }) => entries.push({ epoch: 1, entry: 'permission callback failed' }),
  ],
  [
    'G18',
    'a worker that took too long',
    ({ notes }) => notes.push({ kind: 'deployed', ms: 13_001, drainMs: 5000, code: 0 }),
  ],
  [
    'G18',
    'a worker that did not listen to its signal',
    ({ notes }) => notes.push({ kind: 'deployed', ms: 90, drainMs: 5000, code: null, signal: 'SIGTERM' }),
  ],
  [
    'G18',
    'a worker that goes on with newer tables',
    ({ notes }) => notes.push({ kind: 'version-refused', worker: 'w0', code: null, signal: null }),
  ],
  ['G18', 'an upgrade that never came', ({ notes }) => notes.push({ kind: 'fault-missed', name: 'upgrade' })],
];

describe('the judge of a chaos run', () => {
  it('finds nothing where all went well', () => {
    expect(findBroken(createRun())).toEqual([]);
  });

  it('gives a worker as much longer to drain as the statements of the run took longer', () => {
    const run = createRun();
    run.notes.push({ kind: 'deployed', worker: 'w0', ms: 20_000, drainMs: 5000, code: 0, signal: null });
    expect(findBroken(run).map(({ promise }) => promise)).toEqual(['G18']);
    for (let count = 0; count < 100; count += 1) run.notes.push({ kind: 'journal', name: 'renew', ms: 1500 });
    expect(findBroken(run)).toEqual([]);
  });

  it('lets a worker be killed while it drains', () => {
    const run = createRun();
    run.notes.push({ kind: 'deployed', ms: 90, drainMs: 5000, code: null, signal: 'SIGKILL' });
    expect(findBroken(run)).toEqual([]);
  });

  it.each(BREAKS)('%s: %s', (promise, _, breakIt) => {
    const run = createRun();
    breakIt(run);
    expect(findBroken(run).map((broken) => broken.promise)).toContain(promise);
  });

  it('G18: a call that ran twice while nobody was killed', () => {
    const run = createRun();
    run.notes.splice(1, 0, { ...run.run, at: 15 });
    expect(findBroken(run)).toEqual([]);
    expect(findBroken({ ...run, isRolling: true }).map(({ promise }) => promise)).toEqual(['G18']);
  });

  it.each([4030, null])('G7: CLIs that outlive their host (%s ms)', (ms) => {
    expect(findSlow({ notes: [{ kind: 'orphan', ms }] }).map(({ promise }) => promise)).toEqual(['G7']);
  });
});

it('the same seed plans the same run', () => {
  const draw = (seed: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => random.between(0, 1000));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});
