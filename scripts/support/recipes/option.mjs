// "To add an option", played: a flag that CLIs have since a version in between, so that the step for such options is played, too.

const ROWS = 'packages/core/src/options/rows/output.ts';
const TESTS = 'packages/core/test/options';

export const OPTION = {
  id: 'option',
  title: 'To add an option',
  steps: [
    {
      name: 'the field of Options',
      edits: [
        {
          file: 'packages/core/src/options/options.ts',
          after: '  agentProgressSummaries?: boolean | undefined;\n',
          put: '  /** Starts without a greeting. @default false */\n  quietStart?: boolean | undefined;\n',
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its row',
      edits: [
        {
          file: ROWS,
          before: '} satisfies Partial<OptionRows>;',
          put: "  quietStart: { shape: flag, since: '2.1.200', older: unlessOff, argv: { order: 251, flag: '--quiet-start' } },\n",
        },
      ],
      red: [`${TESTS}/option-variants.test.ts`],
    },
    {
      name: 'a variant',
      edits: [
        {
          file: 'test/fixtures/option-variants.json',
          after: '  "variants": [\n',
          put: `${JSON.stringify({
            name: 'quietStart',
            options: { quietStart: true },
            argv: ['--quiet-start'],
            'on2.1.33': { refused: { option: 'quietStart', needed: '2.1.200' } },
          })},\n`,
        },
      ],
      red: [`${TESTS}/option-coverage.test.ts`],
    },
    {
      name: 'the count of variants',
      edits: [
        { file: `${TESTS}/option-variants.test.ts`, every: /(?<=has run all |size\)\.toBe\()\d+/, count: 1 },
      ],
      red: [`${TESTS}/option-variants.test.ts`],
    },
    {
      name: 'the full set of options',
      edits: [
        { file: `${TESTS}/full-options.ts`, before: '    debug: true,\n', put: '    quietStart: true,\n' },
      ],
      red: [`${TESTS}/option-coverage.test.ts`],
    },
    {
      name: 'the order of flags',
      edits: [
        {
          file: `${TESTS}/launch/cli-arguments.test.ts`,
          after: "      '--include-partial-messages',\n",
          put: "      '--quiet-start',\n",
        },
      ],
      red: [`${TESTS}/launch/cli-arguments.test.ts`],
    },
    {
      name: 'the line in the table of versions',
      edits: [
        {
          file: 'docs/cli-versions.md',
          after: '| `promptSuggestions` | 2.1.48 |\n',
          put: '| `quietStart` | 2.1.200 |\n',
        },
      ],
      red: [`${TESTS}/cli-versions-doc.test.ts`],
    },
    {
      name: 'a use below and above its version',
      edits: [
        {
          file: `${TESTS}/launch/adapt-options.test.ts`,
          before: '  promptSuggestions: [',
          put: "  quietStart: [{ quietStart: true }, 'quietStart'],\n",
        },
      ],
      red: [`${TESTS}/launch/adapt-options.test.ts`],
    },
    {
      name: 'its row on the page',
      scripts: ['scripts/write-reference-pages.mjs'],
      writes: ['prompts-and-tools', 'sessions-and-process', 'own'].map((part) => `docs/options/${part}.md`),
      red: ['test/reference/options-page.test.ts'],
    },
  ],
};
