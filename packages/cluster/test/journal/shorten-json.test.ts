// The short form of a large value has its shape, and is short whatever the value is.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenJson } from '../../src/journal/shorten-json.js';
import type { Json } from '../../src/journal/records.js';
import { propertyOptions } from '../../../../test/support/seed.js';

const LONG = 'word '.repeat(100_000);

describe('the short form of a value', () => {
  it('keeps what a message is, and the beginning of what it carries', () => {
    const content = [{ type: 'tool_result', tool_use_id: 't', content: LONG }];
    const short = shortenJson({
      type: 'user',
      message: { role: 'user', content },
      rows: Array.from({ length: 5000 }, (_, id) => id),
      parent: null,
      uuid: 'u',
    });
    expect(short).toMatchObject({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
      parent: null,
      uuid: 'u',
    });
    expect(Object.keys(short as object)).toEqual(['type', 'message', 'rows', 'parent', 'uuid']);
    expect(JSON.stringify(short)).toMatch(/word word … \[shortened: 500000 characters\]/);
    expect((short as { rows: Json[] }).rows).toEqual(Array.from({ length: 20 }, (_, id) => id));
  });

  it('does not cut a word in two: half of a secret would not be recognized', () => {
    const secret = `sk-${'s'.repeat(90)}`;
    const short = shortenJson(`${'x '.repeat(980)}${secret} ${LONG}`) as string;
    expect(short).not.toContain('sk-s');
    expect(shortenJson('y'.repeat(500_000))).toContain('500000 characters');
  });

  it('is short for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(3), (value, depth) => {
        let given = value as Json;
        for (let level = 0; level <= depth; level += 1)
          given = Array.from({ length: 30 }, () => [given, LONG]);
        expect(JSON.stringify(shortenJson(given)).length).toBeLessThan(200_000);
      }),
      propertyOptions(20),
    );
  });
});
