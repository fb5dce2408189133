// Versions of the tables that have landed are what users have: their SQL is never changed.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WAITING, WORKING } from '../../src/journal/call-facts.js';
import { MIGRATIONS } from '../../src/postgres/schema/migrations.js';
import { migrationSql } from '../../src/postgres/schema/print-sql.js';
import { digest } from '@inboard/core/util/digest.js';

const LANDED: Readonly<Record<number, string>> = {
  1: '7e61d5a241c246b987e0a81280610e654dfdda64',
  2: 'beb5efe1ac1b04ba514d8a73883acc7243124872',
  3: '86ddc43f495b5fc78986eade24e0ba7f0a5a08b6',
  4: '47d06fa96b1b21b25a39ff4531d0da7e16dc5ed3',
  5: 'be82fbbd3fec99161f18ed6a2473566e355b9613',
};
const versions = MIGRATIONS.map(({ version, sql }) => [version, sql] as const);

it.each(versions.filter(([version]) => version in LANDED))('version %i is as it landed', (version, sql) => {
  expect(
    digest(sql),
    `The SQL of version ${version} of the tables has changed. Databases that have it would not get the change, and would differ ` +
      'from new ones: put it back, and write the change as another version.',
  ).toBe(LANDED[version]);
  const recorded = readFileSync(
    new URL(`../../../../test/fixtures/cluster/tables-version-${version}.sql`, import.meta.url),
    'utf8',
  );
  // Printed, the last statement of a step ends with a semicolon as before.
  expect(recorded).toContain(sql.trim());
});

it('knows every version but the newest, whose text may change until it lands', () => {
  expect(
    Object.keys(LANDED).map(Number),
    'Record what migrationSql() printed for it as test/fixtures/cluster/tables-version-N.sql, and add its digest here.',
  ).toEqual(versions.slice(0, -1).map(([version]) => version));
});

it('admits workers that read the marks of calls, as long as those are written', () => {
  // Marks in the place of a result are all that these versions know of a handler that waits for a person.
  const NEED_MARKS = [1, 2, 3, 4, 5, 6];
  const oldest = MIGRATIONS.at(-1)?.oldest ?? 0;
  expect(
    NEED_MARKS.some((version) => version >= oldest),
    'No admitted worker needs WAITING and WORKING of packages/cluster/src/journal/call-facts.ts any more: store what they say in a column, and only read them.',
  ).toBe(true);
  expect([WAITING, WORKING]).toEqual(['inboard:waiting-for-person', 'inboard:working']);
});

it('defines each function in one file of a version', () => {
  for (const [version, sql] of versions) {
    const names = [...sql.matchAll(/^create or replace function (\w+)\(/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect({ version, twice: names.filter((name, at) => names.indexOf(name) !== at) }).toEqual({
      version,
      twice: [],
    });
  }
});

it('limits, in the printed script, how long to wait for one lock, and for all of them', () => {
  const script = migrationSql({ from: 1 });
  const [limit, limitAll, locks, restore, change] = [
    `set_config('lock_timeout'`,
    `set_config('statement_timeout', current_setting('lock_timeout'), true)`,
    'lock table conversations in share row exclusive mode',
    `set_config('statement_timeout', current_setting('inboard.statement_timeout'), true)`,
    'alter table workers',
  ].map((text) => script.indexOf(text)) as [number, number, number, number, number];
  expect(limit).toBeGreaterThan(0);
  expect([limit, limitAll, locks, restore, change]).toEqual(
    [limit, limitAll, locks, restore, change].toSorted((one, other) => one - other),
  );
});
