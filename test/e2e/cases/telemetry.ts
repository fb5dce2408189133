// Spans of a session on the real CLI: who is whose child, and what a handler sees as active.
import { context, trace } from '@opentelemetry/api';
import { expect } from 'vitest';
import { tracedQuery } from '../../../src/doors/otel.js';
import type { SpanLog } from '../../otel/support.js';
import type { Cli } from '../support/cli.js';
import type { CaseSet } from '../support/cases.js';
import { createSdkMcpServer, text, tool, toolUse } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest } from '../support/talk.js';

/** The cases, on a log of spans. */
export function telemetryCases(log: SpanLog): CaseSet {
  return {
    'gives a span to the query, its turn, the tool call and the wait for permission': (cli) =>
      traceToolCall(cli, log),
  };
}

async function traceToolCall(cli: Cli, log: SpanLog): Promise<void> {
  const seen: { handler?: string; permission?: string; variable?: string } = {};
  const active = (): string | undefined => trace.getSpan(context.active())?.spanContext().spanId;
  const server = createSdkMcpServer({
    name: 'house',
    tools: [
      tool('look', 'Looks', {}, async () => {
        await Promise.resolve();
        seen.handler = active();
        return 'seen';
      }),
    ],
  });
  const script = [
    toolUse('mcp__house__look', {}),
    toolUse('Bash', { command: 'echo $TRACEPARENT' }),
    text('Done.'),
  ];
  await onStage(cli, { script }, async (stage) => {
    const root = log.tracer.startSpan('request');
    const query = context.with(trace.setSpan(context.active(), root), () =>
      tracedQuery({
        prompt: 'Look.',
        options: stage.options({
          mcpServers: { house: server },
          canUseTool: async (_name, input) => {
            seen.permission ??= active();
            return { behavior: 'allow', updatedInput: input };
          },
        }),
      }),
    );
    const { error } = await readRest(query);
    root.end();
    expect(error).toBeUndefined();
    seen.variable = stage.lastRequest().toolResults.at(-1)?.text;
  });
  const call = log.find('execute_tool mcp__house__look');
  expect(seen.handler).toBe(call.spanContext().spanId);
  expect(seen.permission).toBe(call.spanContext().spanId);
  expect(seen.variable).toContain(log.find('invoke_agent claude').spanContext().spanId);
  const tree = log.tree();
  expect(tree).toEqual(
    expect.arrayContaining([
      'request < -',
      'invoke_agent claude < request',
      'inboard.turn < invoke_agent claude',
      'execute_tool mcp__house__look < inboard.turn',
      'inboard.permission mcp__house__look < execute_tool mcp__house__look',
      'execute_tool Bash < inboard.turn',
    ]),
  );
  expect(tree.filter((line) => line.startsWith('chat ')).length).toBe(3);
}
