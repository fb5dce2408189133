// The kill-point matrix itself is run by `scripts/run-call-faults.mjs`; here it is shown that it is as large as it says, and that what judges
// a cell finds each promise broken. Wrong implementations, which it must find in a run, are played by the same script.
import { describe, expect, it } from 'vitest';

interface Cell {
  name: string;
  cli: string;
  records: string;
  phase: string;
  point: string;
  when: string;
  calls: number;
  onRepeat?: string;
}
interface Note {
  kind: string;
  life?: number;
  [fact: string]: unknown;
}
interface CellRecord {
  notes: Note[];
  effects: { call: number }[];
  requests: { prompts: number; calls: { call: number; results: string[] }[] }[];
}

const load = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(file, import.meta.url).href)) as Module;
const { POINTS, RECORDS, createCells, createRealCells } = await load<{
  POINTS: Record<string, string[]>;
  RECORDS: string[];
  createCells: () => Cell[];
  createRealCells: () => Cell[];
}>('table.mjs');
const { judge, UNREACHED } = await load<{
  judge: (cell: Cell, record: CellRecord) => string[];
  UNREACHED: string;
}>('judge.mjs');
const { WRONG } = await load<{ WRONG: Record<string, { cells: string[] }> }>('wrong.mjs');

describe('the cells', () => {
  const cells = createCells();

  it('are each there once, and meet every point before and after with all records and numbers of calls', () => {
    expect(new Set(cells.map(({ name }) => name)).size).toBe(cells.length);
    const named = new Set(
      cells.map(({ records, phase, point, when, calls }) => [records, phase, point, when, calls].join('/')),
    );
    for (const records of RECORDS)
      for (const [point, phases] of Object.entries(POINTS))
        for (const phase of phases)
          for (const when of ['before', 'after'])
            for (const calls of [1, 3])
              if (records !== 'postgres' || point !== 'answer noted')
                expect(named).toContain([records, phase, point, when, calls].join('/'));
  });

  it('are there for both real CLIs', () => {
    expect(new Set(createRealCells().map(({ cli }) => cli))).toEqual(new Set(['2.1.325', '2.1.33']));
  });

  it('are those in which wrong implementations are played', () => {
    const names = cells.map(({ name }) => name);
    for (const { cells: played } of Object.values(WRONG))
      expect(names).toEqual(expect.arrayContaining(played));
  });
});

const CELL: Cell = {
  name: 'x',
  cli: 'fake',
  records: 'file',
  phase: 'live',
  point: 'answer noted',
  when: 'after',
  calls: 1,
};
const reach = (point: string, when: string, life: number): Note => ({
  kind: 'reach',
  point,
  when,
  call: 0,
  life,
});

/** A cell in which all was well: asked and answered in the first life, run in the second. */
function createRecord(change: Partial<CellRecord> = {}): CellRecord {
  return {
    notes: [
      { kind: 'asking', call: 0, life: 1 },
      reach('question stored', 'after', 1),
      reach('answer noted', 'after', 1),
      { kind: 'death', life: 1 },
      reach('begin recorded', 'before', 2),
      reach('begin recorded', 'after', 2),
      reach('result recorded', 'after', 2),
      { kind: 'outcome', life: 2, text: 'done a 1' },
    ],
    effects: [{ call: 0 }],
    requests: [
      { prompts: 1, calls: [] },
      { prompts: 1, calls: [{ call: 0, results: ['paid 0'] }] },
    ],
    ...change,
  };
}

const told = (...results: string[]): CellRecord['requests'] => [
  { prompts: 1, calls: [{ call: 0, results }] },
];
const without = (kind: string): Note[] => createRecord().notes.filter((note) => note.kind !== kind);

describe('the judge', () => {
  it('finds nothing wrong where all is well', () => {
    expect(judge(CELL, createRecord())).toEqual([]);
  });

  it.each<[string, Partial<Cell>, Note[], number]>([
    ['is no fault', {}, [], 0],
    ['is one if the host heard of the call', {}, [{ kind: 'asking', call: 1, life: 1 }], 1],
    ['is one if the host waited for all calls', { point: 'effect' }, [], 1],
    ['is one if an earlier host did', { phase: 'completion' }, [], 1],
  ])('a call that the CLI did not live to write down %s', (_, change, notes, found) => {
    const cell = { ...CELL, point: 'first message', calls: 2, ...change };
    const record = createRecord();
    const problems = judge(cell, { ...record, notes: [...record.notes, ...notes] });
    expect(
      problems.filter((problem) => problem.startsWith('call 1: the model was told nothing')),
    ).toHaveLength(found);
  });

  it.each<[string, Partial<CellRecord>, string | RegExp]>([
    ['an effect that happened twice', { effects: [{ call: 0 }, { call: 0 }] }, /2 effects/],
    ['a result without an effect', { effects: [] }, /without an effect/],
    ['two results of a call', { requests: told('paid 0', 'paid 0') }, /has 2 results/],
    ['a call without a result', { requests: told() }, /has 0 results/],
    ['a call that is not there', { requests: [{ prompts: 1, calls: [] }] }, /told nothing/],
    ['"unknown" where it was known', { requests: told('Its outcome is unknown') }, /although it was known/],
    [
      '"did not run" where it was allowed',
      { requests: told('This call did not run'), effects: [] },
      /was asked/,
    ],
    ['"did not run" where it did', { requests: told('This call did not run') }, /had an effect/],
    ['the result of another call', { requests: told('paid 1') }, /was told "paid 1"/],
    ['a turn without an end', { notes: without('outcome') }, /turn is lost/],
    ['a point that was not reached', { notes: without('death') }, UNREACHED],
    [
      'a person who is asked again',
      { notes: [...createRecord().notes, { kind: 'asked again', call: 0 }] },
      /asked about again/,
    ],
    [
      'a callback that is asked again',
      { notes: [...createRecord().notes, { kind: 'asking', call: 0, life: 2 }] },
      /asked about again/,
    ],
    [
      'a message that is read twice',
      { requests: [{ prompts: 2, calls: [{ call: 0, results: ['paid 0'] }] }] },
      /read the message 2 times/,
    ],
    [
      'a CLI that is left',
      { notes: [...createRecord().notes, { kind: 'left', cli: 7 }] },
      /process 7 is left/,
    ],
    [
      'a host that failed',
      { notes: [...createRecord().notes, { kind: 'failed', error: 'oh' }] },
      /a host failed: oh/,
    ],
  ])('finds %s', (_what, change, found) => {
    expect(judge(CELL, createRecord(change))).toContainEqual(expect.stringMatching(found));
  });

  it('lets a handler that was cut off be unknown, unless its tool may run again', () => {
    const notes = createRecord().notes.filter(({ point }) => point !== 'result recorded');
    const record = createRecord({ notes, requests: told('Its outcome is unknown') });
    expect(judge(CELL, record)).toEqual([]);
    expect(judge({ ...CELL, onRepeat: 'run' }, record)).toEqual([expect.stringMatching(/may run again/)]);
    const twice = { ...createRecord({ notes }), effects: [{ call: 0 }, { call: 0 }] };
    expect(judge({ ...CELL, onRepeat: 'run' }, twice)).toEqual([]);
    expect(judge(CELL, twice)).toEqual([expect.stringMatching(/2 effects/)]);
  });
});
