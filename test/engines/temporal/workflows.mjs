// The workflows of the scenes: the ready-made one, and one that runs a turn among other work of its own.
import { condition, defineUpdate, setHandler } from '@temporalio/workflow';
import { conversationWorkflow, runTurn } from 'inboard/temporal/workflow';

export { conversationWorkflow } from 'inboard/temporal/workflow';

export async function orderWorkflow({ conversation, attempts }) {
  const outcome = await runTurn(
    { conversation, agent: 'support', id: 'only', content: 'Refund order 7' },
    attempts,
  );
  return `order: ${outcome.text}`;
}

/** Two turns at the same time, of two conversations. */
export async function pairWorkflow() {
  const ask = (conversation) =>
    runTurn({ conversation, agent: 'support', id: conversation, content: 'Hello' });
  const outcomes = await Promise.all([ask('left'), ask('right')]);
  return outcomes.map(({ text }) => text);
}

/** A conversation with updates of somebody else that never end. */
export async function crowdedWorkflow(input) {
  setHandler(defineUpdate('hold'), () => condition(() => false));
  await conversationWorkflow(input);
}
