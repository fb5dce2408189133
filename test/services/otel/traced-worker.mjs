// A worker process with a tracer of its own: answers one turn with a tool, prints its spans and ends.
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createCluster } from '../../../dist/entry/cluster.js';
import { postgresJournal } from '../../../dist/entry/cluster-postgres.js';
import { createSdkMcpServer, tool } from '../../../dist/entry/index.js';
import { clusterTelemetry } from '../../../dist/entry/otel.js';
import { createFakeCli, text, toolUse } from '../../../dist/entry/testing.js';

const [connectionString, schema] = process.argv.slice(2);
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

let inHandler;
const refund = tool('refund', 'Pays back', {}, () => {
  inHandler = trace.getSpan(context.active())?.spanContext();
  return 'paid';
});
const shop = createSdkMcpServer({ name: 'shop', tools: [refund] });
const fake = createFakeCli([toolUse('mcp__shop__refund', {}), text('Paid.')], { allowEarlyEnd: true });
const cluster = createCluster({
  agents: {
    support: () => ({ transport: fake.transport, mcpServers: { shop }, allowedTools: [refund] }),
  },
  journal: postgresJournal({ connectionString, schema }),
  telemetry: clusterTelemetry({ tracer: provider.getTracer('worker') }),
});
let ended;
const hasEnded = new Promise((resolve) => (ended = resolve));
const worker = await cluster.work({
  name: 'w1',
  keepWarmMs: 0,
  onEvent: ({ type }) => type === 'turn-ended' && ended(),
});
await hasEnded;
await worker.drain();
await cluster.close();
await fake.close();
const spans = exporter.getFinishedSpans().map((span) => ({
  name: span.name,
  trace: span.spanContext().traceId,
  id: span.spanContext().spanId,
  parent: span.parentSpanContext?.spanId,
}));
process.stdout.write(JSON.stringify({ spans, inHandler }));
