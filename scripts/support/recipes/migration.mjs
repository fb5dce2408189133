// "To add a migration rule", played: one about an error by its name.

const RULES = 'packages/cli/src/migrate/rules/error-rules.ts';
const RULES_TEST = 'packages/cli/test/migrate/rules.test.ts';
const PAGE = 'docs/coming-from-the-official-sdk.md';
const PAGE_TEST = 'test/docs/migration-doc.test.ts';

export const MIGRATION = {
  id: 'migration',
  title: 'To add a migration rule',
  steps: [
    {
      name: 'the rule',
      edits: [
        {
          file: RULES,
          before: 'const REJECTION_FILTER: MigrationRule = {',
          put: `const LAMP_ERROR: MigrationRule = {
  id: 'lamp-error',
  weight: 'know',
  section: 'errors-are-told-apart-by-class-and-code',
  why: 'No error is about lamps.',
  advice: 'Remove the comparison.',
  find: ({ code }) =>
    code.flatMap((token): RuleFinding[] =>
      token.text === 'LampError' ? [{ offset: token.start, what: 'There is no LampError.' }] : [],
    ),
};

`,
        },
        { file: RULES, after: '  LAUNCH_ERROR_CLASS,\n', put: '  LAMP_ERROR,\n' },
      ],
      red: [RULES_TEST],
    },
    {
      name: 'its row in the table of findings',
      edits: [
        {
          file: PAGE,
          before: '| `server-instance` | breaks |',
          put: '| `lamp-error` | good to know | [Errors are told apart by class and code](#errors-are-told-apart-by-class-and-code) |\n',
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'its section',
      edits: [{ file: PAGE, before: '`abort-error-name`. Error messages', put: '`lamp-error`, ' }],
      red: [PAGE_TEST],
    },
    {
      name: 'a program that triggers it',
      edits: [
        {
          file: RULES_TEST,
          before: "  ['tracing-by-name', ",
          put: "  ['lamp-error', `${IMPORT}if (error instanceof LampError) log(error);`],\n",
        },
      ],
      red: [RULES_TEST],
    },
  ],
};
