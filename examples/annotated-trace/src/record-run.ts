// The run of the document, on Inboard: one in-process tool, a permission callback, model haiku, two turns.
import { createSdkMcpServer, query, tool, type Query, type QueryOptions } from 'inboard';
import { buildTimeline, traceOf, type Timeline, type Trace, type TraceEvent } from 'inboard/trace';
import type { Step } from '../comparison/document.ts';

/** One recorded run. */
export type Run = { title: string; timeline: Timeline; steps: Step[] };

const [SERVER, PROMPT] = ['demo_tools', 'Greet Alice.'];

/**
 * Runs the agent once, and keeps everything that passed between this process and the CLI. `byFlag` is the manner of the
 * document's host: it names the server on the command line, too, and sends the prompt after the handshake.
 */
export async function recordRun(options: QueryOptions, byFlag = false): Promise<Run> {
  const demoTools = createSdkMcpServer({
    name: SERVER,
    tools: [
      tool('greet', 'Greet someone by name', { name: 'string' }, ({ name }) => `Hello, ${name}! Welcome.`),
    ],
  });
  const flag = { 'mcp-config': JSON.stringify({ mcpServers: { [SERVER]: { type: 'sdk', name: SERVER } } }) };
  const events: TraceEvent[] = [];
  const run: Query = query({
    prompt: byFlag ? afterHandshake(() => run) : PROMPT,
    options: {
      ...options,
      mcpServers: { [SERVER]: demoTools },
      canUseTool: (_name, input) => Promise.resolve({ behavior: 'allow', updatedInput: input }),
      hookFailure: 'refuse', // there is no hook; one that you add must not fail open
      model: 'haiku',
      maxTurns: 2,
      settingSources: [],
      trace: { write: (event) => void events.push(event) },
      ...(byFlag && { extraArgs: flag }),
    },
  });
  // A run that fails throws here, with what the CLI said.
  for await (const message of run) void message;
  return toRun(traceOf(events), byFlag);
}

async function* afterHandshake(run: () => Query): AsyncGenerator<string> {
  await run().initializationResult();
  yield PROMPT;
}

/** A recording as a column of the table. Its zero is the document's: when the CLI turns to the tool server. */
export function toRun(trace: Trace, byFlag = false): Run {
  const timeline = buildTimeline(trace);
  const zero = findZero(timeline);
  const steps = timeline.rows.map(({ t, layer, direction, event, summary }): Step => {
    const name = event === 'system/session_state_changed' ? `state: ${summary}` : event;
    const [at, time] = [
      t - zero,
      Math.round(t - zero)
        .toFixed(0)
        .replace('-0', '0'),
    ];
    return { time, at, layer, direction, event: name.replace(/ reply$/, ' answer'), says: summary };
  });
  const version = trace.header.claudeCodeVersion ?? 'CLI';
  return { title: byFlag ? `${version} by flag` : version, timeline, steps };
}

/** The first MCP message or, where the manifest came with the handshake, the reply that says so. */
function findZero({ rows }: Timeline): number {
  const asked = rows.find(({ layer, direction }) => layer === 'mcp' && direction === 'cli-to-host');
  const replied = rows.find(({ layer, event }) => layer === 'control' && event === 'initialize reply');
  return Math.min(
    asked?.t ?? Infinity,
    hasParked(rows) ? (replied?.t ?? Infinity) : Infinity,
    rows.at(-1)?.t ?? 0,
  );
}

/** Whether the CLI said that it took the manifests. */
export function hasParked(rows: Timeline['rows']): boolean {
  const reply = JSON.stringify(rows.find(({ event }) => event === 'initialize reply'));
  return /"sdk_mcp_manifests_parked":\{"[^{}]*:"parked"/.test(reply);
}
