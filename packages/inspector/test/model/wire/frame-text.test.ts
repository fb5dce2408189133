// The frame in the line of an event, exactly as it stands there.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldText } from '../../../src/model/wire/frame-text.js';

describe('the text of a field', () => {
  it.each([
    ['{"n":1,"frame":{"a":1.50e+1,"b":"}\\""}}', '{"a":1.50e+1,"b":"}\\""}'],
    ['{"s":"\\"frame\\":{","frame":[1, [2]] }', '[1, [2]]'],
    [' { "frame" : "x" , "t":1}', '"x"'],
    ['{"frame":-0.10}', '-0.10'],
    ['{"other":{"frame":1}}', undefined],
    ['[{"frame":1}]', undefined],
    ['{"frame":{"torn', '{"torn'],
    ['', undefined],
  ])('%s', (json, text) => {
    expect(fieldText(json, 'frame')).toBe(text);
  });

  it('is that of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, frame) => {
        const json = JSON.stringify({ before, frame, dir: 'in' });
        expect(fieldText(json, 'frame')).toBe(JSON.stringify(frame));
      }),
    );
  });
});
