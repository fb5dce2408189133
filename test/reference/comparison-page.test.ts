// docs/comparison.md and the README's table: that they are what their data make, and that the data are whole. The probes themselves
// are run by scripts/compare-peers.mjs.
import { describe, expect, it } from 'vitest';
import {
  buildComparisonPage,
  fillComparisonPart,
  type Comparison,
} from '../../scripts/support/peers/comparison-page.mjs';
import { listProjectFiles, readProjectFile } from '../package/project.js';
import { listProbes } from '../peers/probes/load-probes.mjs';
import { runTogether } from '../peers/probes/support/run-together.mjs';

const data = JSON.parse(readProjectFile('test/peers/comparison.json')) as Comparison;
const opening = readProjectFile('scripts/support/peers/comparison-opening.md');
const installed = JSON.parse(readProjectFile('test/peers/package.json')) as {
  dependencies: Record<string, string>;
};
const ids = data.peers.map(({ id }) => id);
const cells = data.rows.flatMap((row) =>
  Object.entries(row.cells).map(([peer, cell]) => ({ peer, row, ...cell, name: `${row.id} of ${peer}` })),
);

describe('the comparison', () => {
  it('is what its data make (node scripts/write-reference-pages.mjs)', () => {
    expect(readProjectFile('docs/comparison.md')).toBe(buildComparisonPage(data, opening));
    const readme = readProjectFile('README.md');
    expect(readme).toBe(fillComparisonPart(readme, data));
  });

  it('has each peer, table and row once', () => {
    for (const names of [ids, data.tables.map(({ id }) => id), data.rows.map(({ id }) => id)])
      expect(new Set(names).size).toBe(names.length);
  });

  it('fills each cell of its tables, and no other but those of the README', () => {
    const wanted = [
      ...data.tables.flatMap(({ id, peers }) =>
        data.rows
          .filter(({ tables }) => tables.includes(id))
          .flatMap((row) => peers.map((peer) => `${row.id} of ${peer}`)),
      ),
      ...data.short.rows.flatMap((row) => data.short.peers.map((peer) => `${row} of ${peer}`)),
    ];
    expect(cells.map(({ name }) => name).toSorted()).toEqual([...new Set(wanted)].toSorted());
  });

  it('has a probe for each cell that a program tries', () => {
    const tried = cells.filter(({ how }) => how === 'program');
    expect(tried.length).toBeGreaterThan(30);
    const lost = tried.filter(({ peer, row }) => !listProbes(peer).includes(row.id));
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it('says where every other cell can be read', () => {
    const others = cells.filter(({ how }) => how !== 'program');
    expect(new Set(others.map(({ how }) => how))).toEqual(new Set(['reading', 'trial']));
    const pages = new Set([
      'README.md',
      ...listProjectFiles('docs').map((path) => path.slice('docs/'.length)),
    ]);
    const isKnown = (at = ''): boolean =>
      URL.canParse(at) ? at.startsWith('https://') : pages.has(at.replace(/#.*/, ''));
    const lost = others.filter(({ at }) => !isKnown(at));
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it('leaves no cell empty, and none unknown that a program tries', () => {
    expect(cells.filter(({ value }) => value === '').map(({ name }) => name)).toEqual([]);
    expect(cells.filter(({ value, how }) => value === '?' && how === 'program')).toEqual([]);
  });

  it('has the versions that the probes install', () => {
    for (const { id, package: name, version } of data.peers) {
      if (name !== undefined) expect([name, installed.dependencies[name]]).toEqual([name, version]);
      // Ours is this checkout.
      else if (id !== 'inboard')
        expect([id, version?.length, listProbes(id)]).toEqual([id, expect.any(Number), []]);
    }
    // Both compare with the same official SDK.
    const official = JSON.parse(readProjectFile('test/official/package.json')) as typeof installed;
    expect(installed.dependencies).toMatchObject(official.dependencies);
  });

  it('is dated', () => {
    for (const { date } of data.peers) expect(date).toMatch(/^20\d\d-\d\d(?:-\d\d)?$/);
  });
});

describe('fillComparisonPart', () => {
  it('throws where the marks are missing', () => {
    expect(() => fillComparisonPart('# A page\n', data)).toThrow('end of comparison');
  });
});

describe('runTogether', () => {
  it('tells calls beside each other from calls one by one', async () => {
    expect(await runTogether((handler) => Promise.all([handler(), handler()]))).toBe('yes');
    const oneByOne = async (handler: () => Promise<void>): Promise<void> => {
      await handler();
      await handler();
    };
    expect(await runTogether(oneByOne, 1)).toBe('one by one');
  });

  it('throws where the tool was not called twice', async () => {
    await expect(runTogether((handler) => handler(), 1)).rejects.toThrow('1 times');
  });
});
