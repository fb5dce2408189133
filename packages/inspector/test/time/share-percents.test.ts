// Percentages that are listed below each other add up to 100.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyOptions } from '../../../../test/support/seed.js';
import { percentsOf } from '../../src/model/time/share-percents.js';

const NONE = { model: 0, permission: 0, code: 0, cliTools: 0, overhead: 0, idle: 0 };

it('moves what rounding adds to where it is seen least', () => {
  // By themselves they would be 2, 88 and 11.
  const { model, permission, overhead, idle } = percentsOf({
    ...NONE,
    model: 906,
    permission: 46_200,
    overhead: 5600,
  });
  expect([model, permission, overhead, idle]).toEqual(['2 %', '87 %', '11 %', '0 %']);
  expect(percentsOf({ ...NONE, model: 9999, idle: 1 })).toMatchObject({ model: '100 %', idle: '<1 %' });
  expect(percentsOf(NONE).model).toBe('–');
});

it('adds up to 100, within three points of each share', () => {
  const amount = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1e7 }));
  fc.assert(
    fc.property(fc.tuple(amount, amount, amount, amount, amount, amount), (parts) => {
      const [model, permission, code, cliTools, overhead, idle] = parts;
      const shares = { model, permission, code, cliTools, overhead, idle };
      const whole = parts.reduce((sum, one) => sum + one, 0);
      fc.pre(whole > 0);
      const texts = percentsOf(shares);
      let sum = 0;
      for (const [key, text] of Object.entries(texts)) {
        const exact = (shares[key as keyof typeof shares] / whole) * 100;
        if (text === '<1 %') expect(exact).toBeLessThan(0.5);
        else expect(Math.abs(Number.parseInt(text, 10) - exact)).toBeLessThanOrEqual(3);
        if (text !== '<1 %') sum += Number.parseInt(text, 10);
      }
      expect(sum).toBe(100);
    }),
    propertyOptions(500),
  );
});
