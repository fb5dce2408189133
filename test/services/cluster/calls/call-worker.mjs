// A worker process with one tool, whose effects go to a file. Tells what happens in lines on its output, and can be made to end or to
// stop before or after it asks the journal for something. Its plan is its argument.
import { appendFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createNoopMeter } from '@opentelemetry/api';

const plan = JSON.parse(process.argv[2]);
const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
const { postgresJournal } = await import(`${plan.entryPoints}/cluster-postgres.js`);
const { createSdkMcpServer, pending, tool } = await import(`${plan.entryPoints}/index.js`);
const { clusterTelemetry } = await import(`${plan.entryPoints}/otel.js`);

/** Written before anything else happens in this process. */
const tell = (line) => void writeSync(1, `${JSON.stringify(line)}\n`);
const forever = new Promise(() => {});

// What the test says, each line once.
const told = [];
const waiting = [];
createInterface({ input: process.stdin }).on('line', (line) => {
  told.push(line);
  for (const look of waiting) look();
});
const hear = (word) =>
  new Promise((resolve) => {
    const look = () => told.includes(word) && resolve();
    waiting.push(look);
    look();
  });

let isReached = false;
function reach(point) {
  if (point !== plan.point || isReached) return;
  isReached = true;
  tell({ reached: point });
  process.kill(process.pid, plan.signal);
  // Nothing may happen before the signal has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

const hasResult = (entries) => JSON.stringify(entries).includes('"tool_result"');
function watch(target) {
  return new Proxy(target, {
    get(object, name) {
      const value = Reflect.get(object, name, object);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return (...args) => {
        if (name === 'store') return watch(value.apply(object, args));
        const isPoint = name !== 'append' || hasResult(args[1]);
        if (isPoint) reach(`before ${name}`);
        const result = value.apply(object, args);
        if (!isPoint || typeof result?.then !== 'function') return result;
        return result.then((settled) => {
          reach(`after ${name}`);
          return settled;
        });
      };
    },
  });
}

const describe = (name) =>
  tool({
    name,
    description: `Does the ${name}`,
    inputSchema: { k: 'string', n: 'number', call: 'number' },
    ...(plan.onRepeat && { onRepeat: plan.onRepeat }),
    run: async ({ k, n, call }, { callKey }) => {
      tell({ runs: callKey });
      if (plan.hangs === 'before its effect') await forever;
      appendFileSync(plan.effects, `${callKey} ${call}\n`);
      if (plan.hangs === 'after its effect') await forever;
      if (plan.hangs === 'until it is told') await hear('go on');
      if (plan.pends) return pending({ note: `for ${k}` });
      return `did ${k} ${n} ${call}`;
    },
  });
const shop = createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: ['work', 'pay'].map(describe) });

const meter = Object.create(createNoopMeter());
meter.createCounter = (metric) => ({ add: (value, attributes) => tell({ metric, value, attributes }) });
const cluster = createCluster({
  agents: {
    desk: () => ({ ...plan.options, allowedTools: ['mcp__shop__work'], mcpServers: { shop } }),
  },
  journal: watch(postgresJournal({ connectionString: plan.url, schema: plan.schema })),
  telemetry: clusterTelemetry({ meter }),
});
const worker = await cluster.work({
  sweepMs: 100,
  keepWarmMs: 0,
  ...plan.work,
  onEvent: ({ error, ...event }) => tell({ event, ...(error !== undefined && { error: String(error) }) }),
});
tell({ ready: true });
void hear('end').then(() => process.kill(process.pid, 'SIGTERM'));
await worker.untilSignal();
await cluster.close();
process.exit();
