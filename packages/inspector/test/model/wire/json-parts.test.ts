// JSON cut into coloured parts: every character of it, and each part of the right kind.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIfJson, splitJson } from '../../../src/model/wire/json-parts.js';

describe('the parts of a JSON text', () => {
  it('are keys, values of each kind, and what stands between', () => {
    const text = '{"a":"x\\"y","b":[-1.5e3,true,null],"c":"key [redacted]"}';
    expect(splitJson(text).map(({ kind, text: part }) => [kind, part])).toEqual([
      ['mark', '{'],
      ['key', '"a"'],
      ['mark', ':'],
      ['string', '"x\\"y"'],
      ['mark', ','],
      ['key', '"b"'],
      ['mark', ':['],
      ['number', '-1.5e3'],
      ['mark', ','],
      ['boolean', 'true'],
      ['mark', ','],
      ['null', 'null'],
      ['mark', '],'],
      ['key', '"c"'],
      ['mark', ':'],
      ['hidden', '"key [redacted]"'],
      ['mark', '}'],
    ]);
  });

  it('are the text again when they are joined, also where it was cut off or is no JSON', () => {
    const joined = (text: string): string =>
      splitJson(text)
        .map((part) => part.text)
        .join('');
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(400), (value, length) => {
        const text = JSON.stringify(value, null, length % 3).slice(0, length);
        expect(joined(text)).toBe(text);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => joined(text) === text));
  });
});

describe('the value of a text', () => {
  it('is known where it is JSON', () => {
    expect(parseIfJson('null')).toEqual({ value: null });
    expect(parseIfJson('{"a":')).toBeUndefined();
  });
});
