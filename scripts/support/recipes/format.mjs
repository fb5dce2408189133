// "To change a stored format", played: approvals in files say who wrote them, and a file of that version must.

const FILES = 'packages/core/src/answer/permissions/approvals/approval-files.ts';
const TEST = 'test/formats/formats.test.ts';

export const FORMAT = {
  id: 'format',
  title: 'To change a stored format',
  steps: [
    {
      name: 'the version',
      edits: [{ file: FILES, instead: '\nconst VERSION = 1;\n', put: '\nconst VERSION = 2;\n' }],
      red: [TEST],
    },
    {
      name: 'what is written',
      edits: [
        { file: FILES, after: 'format: FORMAT, version: VERSION, ', put: "writer: 'inboard', " },
        {
          file: FILES,
          instead: '  const { format, version, ...value } = stored;\n',
          put: "  const { format, version, writer, ...value } = stored;\n  if (version === 2 && typeof writer !== 'string') return damaged;\n",
        },
      ],
      red: [TEST],
    },
    {
      name: 'the recording',
      scripts: ['scripts/build.mjs', 'scripts/record-formats.mjs'],
      writes: [
        'ask_denied_1.answer.json',
        'ask_denied_1.question.json',
        'call_allowed_1.answer.json',
        'call_allowed_1.question.json',
        'call_open_1.question.json',
      ].map((name) => `test/fixtures/formats/approvals/v2/${name}`),
      red: [TEST],
    },
    {
      name: 'the table of formats',
      edits: [
        {
          file: 'docs/data-lifetime/formats.md',
          instead: '| approvals in files | 1; ',
          put: '| approvals in files | 2; ',
        },
      ],
      red: [TEST],
    },
  ],
};
