// The person of a chaos run: answers each question after a while, from a process that knows no agent; may die between the
// commit of an answer and its wake.
import { setTimeout as sleep } from 'node:timers/promises';
import { openNotes } from '../notes.mjs';
import { openPair } from '../pair.mjs';
import { createPoints } from '../points.mjs';
import { createRandom } from '../random.mjs';

const plan = JSON.parse(process.env.CHAOS_PLAN);
const note = openNotes(plan.notes, plan.name);
const points = createPoints(note);
const random = createRandom(plan.seed);
const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
const { allow } = await import(`${plan.entryPoints}/index.js`);
const pair = await openPair(plan);
const cluster = createCluster({
  agents: { desk: () => ({}) },
  ...(pair.journal && { journal: points.around(pair.journal) }),
  ...(pair.dispatcher && { dispatcher: points.around(pair.dispatcher) }),
});
process.on('message', ({ arm }) => points.arm(arm));

const seen = new Set();
async function answer({ id, conversation, turn }) {
  await sleep(random.between(0, plan.answerMs));
  for (;;) {
    try {
      const taken = await cluster.approvals.answer(id, allow(), 'chaos');
      note('answered', { id, conversation, turn, taken });
      return;
    } catch (error) {
      note('answer-failed', { id, error: String(error) });
      await sleep(200);
    }
  }
}

process.send?.({ ready: true });
// Lists the questions repeatedly, as a page of approvals would, so that a question is answered even if its notification was lost.
for (;;) {
  const open = await cluster.approvals
    .list()
    .catch((error) => (note('list-failed', { error: String(error) }), []));
  for (const question of open) {
    if (seen.has(question.id)) continue;
    seen.add(question.id);
    note('seen', { id: question.id, conversation: question.conversation });
    void answer(question);
  }
  await sleep(50);
}
