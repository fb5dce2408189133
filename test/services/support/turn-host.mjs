// What processes share that work on a turn on PostgreSQL with the real CLI: their plan, the lines that they tell, the point at which
// they kill or stop themselves, and the tool whose effects are counted. The plan is their argument.
import { appendFileSync, writeSync } from 'node:fs';

export const plan = JSON.parse(process.argv[2]);
const { createSdkMcpServer, tool } = await import(`${plan.entryPoints}/index.js`);

/** Written before anything else happens in this process. */
export const tell = (line) => void writeSync(1, `${JSON.stringify(line)}\n`);

let isReached = false;

/** Kills or stops this process, if the plan names this point. */
export function reach(point) {
  if (point !== plan.point || isReached) return;
  isReached = true;
  tell({ reached: point });
  if (plan.signal === undefined) return;
  process.kill(process.pid, plan.signal);
  // Nothing may happen before the signal has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

let noteSaved;
/** Resolves once the call is in the stored transcript. */
export const saved = new Promise((resolve) => (noteSaved = resolve));
if (plan.isContinued === true) noteSaved();

/** The store of a session, watched for the first entry and for the call. */
export function watchStore(store) {
  return {
    ...store,
    append: async (key, entries) => {
      if (entries.some(({ type }) => type === 'user')) reach('before the first entry');
      await store.append(key, entries);
      if (JSON.stringify(entries).includes('"tool_use"')) noteSaved();
    },
  };
}

const refund = tool({
  name: 'refund',
  description: 'Refunds an order.',
  inputSchema: { order: 'number' },
  ...(plan.onRepeat && { onRepeat: plan.onRepeat }),
  run: async ({ order }) => {
    await saved;
    appendFileSync(plan.effects, `${process.pid}\n`);
    reach('after the effect');
    if (plan.hangs) await new Promise(() => setInterval(() => {}, 1000));
    return `refunded ${order}`;
  },
});

/** The options of the agent. */
export const agentOptions = {
  ...plan.options,
  mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [refund], alwaysLoad: true }) },
  ...(plan.asks ? {} : { allowedTools: [refund] }),
};
