// "To add an error or a warning", played twice: a class with a code of its own, and a warning about an option.

const PAGE_TEST = 'test/reference/errors-page.test.ts';
const TITLE = 'To add an error or a warning';

/** A class is listed with the others of its entry point, by the test of public names, and with the reason why it is public. */
const ENTRY_POINT = 'packages/inboard/src/index.ts';

export const ERROR = {
  id: 'error',
  title: TITLE,
  steps: [
    {
      name: 'the class',
      edits: [
        {
          file: 'packages/core/src/errors/option-errors.ts',
          after: "import { InboardError, type ErrorFacts } from './base.js';\n",
          put: `
/** A sample is wrong. */
export class SampleError extends InboardError {
  static override readonly name: string = 'SampleError';
  declare readonly code: 'SAMPLE_WRONG';

  constructor(message: string, facts: ErrorFacts = {}) {
    super('SAMPLE_WRONG', message, facts);
  }
}
`,
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'the list of classes',
      edits: [
        { file: 'packages/core/src/errors.ts', after: 'export { InvalidOptionsError,', put: ' SampleError,' },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'when it occurs, and what to do',
      edits: [
        {
          file: 'packages/core/src/errors/guide/option-advice.ts',
          after: "Advice<'InvalidOptionsError'",
          put: " | 'SampleError'",
        },
        {
          file: 'packages/core/src/errors/guide/option-advice.ts',
          before: '  SchemaError: {\n',
          put: "  SampleError: { SAMPLE_WRONG: { when: 'A sample is wrong.', advice: 'Correct it.' } },\n",
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'the main entry point',
      edits: [{ file: ENTRY_POINT, before: '  SchemaError,\n', put: '  SampleError,\n' }],
      red: [PAGE_TEST],
    },
    {
      name: 'the reason why it is public',
      edits: [
        {
          file: 'scripts/support/reference/kept-names.mjs',
          before: 'SchemaError SessionClosedError',
          put: 'SampleError ',
        },
      ],
      red: ['test/reference/surface-page.test.ts'],
    },
    {
      name: 'the list of public names',
      edits: [
        {
          file: 'packages/inboard/test/public-names.test.ts',
          every: /^ {4}'SchemaError',\n/m,
          before: "    'SampleError',\n",
        },
      ],
      red: ['packages/inboard/test/public-names.test.ts'],
    },
    {
      name: 'a test that catches it',
      edits: [
        {
          file: 'packages/core/test/options/sample-error.test.ts',
          create: `import { expect, it } from 'vitest';
import { SampleError } from '../../src/errors.js';

it('a wrong sample is refused', () => {
  const refuse = (): never => {
    throw new SampleError('wrong');
  };
  expect(refuse).toThrow(expect.objectContaining({ code: 'SAMPLE_WRONG' }));
});
`,
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'its row on the page',
      scripts: ['scripts/write-reference-pages.mjs'],
      writes: ['docs/errors.md', 'docs/errors/starting.md', 'docs/errors/warnings.md', 'docs/surface.md'],
      red: [PAGE_TEST, 'test/reference/surface-page.test.ts'],
    },
  ],
};

export const WARNING = {
  id: 'warning',
  title: TITLE,
  steps: [
    {
      name: 'the code',
      edits: [
        {
          file: 'packages/core/src/options/check/warning.ts',
          before: "  | 'OPTION_MISPLACED'\n",
          put: "  | 'OPTION_DOUBTED'\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'when it occurs, and what to do',
      edits: [
        {
          file: 'packages/core/src/options/check/warning-guide.ts',
          before: '  OPTION_MISPLACED: {\n',
          put: "  OPTION_DOUBTED: { when: 'An option is in doubt.', advice: 'Leave it out.' },\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'a test that catches it',
      edits: [
        {
          file: 'packages/core/test/options/sample-warning.test.ts',
          create: `import { expect, it } from 'vitest';

it('an option in doubt is reported', () => {
  const warnings = [{ code: 'OPTION_DOUBTED' }];
  expect(warnings).toMatchObject([{ code: 'OPTION_DOUBTED' }]);
});
`,
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'its row on the page',
      scripts: ['scripts/write-reference-pages.mjs'],
      writes: ['docs/errors.md', 'docs/errors/starting.md', 'docs/errors/warnings.md'],
      red: [PAGE_TEST],
    },
  ],
};
