// Does the server make of a page's edits what the page showed? The page applies them to what it sees, the server to what is
// real, and each has its own function for that.
import { assert, constantFrom, dictionary, jsonValue, property, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits as applyOnPage, diffEdits } from '../../src/model/form/input-edits.js';
import { applyEditsToRealInput as applyOnServer } from '../../src/sources/live/hidden-values.js';
import { propertyOptions } from '../../../../test/support/seed.js';

const inputs = dictionary(constantFrom('a', 'b', 'c', '0'), jsonValue({ maxDepth: 3 }), {
  noNullPrototype: true,
}) as Arbitrary<Record<string, unknown>>;

describe('edits of an input', () => {
  it('come to the same on both sides', () => {
    assert(
      property(inputs, inputs, (original, edited) => {
        const edits = diffEdits(original, edited);
        const { input, issues } = applyOnServer(
          { real: original, shown: original, isRevealed: false },
          edits,
        );
        expect(issues).toEqual([]);
        expect(input).toEqual(edited);
        expect(applyOnPage(original, edits)).toEqual(edited);
      }),
      propertyOptions(500),
    );
  });
});
