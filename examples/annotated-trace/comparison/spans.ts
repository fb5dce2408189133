// The two spans of time that the document names, measured in its table and in the recordings in the same way.
import type { Step } from './document.ts';
import type { Run } from '../src/record-run.ts';

/** Milliseconds; undefined where the run has no such span. */
export type Span = { title: string; document: number | undefined; runs: (number | undefined)[] };

const SPANS = [
  { title: 'MCP initialization', from: 'mcp initialize', to: 'mcp tools/list answer' },
  { title: 'Permission and tool call', from: 'message assistant (tool_use)', to: 'mcp tools/call answer' },
];

export function measureSpans(document: readonly Step[], runs: readonly Run[]): Span[] {
  return SPANS.map(({ title, from, to }) => {
    const measure = (steps: readonly Step[]): number | undefined => {
      const isAt = (name: string) => (step: Step) => `${step.layer} ${step.event}` === name;
      const [begin, end] = [steps.find(isAt(from))?.at, steps.findLast(isAt(to))?.at];
      return begin === undefined || end === undefined ? undefined : end - begin;
    };
    return { title, document: measure(document), runs: runs.map(({ steps }) => measure(steps)) };
  });
}
