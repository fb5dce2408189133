// A process that makes one attempt at a turn on a ledger in PostgreSQL, with the real CLI. It tells what happens in lines on its
// output, and can kill or stop itself. Its plan is its argument.
import { appendFileSync, writeSync } from 'node:fs';

const plan = JSON.parse(process.argv[2]);
const { attemptTurn } = await import(`${plan.entryPoints}/durable.js`);
const { createPostgresLedger } = await import(`${plan.entryPoints}/durable-postgres.js`);
const { createSdkMcpServer, tool } = await import(`${plan.entryPoints}/index.js`);

/** Written before anything else happens in this process. */
const tell = (line) => void writeSync(1, `${JSON.stringify(line)}\n`);

let isReached = false;
/** Whether the ledger has the call. */
const saved = { isSo: plan.isContinued === true };
function reach(point) {
  if (point !== plan.point || isReached) return;
  isReached = true;
  tell({ reached: point });
  if (plan.signal === undefined) return;
  process.kill(process.pid, plan.signal);
  // Nothing may happen before the signal has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

const inner = createPostgresLedger({ connectionString: plan.url, schema: plan.schema });
const ledger = {
  ...inner,
  store: (fence) => {
    const store = inner.store(fence);
    return {
      ...store,
      append: async (key, entries) => {
        if (entries.some(({ type }) => type === 'user')) reach('before the first entry');
        await store.append(key, entries);
        if (JSON.stringify(entries).includes('"tool_use"')) saved.isSo = true;
      },
      calls: (key) => {
        const records = store.calls(key);
        const add = async (fact) => {
          reach(`before ${fact.type}`);
          await records.add(fact);
          if (fact.type === 'asked') await untilSaved();
          reach(`after ${fact.type}`);
        };
        return { ...records, add };
      },
    };
  },
};

async function untilSaved() {
  while (!saved.isSo) await new Promise((resolve) => setTimeout(resolve, 10));
}

const refund = tool({
  name: 'refund',
  description: 'Refunds an order.',
  inputSchema: { order: 'number' },
  ...(plan.onRepeat && { onRepeat: plan.onRepeat }),
  run: async ({ order }) => {
    appendFileSync(plan.effects, `${process.pid}\n`);
    await untilSaved();
    reach('after the effect');
    if (plan.hangs) await new Promise(() => setInterval(() => {}, 1000));
    return `refunded ${order}`;
  },
});
const shop = createSdkMcpServer({ name: 'shop', tools: [refund], alwaysLoad: true });
try {
  const end = await attemptTurn({
    ledger,
    conversation: 'chat',
    turn: { id: 'turn-1', content: 'Refund order 7' },
    agent: { ...plan.options, mcpServers: { shop }, ...(plan.asks ? {} : { allowedTools: [refund] }) },
    answers: plan.answers,
    suspendAfterMs: plan.suspendAfterMs ?? 200,
  });
  tell({ end });
} catch (error) {
  tell({ error: String(error?.stack ?? error) });
}
await inner.close();
process.exit();
