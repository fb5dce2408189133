// The workflows of the scenes: the ready-made one, and one that runs a turn among other work of its own.
import { CancellationScope, condition, defineUpdate, isCancellation, setHandler } from '@temporalio/workflow';
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

/** A turn whose people have little time. */
export async function hastyWorkflow() {
  const ask = () => runTurn({ conversation: 'hasty', agent: 'support', id: 'only', content: 'Hello' });
  try {
    return (await CancellationScope.withTimeout(300, ask)).text;
  } catch (error) {
    if (!isCancellation(error)) throw error;
    // The rest of the workflow is not cancelled.
    const next = { conversation: 'hasty', agent: 'support', id: 'next', content: 'They are late.' };
    return (await runTurn(next)).text;
  }
}

/** A conversation with updates of somebody else that never end. */
export async function crowdedWorkflow(input) {
  setHandler(defineUpdate('hold'), () => condition(() => false));
  await conversationWorkflow(input);
}
