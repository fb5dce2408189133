// The sender of a chaos run: keeps messages, some of them twice, some before the one before was answered. Its conversations are in
// as many parts as `plan.parts`; it sends the first one at once, and each other one when it is told to. Never starts a CLI.
import { setTimeout as sleep } from 'node:timers/promises';
import { openNotes } from '../notes.mjs';
import { openPair } from '../pair.mjs';
import { createRandom } from '../random.mjs';

const plan = JSON.parse(process.env.CHAOS_PLAN);
const note = openNotes(plan.notes, plan.name);
const random = createRandom(plan.seed);
const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
const pair = await openPair(plan);
const cluster = createCluster({ agents: { desk: () => ({}) }, ...pair });

/** Until it is kept: a database that is away is no reason to lose a message. */
async function keepSending(conversation, text, id) {
  for (;;) {
    try {
      return await conversation.send(text, { id });
    } catch (error) {
      note('send-failed', { id, error: String(error) });
      await sleep(200);
    }
  }
}

async function converse(key, waits, twice) {
  const conversation = cluster.conversation(key, { agent: 'desk', data: { key } });
  for (let n = 1; n <= plan.turns; n += 1) {
    const facts = { k: key, n, calls: n === 3 ? 2 : 1, ask: n === 2, ms: plan.modelMs };
    const text = `chaos ${JSON.stringify(facts)}`;
    const id = `${key}-${n}`;
    const turn = await keepSending(conversation, text, id);
    note('sent', { key, id });
    if (twice) await keepSending(conversation, text, id);
    if (waits) await turn.outcome().catch((error) => note('outcome-failed', { id, error: String(error) }));
  }
}

const parts = Array.from({ length: plan.parts }, () => {
  const part = {};
  part.begun = new Promise((resolve) => (part.begin = resolve));
  return part;
});
process.on('message', ({ part }) => parts[part].begin());
parts[0].begin();
const plans = Array.from({ length: plan.conversations }, (_, index) => ({
  key: `c${index}`,
  part: parts[Math.floor((index * plan.parts) / plan.conversations)],
  waits: random.chance(0.4),
  twice: random.chance(0.15),
}));
// A few at a time: the journal is not what is to be overrun.
const lanes = Array.from({ length: 16 }, (_, lane) => plans.filter((__, index) => index % 16 === lane));
const waiting = [];
await Promise.all(
  lanes.map(async (lane) => {
    for (const { key, part, waits, twice } of lane) {
      await part.begun;
      const done = converse(key, waits, twice);
      if (waits) waiting.push(done);
      else await done;
    }
  }),
);
process.send?.({ sent: true });
await Promise.all(waiting);
note('all-sent');
await cluster[Symbol.asyncDispose]();
process.disconnect?.();
