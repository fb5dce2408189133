// Every option is tried: it has a variant that shows what the CLI is told, and a place among the options that are set at once.
import { describe, expect, it } from 'vitest';
import type { OptionRow, OptionRows } from '../../src/options/rows/option-row.js';
import { OPTION_NAMES, OPTION_ROWS } from '../../src/options/rows/option-rows.js';
import { readOptionVariants } from '../../../../test/fixtures/option-variants.js';
import { OUTSIDE_FULL_SET, WITHOUT_VARIANT } from './exempt-options.js';
import { createFullOptions } from './full-options.js';

const rows: Readonly<Record<string, OptionRow<unknown>>> = OPTION_ROWS;
const accepted = readOptionVariants().variants.filter(({ error }) => error === undefined);
const full = createFullOptions();

describe('every option', () => {
  it('names its field of the handshake where the two are not called the same', () => {
    const shape = OPTION_ROWS.maxTurns.shape;
    // @ts-expect-error There is no field `maxTurns` in the handshake.
    const unknown: OptionRows['maxTurns'] = { shape, initialize: { order: 1 } };
    const named: OptionRows['maxTurns'] = { shape, initialize: { order: 1, field: 'title' } };
    expect([unknown, named]).toHaveLength(2);
  });

  it('has a variant that is accepted, or is named as an exemption', () => {
    const tried = new Set(accepted.flatMap(({ options }) => Object.keys(options)));
    const missing: string[] = OPTION_NAMES.filter((name) => !tried.has(name));
    expect(missing.toSorted()).toEqual(Object.keys(WITHOUT_VARIANT).toSorted());
  });

  it('is exempt from a variant only if its row sends nothing to the CLI', () => {
    expect(Object.keys(WITHOUT_VARIANT).filter((name) => rows[name]?.host !== true)).toEqual([]);
  });

  it.each(OPTION_NAMES.filter((name) => rows[name]?.host !== true))(
    'shows what it becomes on the wire: %s',
    (name) => {
      const showing = accepted.filter(
        ({ options, argv = [], env, initialize }) =>
          Object.hasOwn(options, name) && (argv.length > 0 || env !== undefined || initialize !== undefined),
      );
      expect(showing.length).toBeGreaterThan(0);
    },
  );

  it('is in the full set, or is named as an exemption', () => {
    const missing: string[] = OPTION_NAMES.filter((name) => !Object.hasOwn(full, name));
    expect(missing.toSorted()).toEqual(Object.keys(OUTSIDE_FULL_SET).toSorted());
  });
});
