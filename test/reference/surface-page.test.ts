// docs/surface.md: that it is what the sources make, and that every name of ours in `inboard` has a reason to be there.
import { describe, expect, it } from 'vitest';
import * as changes from '../../packages/cli/src/migrate/surface-changes.js';
import { buildSurfacePage, listIdleReasons } from '../../scripts/support/reference/surface-page.mjs';
import { readProjectFile } from '../package/project.js';
import { listNames } from '../../packages/inboard/test/public-definitions.js';

const page = readProjectFile('docs/surface.md');
const { MOVED_NAMES, RENAMED_NAMES } = changes;
const namesOf = (entryPoint: string): string[] =>
  listNames(readProjectFile(`packages/inboard/src/${fileOf(entryPoint)}.ts`));

function fileOf(entryPoint: string): string {
  return entryPoint === 'inboard' ? 'index' : entryPoint.replace('inboard/', '').replace('/', '-');
}

interface Row {
  name: string;
  kind: string;
  whose: string;
  because: string;
}

/** The names of a section, each with the facts of its row. */
function rowsOf(entryPoint: string): Row[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`\`${entryPoint}\`\n`)) ?? '';
  return [...section.matchAll(/^\| `.*$/gm)].flatMap(([line]) => {
    const [, names = '', kind = '', , , whose = '', because = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    return names.split(', ').map((name) => ({ name: name.replaceAll('`', ''), kind, whose, because }));
  });
}

describe('the page of public names', () => {
  it('is what the sources make (node scripts/write-reference-pages.mjs)', () => {
    expect(page).toBe(buildSurfacePage(changes));
  });

  it.each(['inboard', 'inboard/cluster', 'inboard/types', 'inboard/testing'])(
    'has every name of %s',
    (entryPoint) => {
      const named = rowsOf(entryPoint).map(({ name }) => name);
      expect(named.toSorted()).toEqual(namesOf(entryPoint).toSorted());
    },
  );

  it('has a reason for each name of ours in the main entry point, and no reason for another', () => {
    const ours = rowsOf('inboard').filter(({ whose }) => whose === 'ours');
    expect(ours.length).toBeGreaterThan(100);
    expect(ours.filter(({ because }) => because === '').map(({ name }) => name)).toEqual([]);
    expect(listIdleReasons()).toEqual([]);
  });

  it('keeps at most half of the names of ours that the main entry point had', () => {
    const ours = rowsOf('inboard').filter(({ whose }) => whose === 'ours');
    const moved = MOVED_NAMES.filter(({ from }) => from === 'inboard').flatMap(({ names }) => names);
    expect(ours.length).toBeLessThanOrEqual((ours.length + moved.length) / 2);
  });
});

describe('the names that were moved or renamed', () => {
  it.each(MOVED_NAMES)('are where they are said to be: $because', ({ from, to, names }) => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !namesOf(to).includes(name))).toEqual([]);
    expect(names.filter((name) => namesOf(from).includes(name))).toEqual([]);
  });

  it.each(RENAMED_NAMES.filter(({ kind }) => kind === 'export'))('$from is $to', ({ of, from, to }) => {
    expect(namesOf(of)).not.toContain(from);
    expect(namesOf(of)).toContain(/^\w+/.exec(to)?.[0]);
  });
});
