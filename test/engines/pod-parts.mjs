// What the pods of all engines have in common: the plan, the points at which they kill or stop themselves, the agent with its tool, and
// a ledger that is watched.
import { appendFileSync, writeSync } from 'node:fs';
import { createSdkMcpServer, pending, tool } from 'inboard';
import { createPostgresLedger } from 'inboard/durable/postgres';

/** How this pod is to behave. */
export const plan = JSON.parse(process.argv[2]);

/** Says something to the scene. Written before anything else happens in this process. */
export function tell(line) {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

process.on('unhandledRejection', (error) => {
  tell({ unhandled: String(error?.stack ?? error) });
  process.exit(70);
});

/** Tells each message of the scene's turn that is in the transcript as well, and the result. */
export function tellMessage({ type, uuid }, { conversation, id }) {
  const isOwn = conversation === plan.turn.conversation && id === plan.turn.id;
  if (isOwn && ['assistant', 'user', 'result'].includes(type)) tell({ message: { type, uuid } });
}

let isReached = false;

/** A point of the work. At the point of its plan, the pod says so, and kills or stops itself. */
export function reach(point) {
  if (point !== plan.point || isReached) return;
  isReached = true;
  tell({ reached: point });
  if (plan.signal === undefined) return;
  process.kill(process.pid, plan.signal);
  // Nothing may happen before the signal has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

/** Whether the call of the tool is in the transcript that is kept. Before that, the turn would begin again with another call. */
const saved = { isSo: false };

function noteCall(entries) {
  if (JSON.stringify(entries ?? []).includes('"tool_use"')) saved.isSo = true;
}

async function untilSaved() {
  while (!saved.isSo) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Tells when a write is refused because the fence is lost. */
async function fenced(write) {
  try {
    return await write();
  } catch (error) {
    if (error?.fatal === true) tell({ refused: error.message });
    throw error;
  }
}

/** A store whose writes are points. `more` replaces other methods of it. */
export function watchStore(store, more = {}) {
  return {
    ...store,
    load: async (key) => {
      const entries = await store.load(key);
      noteCall(entries);
      return entries;
    },
    append: async (key, entries) => {
      if (entries.some(({ type }) => type === 'user')) reach('first entry');
      // The pod dies with the call begun and nothing of the turn saved.
      if (plan.point === 'begun') await new Promise(() => {});
      await fenced(() => store.append(key, entries));
      noteCall(entries);
    },
    ...more,
  };
}

const BEFORE = { begun: 'begin', ended: 'result' };
const AFTER = { begun: 'begun', asked: 'asked', ended: 'recorded' };

/** A ledger in PostgreSQL whose writes are points. */
export function openLedger() {
  const inner = createPostgresLedger(plan.database);
  return {
    ...inner,
    store: (fence) => {
      const store = inner.store(fence);
      const calls = (key) => {
        const records = store.calls(key);
        const add = async (fact) => {
          reach(BEFORE[fact.type]);
          await fenced(() => records.add(fact));
          if (fact.type === 'asked') await untilSaved();
          reach(AFTER[fact.type]);
        };
        return { ...records, add };
      };
      return watchStore(store, { calls });
    },
  };
}

/** A journal of a cluster whose writes are points. */
export function watchJournal(journal) {
  const points = {
    ask: async (ask) => {
      const answer = await fenced(ask);
      await untilSaved();
      reach('asked');
      return answer;
    },
    beginCall: async (begin) => {
      reach('begin');
      const given = await fenced(begin);
      reach('begun');
      return given;
    },
    endCall: async (end) => {
      reach('result');
      await fenced(end);
      reach('recorded');
    },
  };
  return new Proxy(journal, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name === 'store') return (fence) => watchStore(target.store(fence));
      if (typeof value !== 'function') return value;
      return (...args) => {
        const call = () => value.apply(target, args);
        return points[name] ? points[name](call) : call();
      };
    },
  });
}

async function hangUntil(signal) {
  const timer = setInterval(() => {}, 1000);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  clearInterval(timer);
  tell({ aborted: true });
}

/** The agent: one tool, which has an effect that must not happen twice. `asks`: people are asked before it runs. */
export function createAgent() {
  const refund = tool({
    name: 'refund',
    description: 'Refunds an order.',
    inputSchema: { order: 'string' },
    run: async ({ order }, { callKey, signal }) => {
      appendFileSync(
        plan.effects,
        `${JSON.stringify({ order, callKey, pid: process.pid, pod: plan.name })}\n`,
      );
      await untilSaved();
      reach('effect');
      if (plan.pends) return pending({ note: order });
      if (plan.hangs) await hangUntil(signal);
      return `refunded ${order}`;
    },
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [refund], alwaysLoad: true });
  return ({ conversation, key = conversation }) => {
    tell({ attempt: key });
    return { ...plan.options, mcpServers: { shop }, ...(plan.asks ? {} : { allowedTools: [refund] }) };
  };
}
