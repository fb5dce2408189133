// The workflows of the scenes: the ready-made one, and one that runs a turn among other work of its own.
import { runTurn } from 'inboard/temporal/workflow';

export { conversationWorkflow } from 'inboard/temporal/workflow';

export async function orderWorkflow({ conversation, attempts }) {
  const outcome = await runTurn(
    { conversation, agent: 'support', id: 'only', content: 'Refund order 7' },
    attempts,
  );
  return `order: ${outcome.text}`;
}
