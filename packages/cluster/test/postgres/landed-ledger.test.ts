// Versions of the tables of a ledger that have landed are what users have: their SQL is never changed.
import { expect, it } from 'vitest';
import { digest } from '@inboard/core/util/digest.js';
import { LEDGER_MIGRATIONS, LEDGER_VERSION } from '../../src/postgres/ledger/ledger-tables.js';

const LANDED: Readonly<Record<number, string>> = { 1: 'cffe0a0c712a1c0df59204ebb1ce8458709e81c8' };

it.each(LEDGER_MIGRATIONS.map(({ version, sql }) => [version, sql] as const))(
  'version %i is as it landed',
  (version, sql) => {
    expect(
      digest(sql),
      `The SQL of version ${version} has changed. Databases that have it would not get the change: put it back, and write the change as another version.`,
    ).toBe(LANDED[version]);
  },
);

it('counts its versions from 1', () => {
  expect(LEDGER_MIGRATIONS.map(({ version }) => version)).toEqual(
    Array.from({ length: LEDGER_VERSION }, (_, at) => at + 1),
  );
});
