// How `inboard trace` is called: its arguments, options and help.
import type { Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const TRACE_COMMAND: Command = {
  summary: 'show a recorded run, or replay it against your tools',
  usage: '(view | html | mermaid | replay) <trace file>',
  args: { least: 2, most: 2 },
  options: {
    tools: {
      type: 'string',
      value: '<tools file>',
      help: 'replay: call these tools and compare; otherwise all answers come from the tape',
    },
    ignore: {
      type: 'string',
      multiple: true,
      value: '<path>',
      help: 'replay: ignore differences at this path, e.g. "result.content[*].text"; repeatable',
    },
    output: {
      type: 'string',
      short: 'o',
      value: '<file>',
      help: 'html, mermaid: the file to write; "-" for standard output',
    },
    rows: { type: 'string', value: '<n>', help: 'view, mermaid: at most this many rows' },
    json: { type: 'boolean', help: 'view, replay: print JSON and nothing else' },
  },
  details: [
    'Record a run with "inboard run --trace <file>", the option "trace" or the variable INBOARD_TRACE.',
    'view prints a table, html writes one page that needs no network, mermaid prints a diagram as text.',
    'replay needs no CLI. Its exit code is 1 if an answer differs from the tape.',
  ],
  examples: [
    'inboard trace view run.jsonl',
    'inboard trace html run.jsonl -o run.html',
    'inboard trace replay run.jsonl --tools tools.ts',
  ],
  load: async () => (await loadPart(() => import('./run-trace.js'))).runTrace,
};
