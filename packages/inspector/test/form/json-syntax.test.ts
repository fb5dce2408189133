// Where a text stops being JSON.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/model/form/json-syntax.js';
import { propertyOptions } from '../../../../test/support/seed.js';

describe('parseJson', () => {
  it.each([
    ['', 1, 1, /missing/],
    ['{', 1, 2, /ends before "}"/],
    ['[1,\n 2', 2, 3, /ends before "]"/],
    ['{"a": }', 1, 7, /value/],
    ['{"a": 1,\n}', 2, 1, /Remove the comma before/],
    ['[1, 2,]', 1, 7, /Remove the comma before/],
    ["{'a': 1}", 1, 2, /double quotes/],
    ['{"a" 1}', 1, 6, /colon/],
    ['{"a": 1\n "b": 2}', 2, 2, /comma/],
    ['{a: 1}', 1, 2, /name in double quotes/],
    ['{"a": tru}', 1, 7, /value/],
    ['{"a": 01}', 1, 7, /value/],
    ['{"a": "x\ny"}', 1, 7, /not closed/],
    ['{"a": 1} x', 1, 10, /Nothing may follow/],
    ['[1}', 1, 3, /comma or a closing bracket/],
    ['{"a":', 1, 6, /ends in the middle/],
  ])('finds the mistake in %j', (text, line, column, message) => {
    const parsed = parseJson(text);
    expect(parsed).toMatchObject({ ok: false, mistake: { line, column } });
    expect(parsed.ok ? '' : parsed.mistake.message).toMatch(message);
  });

  it('says something of every text that is no JSON, at a place inside it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '}', ',', '"', '\\', 'x'), (json, at, extra) => {
        const place = at % (json.length + 1);
        const text = json.slice(0, place) + extra + json.slice(place + 1);
        const parsed = parseJson(text);
        if (parsed.ok) return;
        const lines = text.split('\n');
        expect(parsed.mistake.message).not.toBe('');
        expect(parsed.mistake.line).toBeLessThanOrEqual(lines.length);
        expect(parsed.mistake.column).toBeLessThanOrEqual((lines[parsed.mistake.line - 1]?.length ?? 0) + 1);
      }),
      propertyOptions(250),
    );
  });
});
