import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { OpenTable } from '../../src/util/open-table.js';
import { propertyOptions } from '../../../../test/support/seed.js';

it('holds what a Map would, in the same order, whatever comes and goes', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('set'), key }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('delete'), key }) },
    fc.record({ do: fc.constant('clear'), key }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const table = new OpenTable<string, number>();
      const map = new Map<string, number>();
      for (const [index, { do: what, key: at }] of steps.entries()) {
        if (what === 'set') {
          table.set(at, index);
          map.set(at, index);
        } else if (what === 'delete') expect(table.delete(at)).toBe(map.delete(at));
        else {
          table.clear();
          map.clear();
        }
        expect([table.size, table.entries()]).toEqual([map.size, [...map]]);
        for (const each of ['a', 'b', 'c', 'd']) expect(table.get(each)).toBe(map.get(each));
      }
    }),
    propertyOptions(200),
  );
});
