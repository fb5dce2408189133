// A worker of a chaos run: works until it is told to end, or dies where the run has armed it to.
import { setTimeout as sleep } from 'node:timers/promises';
import { createChaosAgents, createEffects } from '../chaos-agents.mjs';
import { openNotes } from '../notes.mjs';
import { openPair } from '../pair.mjs';
import { createPoints } from '../points.mjs';

const plan = JSON.parse(process.env.CHAOS_PLAN);
const note = openNotes(plan.notes, plan.name);
const points = createPoints(note);
const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);

const begun = new Set();
function onCall(name, args, result, ms) {
  if (name === 'beginCall') {
    begun.add(args[1].callKey);
    note('begin-call', { callKey: args[1].callKey, epoch: args[0].epoch, state: result.state, ms });
  } else if (name === 'endCall') note('end-call', { callKey: args[1], epoch: args[0].epoch });
  else if (name === 'finish') note('finish', { key: args[0].key, turn: args[1], epoch: args[0].epoch, ms });
  else if (name === 'lease' || name === 'renew') note('journal', { name, ms });
}

const pair = await openPair(plan);
const effects = plan.postgres ? await createEffects(plan) : undefined;
const agents = await createChaosAgents({
  entryPoints: plan.entryPoints,
  options: plan.options,
  version: plan.version ?? 1,
  toolMs: plan.toolMs,
  onRepeat: plan.onRepeat,
  note,
  points,
  hasRow: (callKey) => begun.has(callKey),
  writeEffect: effects && ((effect) => effects.write(effect)),
});
const cluster = createCluster({
  agents,
  ...(pair.journal && { journal: points.around(pair.journal, onCall) }),
  ...(pair.dispatcher && { dispatcher: points.around(pair.dispatcher) }),
});
/** The tables are for newer code. A supervisor that reads the exit code does not start this version again. */
function endOutdated(when) {
  note('outdated', { when });
  process.exit(78);
}

/** A worker that is started while the database is away tries again, as its supervisor would. */
async function startWorking(options) {
  for (;;) {
    try {
      return await cluster.work(options);
    } catch (error) {
      if (error.code === 'JOURNAL_VERSION') endOutdated('at its start');
      if (error.retryable !== true) throw error;
      note('start-failed', { error: String(error) });
      await sleep(200);
    }
  }
}

const worker = await startWorking({
  ...plan.work,
  name: plan.name,
  onEvent(event) {
    const error =
      event.error === undefined ? {} : { error: String(event.error?.stack ?? event.error).slice(0, 600) };
    note('event', { ...event, ...error });
    points.reach(`event ${event.type}`);
  },
});
process.on('message', ({ arm }) => points.arm(arm));
process.on('unhandledRejection', (error) => {
  note('unhandled', { error: String(error?.stack ?? error) });
  process.exit(70);
});
const untilSignal = worker.untilSignal();
// Reported only once the worker listens, because the test may tell a new worker to end at once.
process.send?.({ ready: true, rss: process.memoryUsage.rss() });
await untilSignal.catch((error) => {
  if (error.code !== 'JOURNAL_VERSION') throw error;
  endOutdated('while it worked');
});
note('drained');
await cluster[Symbol.asyncDispose]();
await effects?.close();
note('closed');
process.disconnect?.();
