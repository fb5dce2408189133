// A process that makes one step of a conversation on PostgreSQL, with the real CLI, or several one after the other. It tells what
// happens in lines on its output, and can kill or stop itself. Its plan is its argument.
import { appendFileSync, writeSync } from 'node:fs';

const plan = JSON.parse(process.argv[2]);
const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
const { postgresJournal } = await import(`${plan.entryPoints}/cluster-postgres.js`);
const { createSdkMcpServer, tool } = await import(`${plan.entryPoints}/index.js`);

/** Written before anything else happens in this process. */
const tell = (line) => void writeSync(1, `${JSON.stringify(line)}\n`);

let isReached = false;
function reach(point) {
  if (point !== plan.point || isReached) return;
  isReached = true;
  tell({ reached: point });
  if (plan.signal === undefined) return;
  process.kill(process.pid, plan.signal);
  // Nothing may happen before the signal has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

/** Whether the journal has the call. */
const saved = { isSo: plan.isContinued === true };
const inner = postgresJournal({ connectionString: plan.url, schema: plan.schema });
const journal = {
  ...inner,
  store: (fence) => {
    const store = inner.store(fence);
    return {
      ...store,
      append: async (key, entries) => {
        await store.append(key, entries);
        if (JSON.stringify(entries).includes('"tool_use"')) saved.isSo = true;
      },
    };
  },
  endCall: async (...given) => {
    reach('before its end');
    await inner.endCall(...given);
    reach('after its end');
  },
};

const refund = tool({
  name: 'refund',
  description: 'Refunds an order.',
  inputSchema: { order: 'number' },
  run: async ({ order }) => {
    while (!saved.isSo) await new Promise((resolve) => setTimeout(resolve, 10));
    appendFileSync(plan.effects, `${process.pid}\n`);
    reach('after the effect');
    if (plan.hangs) await new Promise(() => setInterval(() => {}, 1000));
    return `refunded ${order}`;
  },
});
const shop = createSdkMcpServer({ name: 'shop', tools: [refund], alwaysLoad: true });
const agents = {
  desk: () => ({ ...plan.options, mcpServers: { shop }, ...(plan.asks ? {} : { allowedTools: [refund] }) }),
};
const cluster = createCluster({ agents, journal });
const controller = new AbortController();
process.once('SIGUSR2', () => controller.abort());
try {
  for (const turn of plan.turns ?? ['turn-1']) {
    const end = await cluster.step('chat', {
      turn,
      suspendAfterMs: 200,
      ...plan.step,
      signal: controller.signal,
      onEvent: ({ type }) => tell({ event: type }),
    });
    tell({ end });
  }
} catch (error) {
  tell({ error: error?.name ?? String(error) });
}
await cluster.close().catch((error) => tell({ closing: String(error) }));
process.exit();
