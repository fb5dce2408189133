// Takes up a turn again that has failed. Its workflow goes back to the step that failed, under the same id, so that answers which people
// gave before are kept. What the CLI and the tools did before is in the ledger.
import { readKeptAnswer, sendAnswer, type TurnPlace } from './keep-answer.js';
import { nameAnswer } from './turn-messages.js';

/** Returns false if the turn has not failed. */
export async function retryTurn(
  { calls, queue, workflow }: TurnPlace,
  conversation: string,
): Promise<boolean> {
  const readStatus = async (): Promise<string | undefined> =>
    (await calls.retrieveWorkflow(workflow).getStatus())?.status;
  const status = await readStatus();
  if (status === 'MAX_RECOVERY_ATTEMPTS_EXCEEDED') {
    await calls.resumeWorkflows([workflow], { queueName: queue });
    return true;
  }
  if (status !== 'ERROR') return false;
  const steps = await calls.listWorkflowSteps(workflow);
  const failed = steps?.findLast(({ error }) => error !== null);
  try {
    await calls.rewindWorkflow(workflow, {
      // Without a failed step, the workflow is replayed from its start. Its attempts then find in the ledger what was done.
      startStep: failed?.functionID ?? 0,
      queueName: queue,
      queuePartitionKey: conversation,
      ...(calls.applicationVersion !== undefined && { applicationVersion: calls.applicationVersion }),
    });
  } catch (error) {
    // Another call was faster.
    if ((await readStatus()) !== 'ERROR') return false;
    throw error;
  }
  return true;
}

/** Sends answers again that came while the attempt failed: DBOS drops messages that no step had taken. */
export async function sendKeptAnswers({ calls, workflow, waiting }: TurnPlace): Promise<void> {
  for (const { id } of waiting?.questions ?? []) {
    const kept = await readKeptAnswer(calls, workflow, nameAnswer(id, waiting?.askings?.[id] ?? 0));
    if (kept) await sendAnswer(calls, kept);
  }
}
