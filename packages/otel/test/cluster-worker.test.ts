// The trace of a real cluster: one object sends, another works, and only the journal is between them.
import { context, trace } from '@opentelemetry/api';
import { expect, it } from 'vitest';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { createCluster } from '@inboard/cluster/create-cluster.js';
import { memoryJournal } from '@inboard/cluster/journal/memory/memory-journal.js';
import { clusterTelemetry } from '@inboard/inboard/otel.js';
import { createFakeCli, text, toolUse } from '@inboard/inboard/testing.js';
import { createSpanLog, useSpans } from './support.js';

useSpans();

it('goes from the request that sends to the handler that runs for it in the worker', async () => {
  const [web, work] = [createSpanLog(), createSpanLog()];
  const inHandler: (string | undefined)[] = [];
  const refund = tool('refund', 'Pays back', {}, () => {
    inHandler.push(trace.getSpan(context.active())?.spanContext().traceId);
    return 'paid';
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [refund] });
  await using fake = createFakeCli([toolUse('mcp__shop__refund', {}), text('Paid.')], {
    allowEarlyEnd: true,
  });
  const agents = {
    support: () => ({ transport: fake.transport, mcpServers: { shop }, allowedTools: [refund] }),
  };
  const journal = memoryJournal();
  const sender = createCluster({ agents, journal, telemetry: clusterTelemetry(web) });
  const host = createCluster({ agents, journal, telemetry: clusterTelemetry(work) });
  const worker = await host.work({ name: 'w1', keepWarmMs: 0 });
  const request = web.tracer.startSpan('POST /chats');
  const turn = await context.with(trace.setSpan(context.active(), request), () =>
    sender.conversation('ann/1', { agent: 'support' }).send('Pay order 7 back.'),
  );
  request.end();
  expect(await turn.outcome()).toMatchObject({ ok: true, text: 'Paid.' });
  await worker.drain();
  await Promise.all([sender.close(), host.close()]);
  const { traceId } = request.spanContext();
  expect(web.tree()).toEqual(['POST /chats < -', 'send conversations < POST /chats']);
  expect(new Set([...web.spans, ...work.spans].map((span) => span.spanContext().traceId))).toEqual(
    new Set([traceId]),
  );
  expect(inHandler).toEqual([traceId]);
  expect(work.tree()).toContain('execute_tool mcp__shop__refund < inboard.turn');
  expect(work.tree()).toContain('inboard.turn < invoke_agent claude');
  expect(work.tree()).toContain('invoke_agent claude < process conversations');
  expect(work.find('process conversations')).toMatchObject({
    parentSpanContext: { spanId: web.find('send conversations').spanContext().spanId, isRemote: true },
    attributes: { 'inboard.turn.kind': 'ok', 'inboard.turn.how': 'new', 'inboard.worker': 'w1' },
  });
  const counted = work.measured.map(({ name }) => name);
  for (const name of ['inboard.cluster.leases', 'inboard.cluster.queue.wait', 'inboard.cluster.turns'])
    expect(counted).toContain(name);
});
