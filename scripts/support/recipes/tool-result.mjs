// "To add a tool result kind", played twice: an object that a handler returns, and a content block.
import { readFileSync } from 'node:fs';
import { NEWEST, OLDEST } from '../protocol/recorded-versions.mjs';

const TITLE = 'To add a tool result kind';
const RESULT = 'packages/core/src/answer/mcp/result';
const TEST = 'packages/core/test/answer/mcp/tool-result.test.ts';
const SHOWN_TEST = 'packages/core/test/calls/result/show-to-model.test.ts';

export const RETURNED = {
  id: 'returned',
  title: TITLE,
  steps: [
    {
      name: 'the row',
      edits: [
        {
          file: `${RESULT}/to-tool-result.ts`,
          after: '  instance(Set, (set) => fromData([...set])),\n',
          put: '  instance(URL, (address) => fromText(address.href)),\n',
        },
      ],
      red: [TEST],
    },
    {
      name: 'a case',
      edits: [
        {
          file: TEST,
          after: "    ['`Set`', new Set()],\n",
          put: "    ['`URL`', new URL('a://b')],\n",
        },
      ],
      red: [TEST],
    },
    {
      name: 'its line in the table',
      edits: [{ file: 'docs/tools.md', before: '| a `Date` |', put: '| a `URL` | its text |\n' }],
      red: [TEST],
    },
  ],
};

/** What a live call shows of the block on a CLI: the refusal of a block that it does not know, which was recorded. */
function recordingOf(version) {
  const file = new URL(`../../../test/fixtures/tool-results/${version}.json`, import.meta.url);
  const { rows } = JSON.parse(readFileSync(file, 'utf8'));
  const index = rows.findIndex(({ name }) => name === 'a block of no known type');
  const text = JSON.stringify({ ...rows[index], name: 'a chart' }, null, 2);
  const own = text.replaceAll(`toolu_row${index}`, `toolu_row${rows.length}`);
  return `,\n${own.replaceAll(/^/gm, '    ')}\n  ]\n}\n`;
}

export const BLOCK = {
  id: 'block',
  title: TITLE,
  steps: [
    {
      name: 'the interface',
      edits: [
        {
          file: `${RESULT}/tool-content.ts`,
          after: '  size?: number | undefined;\n}\n',
          put: "\n/** Bars that the CLI draws. */\nexport interface ChartContent extends ContentExtras {\n  type: 'chart';\n  bars: string;\n}\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its place in the union',
      edits: [
        {
          file: `${RESULT}/tool-content.ts`,
          after: 'export type ToolContent = ',
          put: 'ChartContent | ',
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'the row',
      edits: [
        {
          file: `${RESULT}/content-kinds.ts`,
          before: "  resource_link: {\n    fields: ['uri'",
          put: "  chart: {\n    fields: ['bars'],\n    needs: '\"bars\" as a string',\n    hasShape: ({ bars }) => typeof bars === 'string',\n  },\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its name in the error about others',
      edits: [
        {
          file: `${RESULT}/content-kinds.ts`,
          after: 'MCP has text, image, audio, ',
          put: 'chart, ',
        },
      ],
      red: [TEST],
    },
    {
      name: 'its exported name',
      edits: [
        { file: 'packages/inboard/src/types.ts', after: '  AudioContent,\n', put: '  ChartContent,\n' },
      ],
      red: ['test/types/exported-types.test.ts'],
    },
    {
      name: 'the page of public names',
      scripts: ['scripts/write-reference-pages.mjs'],
      writes: ['docs/surface.md'],
      red: ['test/reference/surface-page.test.ts'],
    },
    {
      name: 'a case',
      edits: [
        {
          file: TEST,
          before: "    resource_link: { type: 'resource_link'",
          put: "    chart: { type: 'chart', bars: 'x' },\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'its line in the table',
      edits: [{ file: 'docs/tools.md', after: '(`text`, `image`, `audio`, ', put: '`chart`, ' }],
      red: [TEST],
    },
    {
      name: 'what the model is shown',
      edits: [
        {
          file: 'packages/core/src/calls/result/convert-content.ts',
          before: '  resource_link: (link) =>',
          put: '  chart: ({ bars }) => [text(`[Chart] ${bars}`)],\n',
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'a row of a live call',
      edits: [
        {
          file: 'packages/core/test/calls/result/rows.ts',
          after: "denial: { message: 'stop', interrupt: true } },\n",
          put: "  succeed('a chart', [text('a'), { type: 'chart', bars: 'bars' }]),\n",
        },
      ],
      red: [SHOWN_TEST],
    },
    {
      name: 'the recordings of it',
      edits: [NEWEST, OLDEST].map((version) => ({
        file: `test/fixtures/tool-results/${version}.json`,
        every: /\n {2}\]\n\}\n$/,
        by: recordingOf(version),
      })),
      red: [SHOWN_TEST],
    },
  ],
};
