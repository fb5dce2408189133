// The tokenizer of `inboard migrate`, on the sources of this project. Apart from its other tests, which a change of a source cannot
// break.
import { expect, it } from 'vitest';
import { tokenize } from '../../src/migrate/tokens/tokenize.js';
import { readSourceFiles } from '../../../../test/package/project.js';

it('tokens of the sources of this project join to the same text', () => {
  const files = [...readSourceFiles()].filter(
    ([path]) => path.startsWith('packages/cli/src/migrate/') || path.endsWith('x'),
  );
  expect(files.length).toBeGreaterThan(20);
  for (const [path, text] of files) {
    const { tokens, problem } = tokenize(text, { jsx: path.endsWith('x') });
    expect({ path, problem }).toEqual({ path, problem: undefined });
    expect(tokens.map((token) => token.text).join('')).toBe(text);
  }
});
