// The fault matrix itself is run by `scripts/run-faults.mjs`; here it is shown that it is as large as it says, that the same
// seed chooses the same cells, and that what judges a cell can fail it.
import { describe, expect, it } from 'vitest';

interface Cell {
  name: string;
  step: string;
  fault: string;
  state: string;
  action: string;
}
interface Table {
  STEPS: string[];
  FAULTS: Record<string, { kind: string }>;
  STATES: string[];
  ACTIONS: string[];
  createCells: (options?: { every?: boolean }) => { cells: Cell[]; excluded: Record<string, number> };
  findCell: (name: string) => Cell;
  sampleCells: (cells: readonly Cell[], seed: number) => Cell[];
}
interface Judge {
  judge: (cell: Cell, record: object) => string[];
}

const load = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(file, import.meta.url).href)) as Module;
const { STEPS, FAULTS, STATES, ACTIONS, createCells, findCell, sampleCells } = await load<Table>('table.mjs');
const { judge } = await load<Judge>('judge.mjs');
const players = await load<{ FAULTS: Record<string, unknown> }>('child-faults.mjs');

describe('the cells', () => {
  const { cells, excluded } = createCells();
  const every = createCells({ every: true });

  it('are more than a thousand, each once, and all that is left out is counted', () => {
    expect(cells.length).toBeGreaterThan(1000);
    expect(new Set(cells.map(({ name }) => name)).size).toBe(cells.length);
    const left = Object.values(excluded).reduce((sum, count) => sum + count, 0);
    const product = STEPS.length * Object.keys(FAULTS).length * STATES.length * ACTIONS.length;
    expect(cells.length + left).toBe(product);
  });

  it('meet every action in every state at every step where the rules allow it', () => {
    const triples = (list: Cell[]): string[] =>
      [...new Set(list.map(({ step, state, action }) => [step, state, action].join('/')))].toSorted();
    expect(triples(cells)).toEqual(triples(every.cells));
  });

  it('have a player for every fault', () => {
    expect(Object.keys(players.FAULTS).toSorted()).toEqual(Object.keys(FAULTS).toSorted());
  });

  it('are chosen by the seed', () => {
    const tenth = sampleCells(cells, 7);
    expect(tenth).toHaveLength(Math.ceil(cells.length / 10));
    expect(sampleCells(cells, 7)).toEqual(tenth);
    expect(sampleCells(cells, 8)).not.toEqual(tenth);
  });

  it('are found by name, and what is left out says why', () => {
    expect(findCell('tool-open/sigkill/session/none')).toMatchObject({ step: 'tool-open', state: 'session' });
    expect(() => findCell('tool-open/sigkill')).toThrow('There is no cell "tool-open/sigkill"');
    expect(() => findCell('second-turn/sigkill/string/none')).toThrow('one prompt has one turn');
  });
});

describe('judging a cell', () => {
  const cell = findCell('tool-open/exit-1/string/none');
  const death = { name: 'ProcessExitError', code: 'PROCESS_EXITED', stderrTail: '@reached tool-open' };
  const iteration = { name: 'iteration', state: 'error', error: death };
  const good = {
    ms: 100,
    isReached: true,
    isHung: false,
    promises: [iteration, { name: 'close() at the end', state: 'value' }],
    warnings: [],
    stuckSignals: [],
    orphans: [],
  };

  it('passes what went as it should', () => {
    expect(judge(cell, good)).toEqual([]);
  });

  it.each([
    ['a silent success', { promises: [{ name: 'iteration', state: 'value' }] }, /^iteration: value instead/],
    ['another code', { promises: [{ ...iteration, error: { ...death, code: 'NO_RESULT' } }] }, /NO_RESULT/],
    [
      'an error without a code',
      { promises: [{ ...iteration, error: { name: 'TypeError', message: 'x' } }] },
      /code/,
    ],
    [
      'a death without last words',
      { promises: [{ ...iteration, error: { ...death, stderrTail: '' } }] },
      /stderr/,
    ],
    ['a close that fails', { promises: [{ ...iteration, name: 'close()' }] }, /^close\(\)/],
    [
      'a promise that stays open',
      { isHung: true, promises: [{ name: 'iteration', state: 'pending' }] },
      /hung/,
    ],
    ['a process that is left', { orphans: [4711] }, /4711/],
    ['something left in the host', { troubles: ['file left: x'] }, /file left/],
    ['a step that was not reached', { isReached: false }, /never reached/],
    ['a handler that is never told', { stuckSignals: [false] }, /did not abort/],
    ['a dead host', { isHostDead: true }, /host process died/],
  ])('fails %s', (_, wrong, problem) => {
    expect(judge(cell, { ...good, ...wrong })).toContainEqual(expect.stringMatching(problem));
  });

  it('takes the error of a session for that of its CLI', () => {
    const lost = { name: 'TurnLostError', code: 'TURN_LOST', cause: death };
    const turn = { name: 'turn 1', state: 'error', error: lost };
    const session = findCell('tool-open/exit-1/session/none');
    expect(judge(session, { ...good, promises: [turn] })).toEqual([]);
    const other = { ...turn, error: { ...lost, cause: { ...death, code: 'STALLED' } } };
    expect(judge(session, { ...good, promises: [other] })).toHaveLength(1);
  });

  it('wants the warnings of a bad line', () => {
    const line = findCell('tool-open/garbage/string/none');
    const heard = { ...good, promises: [{ name: 'iteration', state: 'value' }] };
    expect(judge(line, { ...heard, warnings: ['MALFORMED_LINE', 'MALFORMED_FRAME'] })).toEqual([]);
    expect(judge(line, heard)).toHaveLength(2);
  });
});
