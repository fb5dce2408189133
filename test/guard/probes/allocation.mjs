// Bytes that a call of a tool allocates, and bytes that are kept after it. Argument: "allocated" or "kept". Needs
// --expose-gc; for "allocated" a young generation that is never full (run-probes.mjs has the flags).
import { PerformanceObserver } from 'node:perf_hooks';
import { chooseCli, readAll, report } from './session.mjs';
import { makeShapes, offerTools } from './tools.mjs';

const isKept = process.argv[2] === 'kept';
const [WARM_UP, COUNTED] = isKept ? [10_000, 5000] : [1000, 1000];

let collections = 0;
if (!isKept)
  new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ type: 'gc' });

function readHeap() {
  // Twice: what a finaliser lets go of is collected by the second.
  if (isKept) for (let round = 0; round < 2; round += 1) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const inboard = await import('inboard');
let calls = 0;
const taken = [];
const mcpServers = offerTools(inboard, await makeShapes('zod'), async () => {
  const isMoment = calls === WARM_UP || calls === WARM_UP + COUNTED;
  // What the first calls left behind goes with the second collection after them.
  if (isMoment || (isKept && calls % (WARM_UP / 2) === 0)) {
    // What brought the call is let go of in the next turn.
    await new Promise(setImmediate);
    if (isMoment) taken.push({ heap: readHeap(), collections });
    else readHeap();
  }
  calls += 1;
});
const options = { ...chooseCli({ calls: WARM_UP + COUNTED + 1 }), mcpServers };
await readAll(inboard.query({ prompt: 'go', options }));
const [before, after] = taken;
if (after.collections > before.collections) throw new Error('The heap was collected while it was measured');
report({ bytes: (after.heap - before.heap) / COUNTED });
