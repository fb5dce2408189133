// One trace over two processes: this one sends, another one works, and only PostgreSQL is between them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { context, trace, type SpanContext } from '@opentelemetry/api';
import { expect, inject, it } from 'vitest';
import { createCluster } from '../../../packages/cluster/src/create-cluster.js';
import { clusterTelemetry } from '../../../packages/inboard/src/otel.js';
import { createSpanLog, useSpans } from '../../../packages/otel/test/support.js';
import { nameSchema, openJournal } from '../support/journals.js';

interface Worked {
  spans: { name: string; trace: string; id: string; parent?: string }[];
  inHandler?: SpanContext;
}

const WORKER = fileURLToPath(import.meta.resolve('./traced-worker.mjs'));

useSpans();

it('goes from the request in one process to the handler in the other', async () => {
  const schema = nameSchema('trace');
  const web = createSpanLog();
  await using cluster = createCluster({
    agents: { support: () => ({}) },
    journal: openJournal({ schema }),
    telemetry: clusterTelemetry(web),
  });
  const request = web.tracer.startSpan('POST /chats');
  const turn = await context.with(trace.setSpan(context.active(), request), () =>
    cluster.conversation('ann/1', { agent: 'support' }).send('Pay order 7 back.'),
  );
  request.end();
  const { stdout } = await promisify(execFile)(process.execPath, [WORKER, inject('postgresUrl'), schema]);
  expect(await turn.outcome()).toMatchObject({ ok: true, text: 'Paid.' });
  const { spans, inHandler } = JSON.parse(stdout) as Worked;
  const { traceId } = request.spanContext();
  expect(new Set(spans.map((span) => span.trace))).toEqual(new Set([traceId]));
  const find = (name: string) => spans.find((span) => span.name === name);
  const run = find('process conversations');
  expect(run?.parent).toBe(web.find('send conversations').spanContext().spanId);
  expect(find('invoke_agent claude')?.parent).toBe(run?.id);
  expect(inHandler).toMatchObject({ traceId, spanId: find('execute_tool mcp__shop__refund')?.id });
});
