// The differences that are understood. Each reason asks the recording for its evidence: a run without it is not explained.
import type { Step } from './document.ts';
import type { Difference } from './explain.ts';
import { hasParked, type Run } from '../src/record-run.ts';

/** A reason, and when it is one. */
export interface KnownDifference {
  letter: string;
  title: string;
  why: string;
  holds: (facts: { kind: Difference['kind']; step: Step; run: Run }) => boolean;
}

const HANDSHAKE = /^(?:initialize|notifications\/initialized|tools\/list)(?: answer)?$/;
const isHandshake = ({ layer, event }: Step): boolean => layer === 'mcp' && HANDSHAKE.test(event);

const countInitialize = ({ steps }: Run): number =>
  steps.filter(({ layer, event }) => layer === 'mcp' && event === 'initialize').length;
const isBefore = ({ steps }: Run, one: string, other: string): boolean =>
  steps.findIndex(({ event }) => event === one) < steps.findIndex(({ event }) => event === other);

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    letter: 'a',
    title: 'The manifest travels in the handshake.',
    why: 'Inboard puts what the CLI would ask for (initialize and tools/list of the server) into its own initialize request, as sdkMcpServerManifests. A CLI that knows the field says "parked" in its reply and asks nothing: the first MCP message is the tool call.',
    holds: ({ kind, step, run }) => kind === 'missing' && isHandshake(step) && hasParked(run.timeline.rows),
  },
  {
    letter: 'b',
    title: 'One handshake instead of two.',
    why: 'The document takes the second one for robustness of the CLI. It comes from how the host names the server: on the command line (--mcp-config), which the CLI connects when it starts and once more after initialize. Inboard names it in initialize only. The column "by flag" is the proof: the same run, started as the document\'s host does it, and both handshakes are there.',
    holds: ({ kind, step, run }) => kind === 'missing' && isHandshake(step) && countInitialize(run) === 1,
  },
  {
    letter: 'c',
    title: 'Two handshakes at once have no fixed order.',
    why: 'Both are under way at the same time, each waits only for its own answers, and so they mesh differently from run to run. The rows are the same, and so is their number.',
    holds: ({ kind, step, run }) => kind === 'moved' && isHandshake(step) && countInitialize(run) === 2,
  },
  {
    letter: 'd',
    title: "The host's own handshake.",
    why: "The document's table begins with the first MCP message; its sequence diagram has the initialize request of the SDK before that. Inboard's recording begins with it.",
    holds: ({ kind, step }) =>
      kind === 'extra' && `${step.layer} ${step.event}`.startsWith('control initialize'),
  },
  {
    letter: 'e',
    title: 'The prompt comes first.',
    why: 'The CLI tells of its session (system/init) only once it has read a prompt, so the prompt is first on the wire; the document has no times for these two rows. Inboard writes it right behind initialize, which saves a round trip, and the CLI keeps it until it is ready.',
    holds: ({ kind, step, run }) =>
      kind === 'moved' && step.event === 'user' && isBefore(run, 'user', 'system/init'),
  },
  {
    letter: 'f',
    title: 'The CLI reports its state.',
    why: 'Newer CLIs say running, requires_action and idle when the host asks for it (CLAUDE_CODE_SDK_READS_SESSION_STATE). Inboard ends the input at "idle", not at the result, so that nothing that is still at work loses its answers.',
    holds: ({ kind, step }) => kind === 'extra' && step.event.startsWith('state: '),
  },
  {
    letter: 'g',
    title: 'The end of the process.',
    why: "The document's table stops at the result. Inboard records that it ended the CLI's input, and how the CLI left.",
    holds: ({ kind, step }) => kind === 'extra' && step.layer === 'process' && step.event !== 'fault',
  },
];
