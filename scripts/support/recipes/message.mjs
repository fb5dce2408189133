// "To add a message type", played: a message that no scene causes, with the reason.

const MESSAGES = 'packages/core/src/wire/protocol/messages';
const DESCRIPTIONS = 'scripts/support/protocol/descriptions.mjs';
const PAGE_TEST = 'test/protocol/protocol-page.test.ts';

export const MESSAGE = {
  id: 'message',
  title: 'To add a message type',
  steps: [
    {
      name: 'the type',
      edits: [
        {
          file: `${MESSAGES}/messages-notice.ts`,
          after: '  decision_reason_type?: string;\n  message: string;\n};\n',
          put: "\n/** The session is quiet. */\nexport type SDKQuietMessage = SDKSystemEnvelope<'quiet_time'> & { minutes: number };\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its line in the union',
      edits: [
        {
          file: `${MESSAGES}/messages.ts`,
          before: '  | Notice.SDKPermissionDeniedMessage\n',
          put: '  | Notice.SDKQuietMessage\n',
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its name',
      edits: [
        {
          file: 'packages/inboard/src/index.ts',
          after: '  SDKPermissionDeniedMessage,\n',
          put: '  SDKQuietMessage,\n',
        },
      ],
      red: ['test/types/exported-types.test.ts'],
    },
    {
      name: 'whose name it is',
      edits: [
        {
          file: 'test/fixtures/official-surface.json',
          after: '    "SDKPromptSuggestionMessage",\n',
          put: '    "SDKQuietMessage",\n',
        },
      ],
      red: ['test/reference/surface-page.test.ts'],
    },
    {
      name: 'the page of public names',
      scripts: ['scripts/write-reference-pages.mjs'],
      writes: ['docs/surface.md'],
      red: ['test/reference/surface-page.test.ts'],
    },
    {
      name: 'the list of types',
      edits: [
        {
          file: 'test/types/messages.test.ts',
          before: "      | 'permission_denied'\n",
          put: "      | 'quiet_time'\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'a line of it',
      edits: [
        {
          file: 'test/types/observed-lines.test.ts',
          before: '] satisfies SDKMessage[];',
          put: "  { type: 'system', subtype: 'quiet_time', minutes: 5, ...ids },\n",
        },
      ],
      red: ['test/types/observed-kinds.test.ts'],
    },
    {
      name: 'its sentence',
      edits: [
        {
          file: DESCRIPTIONS,
          before: "  'system/permission_denied': 'A tool",
          put: "  'system/quiet_time': 'Nothing will happen for some minutes.',\n",
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'why no scene has it',
      edits: [
        {
          file: DESCRIPTIONS,
          before: "  'system/notification': NOT_SEEN,",
          put: "  'system/quiet_time': NOT_SEEN,\n",
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'the page of the protocol',
      scripts: ['scripts/write-protocol-page.mjs'],
      writes: ['docs/protocol/messages.md', 'docs/protocol/gaps-and-schemas.md'],
      red: [PAGE_TEST],
    },
  ],
};
