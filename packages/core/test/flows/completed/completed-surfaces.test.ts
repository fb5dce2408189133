// A call that was completed after its CLI and its host were gone is shown once by everything that shows calls, with what became
// of it, who decided and what was edited.
import { beforeAll, describe, expect, it } from 'vitest';
import { CALLS, completeEverything, type CompletedRun } from './completed-run.js';
import { SURFACES, type Shown } from './surfaces.js';

let run: CompletedRun;
beforeAll(async () => {
  run = await completeEverything();
});

const ALL: readonly (keyof Shown)[] = ['how', 'by', 'isEdited'];

describe.each(SURFACES)('$name', ({ read, states, tells = ALL, left }) => {
  it.each(CALLS)('shows $id once', async ({ id, how, by, ranInput, told }) => {
    const shown = (await read(run)).filter((each) => each.id === id);
    const state = told === undefined ? left : states[how];
    const facts = { id, how, by, isEdited: ranInput !== undefined };
    // What was not delivered is the CLI's to tell: a surface that hears of messages alone does not know how it came about.
    const compared = told === undefined && shown.every((each) => each.how === undefined) ? [] : tells;
    const pick = (from: Partial<Shown>): object =>
      Object.fromEntries(compared.map((name) => [name, from[name]]));
    expect(shown.map((each) => ({ state: each.state, ...pick(each) }))).toEqual(
      state === undefined ? [] : [{ state, ...pick(facts) }],
    );
  });

  it('shows no other call', async () => {
    const known = new Set(CALLS.map(({ id }) => id));
    expect((await read(run)).filter(({ id }) => !known.has(id))).toEqual([]);
  });
});

describe('the run itself', () => {
  it('told the model what is true, and ran what was allowed', () => {
    const written = JSON.stringify(run.history);
    for (const { told } of CALLS) if (told !== undefined) expect(written).toContain(told);
    expect(run.ran).toEqual([{ order: 'allowed' }, { order: 'half' }, { order: 'asked' }]);
  });

  it('showed the question that waited while there was no CLI', () => {
    expect(run.question).toMatchObject({
      kind: 'permission',
      subject: 'mcp__shop__refund',
      toolUseId: 'toolu_asked',
      input: { order: 'asked' },
      canAnswer: true,
    });
    const types = run.inspected.map(({ event }) => event.type);
    expect(types.indexOf('settled')).toBeLessThan(types.indexOf('header'));
    expect(run.inspected.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'settled', outcome: 'allowed', by: 'ben' }),
    );
  });
});
