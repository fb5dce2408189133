// The code of docs/coming-from-the-official-sdk.md, and the names it counts on.
import { describe, expect, it } from 'vitest';
import * as entryPoint from '../../packages/inboard/src/index.js';
import { MIGRATION_RULES, PACKAGE_RULES } from '../../packages/cli/src/migrate/rules/rules.js';
import { createUnlistedControls } from '../../packages/core/src/live/controls/control-methods.js';
import { describePrograms } from '../package/document-programs.js';
import { readWholePage } from '../package/project.js';

const PAGE = 'docs/coming-from-the-official-sdk.md';
const page = readWholePage(PAGE);

const TITLES = { breaks: 'breaks', differs: 'behaves differently', know: 'good to know' };
const RULES = [...MIGRATION_RULES, PACKAGE_RULES.dependency];

/** The text of every section by its anchor, without the sections inside it. */
const SECTIONS = new Map(
  page
    .split(/^#+ /m)
    .slice(1)
    .map((text) => {
      const [heading = ''] = text.split('\n');
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-');
      return [anchor, text] as const;
    }),
);

describe('the findings of inboard migrate', () => {
  it.each(RULES.map((rule) => [rule.id, rule] as const))('%s is explained in its section', (id, rule) => {
    const section = SECTIONS.get(rule.section);
    expect(section, `no heading #${rule.section}`).toBeDefined();
    if (id !== 'package-dependency') expect(section).toContain(`\`${id}\``);
  });

  it.each(RULES.map((rule) => [rule.id, rule] as const))(
    '%s has a row with its weight and link',
    (id, rule) => {
      const row = page.split('\n').find((line) => line.startsWith('| `') && line.includes(`\`${id}\``));
      expect(row).toContain(`| ${TITLES[rule.weight]} |`);
      expect(row).toContain(`(#${rule.section})`);
    },
  );

  it('has no row for a rule that does not exist', () => {
    const [, table = ''] = /\| finding \| \| section \|\n([^]*?)\n\n/.exec(page) ?? [];
    const named = Array.from(table.matchAll(/`([a-z-]+)`/g), ([, id = '']) => id);
    expect(named.toSorted()).toEqual(RULES.map(({ id }) => id).toSorted());
    expect(new Set(named).size).toBe(named.length);
  });
});

describe('the page for those who come from the official SDK', () => {
  describePrograms(PAGE);

  it('names errors that exist', () => {
    const named = Array.from(page.matchAll(/`(\w+Error)`/g), ([, name = '']) => name);
    expect(named.length).toBeGreaterThan(2);
    // What the official SDK throws may be an error of the language.
    for (const name of named) if (!(name in globalThis)) expect(entryPoint).toHaveProperty(name);
  });

  it('names controls without a type that exist', () => {
    const controls = createUnlistedControls({ request: () => Promise.resolve() });
    const [, list = ''] = /and which programs look\s+for: ([^]*?) and others/.exec(page) ?? [];
    const named = Array.from(list.matchAll(/`(\w+)`/g), ([, name = '']) => name);
    expect(named.length).toBeGreaterThan(2);
    for (const name of named) expect(controls).toHaveProperty(name);
  });
});
