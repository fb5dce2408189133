// "To add a control method", played: a request that no CLI knows, which the recording shows with its refusal.
import { NEWEST, OLDEST } from '../protocol/recorded-versions.mjs';

const CONTROLS = 'packages/core/src/live/controls';
const TEST = 'packages/core/test/live/controls/controls.test.ts';
const PROTOCOL = 'scripts/support/protocol';
const PAGE_TEST = 'test/protocol/protocol-page.test.ts';

export const CONTROL = {
  id: 'control',
  title: 'To add a control method',
  steps: [
    {
      name: 'the request',
      edits: [
        {
          file: 'packages/core/src/wire/protocol/control/control.ts',
          before: '  get_task_output: {',
          put: '  get_tips: { request: { topic: string }; response: { tips?: string[] } | undefined };\n',
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'the method',
      edits: [
        {
          file: `${CONTROLS}/controls.ts`,
          after: 'Promise<SDKControlGetTaskOutputResponse>;\n',
          put: '  /** Tips on a topic. */\n  getTips(topic: string, options?: ControlOptions): Promise<string[]>;\n',
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its row',
      edits: [
        {
          file: `${CONTROLS}/control-table.ts`,
          before: "  stopTask: { subtype: 'stop_task'",
          put: "  getTips: { subtype: 'get_tips', since: '2.1.300', fields: ['topic'], reply: (answer) => answer?.tips ?? [] },\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its form on the wire',
      edits: [
        {
          file: TEST,
          before: "  ['stopTask', (c)",
          put: "  ['getTips', (c) => c.getTips('a'), { subtype: 'get_tips', topic: 'a' }, [], [], []],\n",
        },
      ],
      red: [TEST],
    },
    {
      name: 'its limits',
      edits: [
        { file: TEST, before: '    stopTask: (c, o)', put: "    getTips: (c, o) => c.getTips('a', o),\n" },
      ],
      red: ['compiler'],
    },
    {
      name: 'the measured version',
      edits: [
        {
          file: 'docs/discoveries/cli-versions.md',
          before: '  {"name":"set_has_subscribers","kind":"request"',
          put: '  {"name":"get_tips","kind":"request","least":"2.1.300","absentIn":"2.1.299","exact":true},\n',
        },
      ],
      red: ['packages/core/test/live/controls/control-versions.test.ts'],
    },
    {
      name: 'its line on the page of controls',
      edits: [
        {
          file: 'docs/controls.md',
          before: '| `get_usage` |',
          put: '| `get_tips` | `getTips` | 2.1.300 |\n',
        },
      ],
      red: ['test/docs/controls-doc.test.ts'],
    },
    {
      name: 'its sentence',
      edits: [
        {
          file: `${PROTOCOL}/descriptions.mjs`,
          before: "  rename_session: 'Gives",
          put: "  get_tips: 'Asks for tips on a topic.',\n",
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'its request in a scene',
      edits: [
        {
          file: `${PROTOCOL}/control-scenes.mjs`,
          before: "          ['set_color',",
          put: "          ['get_tips', { topic: 'lamps' }],\n",
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'the recording',
      scripts: ['scripts/build.mjs', 'scripts/record-protocol.mjs --only controls'],
      writes: [NEWEST, OLDEST].map((version) => `test/fixtures/protocol/controls@${version}.jsonl`),
      red: [PAGE_TEST],
    },
    {
      name: 'the page of the protocol',
      scripts: ['scripts/write-protocol-page.mjs'],
      writes: [
        'docs/protocol.md',
        'docs/protocol/session.md',
        'docs/protocol/host-requests.md',
        'docs/protocol/cli-requests.md',
        'docs/protocol/messages.md',
        'docs/protocol/gaps-and-schemas.md',
        'docs/protocol.svg',
        'schema/frames.schema.json',
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'its row on the page of options',
      scripts: ['scripts/write-reference-pages.mjs'],
      writes: ['docs/options/query.md'],
      red: ['test/reference/options-page.test.ts'],
    },
  ],
};
