// Spans of a session on the real CLI: who is whose child, and what a handler sees as active.
import { context, trace } from '@opentelemetry/api';
import { expect } from 'vitest';
import { tracedQuery, withTelemetry } from '../../../packages/inboard/src/otel.js';
import { createWarmPool } from '../../../packages/core/src/verbs/fleet/warm-pool.js';
import { createSpanLog, type SpanLog } from '../../../packages/otel/test/support.js';
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

/** Needs a context manager, as of `useSpans`. */
export const telemetryLongCases: CaseSet = {
  'puts the queries of a pool into the traces of their callers': tracePool,
};

async function tracePool(cli: Cli): Promise<void> {
  const log = createSpanLog();
  const { tracer, meter } = log;
  await onStage(cli, { script: [text('One.'), text('Two.')] }, async (stage) => {
    await using pool = createWarmPool({ options: withTelemetry(stage.options({}), { tracer, meter }) });
    for (const name of ['one', 'two']) {
      await pool.ready();
      const request = tracer.startSpan(name);
      const query = context.with(trace.setSpan(context.active(), request), () =>
        pool.query({ prompt: name }),
      );
      expect((await readRest(query)).error).toBeUndefined();
      request.end();
    }
    expect(pool.stats()).toMatchObject({ warm: 2, cold: 0 });
  });
  const agents = log.spans.filter(({ name }) => name === 'invoke_agent claude');
  const starts = log.spans.filter(({ name }) => name === 'inboard.start');
  const idOf = (name: string): string => log.find(name).spanContext().spanId;
  expect(agents.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
    idOf('one'),
    idOf('two'),
  ]);
  expect(agents.map(({ links }) => links[0]?.context.spanId)).toEqual(
    starts.slice(0, 2).map((span) => span.spanContext().spanId),
  );
  for (const agent of agents) {
    const { traceId } = agent.spanContext();
    const inside = log.spans.filter((span) => span.spanContext().traceId === traceId);
    expect(inside.filter(({ name }) => name === 'inboard.turn')).toHaveLength(1);
    expect(inside.filter(({ name }) => name.startsWith('chat '))).toMatchObject([
      { attributes: { 'gen_ai.usage.output_tokens': 5 } },
    ]);
  }
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
  const chats = log.spans.filter(({ name }) => name.startsWith('chat '));
  // The counts at the end of each answer, not the 1 that its first event and its lines have.
  expect(chats.map(({ attributes }) => attributes['gen_ai.usage.output_tokens'])).toEqual([5, 5, 5]);
  expect(tree).toContain('inboard.start < invoke_agent claude');
  const turn = log.find('inboard.turn').attributes;
  expect(turn['inboard.turn.cost_usd']).toBeGreaterThan(0);
  expect(log.measured.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'gen_ai.client.operation.duration',
      'gen_ai.client.token.usage',
      'gen_ai.execute_tool.duration',
      'gen_ai.invoke_agent.duration',
    ]),
  );
}
