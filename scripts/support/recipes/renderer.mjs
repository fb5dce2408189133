// "To add a trace renderer", played: one that prints the name of each event.

const TEST = 'packages/cli/test/trace-renderers.test.ts';
const NAMES_TEST = 'packages/inboard/test/public-names.test.ts';
const TIMELINE_TEST = 'packages/core/test/record/trace/timeline.test.ts';

export const RENDERER = {
  id: 'renderer',
  title: 'To add a trace renderer',
  steps: [
    {
      name: 'the function',
      edits: [
        {
          file: 'packages/core/src/record/trace/render/render-list.ts',
          create: `// A timeline as a list of its events.
import { blankText } from '../../../util/terminal-text.js';
import type { Timeline } from '../timeline/timeline.js';

/** The events, one to a line. */
export function renderTimelineList(timeline: Timeline): string {
  return timeline.rows.map(({ event }) => \`\${blankText(event)}\\n\`).join('');
}
`,
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'the entry point',
      edits: [
        {
          file: 'packages/inboard/src/trace.ts',
          before: 'export { renderTimelineText,',
          put: "export { renderTimelineList } from '@inboard/core/record/trace/render/render-list.js';\n",
        },
      ],
      red: [NAMES_TEST],
    },
    {
      name: 'the list of public names',
      edits: [
        { file: NAMES_TEST, before: "    'renderTimelineMermaid',\n", put: "    'renderTimelineList',\n" },
      ],
      red: [NAMES_TEST],
    },
    {
      name: 'its row',
      edits: [
        {
          file: 'packages/cli/src/trace/trace-renderers.ts',
          before: '  renderTimelineText,\n',
          put: '  renderTimelineList,\n',
        },
        {
          file: 'packages/cli/src/trace/trace-renderers.ts',
          before: '};\n\nfunction viewTimeline',
          put: '  list: { render: (timeline) => renderTimelineList(timeline), defaultOutput: toStdout },\n',
        },
      ],
      red: [TEST],
    },
    {
      name: 'the usage',
      edits: [
        {
          file: 'packages/cli/src/trace/command.ts',
          instead: '(view | html | mermaid | replay) <trace file>',
          put: '(view | html | mermaid | list | replay) <file>',
        },
      ],
      red: [TEST],
    },
    {
      name: 'the details',
      edits: [
        {
          file: 'packages/cli/src/trace/command.ts',
          before: "    'replay needs no CLI.",
          put: "    'list prints the events alone.',\n",
        },
      ],
      red: [TEST],
    },
    {
      name: 'a case',
      edits: [
        {
          file: TIMELINE_TEST,
          before: "import { renderTimelineText } from '../../../src/record/trace/render/render-text.js';\n",
          put: "import { renderTimelineList } from '../../../src/record/trace/render/render-list.js';\n",
        },
        {
          file: TIMELINE_TEST,
          before: "describe('Mermaid', () => {",
          put: "it('is drawn as a list of events', () => {\n  expect(renderTimelineList(timeline).split('\\n')[0]).toBe('initialize');\n});\n\n",
        },
      ],
      red: [TEST],
    },
    {
      name: 'its line on the page of traces',
      edits: [
        {
          file: 'docs/traces.md',
          after: '`inboard trace mermaid run.jsonl`',
          put: ', `inboard trace list run.jsonl`',
        },
      ],
      red: [TEST],
    },
    {
      name: 'its lines on the page of the command',
      edits: [
        {
          file: 'docs/command/traces.md',
          after: 'npx inboard trace mermaid run.jsonl\n',
          put: 'npx inboard trace list run.jsonl\n',
        },
        {
          file: 'docs/command/traces.md',
          before: '`view` prints a table in the terminal,',
          put: '`list` prints the events alone, ',
        },
      ],
      red: [TEST],
    },
  ],
};
