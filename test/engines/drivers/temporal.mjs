// Temporal: a conversation is a workflow, an attempt an activity. INBOARD_TEMPORAL_ADDRESS names a server (`temporal server start-dev`).
// Without it, the scenes run on the stand-in of this folder, which speaks the server's protocol to the real SDK; that is no proof for
// a real server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { conversationClient } from 'inboard/temporal';
import { openCalls } from '../ledger-calls.mjs';
import { startPod } from '../pod-process.mjs';
import { startStandIn } from '../temporal/stand-in-server.mjs';

const PROGRAM = fileURLToPath(new URL('../pod-temporal.mjs', import.meta.url));
const WORKFLOWS = fileURLToPath(new URL('../temporal/workflows.mjs', import.meta.url));

/** The server for the page's code and the example, with the variable that names it to them. */
export async function openForPage() {
  const named = process.env.INBOARD_TEMPORAL_ADDRESS;
  const standIn = named ? undefined : await startStandIn();
  return { env: { TEMPORAL_ADDRESS: named ?? standIn.address }, close: () => standIn?.close() };
}

export async function start({ database, folder, node }) {
  const named = process.env.INBOARD_TEMPORAL_ADDRESS;
  console.log(
    named
      ? `temporal: the server at ${named}`
      : 'temporal: not run on a server, none is named; on a stand-in for one',
  );
  const standIn = named ? undefined : await startStandIn();
  const address = named ?? standIn.address;
  const { code } = await bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: new DefaultLogger('ERROR') });
  const codePath = join(folder, 'workflows.js');
  writeFileSync(codePath, code);
  const taskQueue = `agents-${process.pid}`;
  const connection = await Connection.connect({ address });
  const conversations = conversationClient({
    client: new Client({ connection }),
    taskQueue,
    idPrefix: `${taskQueue}-`,
    attempts: {
      heartbeatTimeout: '3 seconds',
      retry: { initialInterval: '1 second', maximumInterval: '2 seconds' },
    },
  });
  const calls = openCalls(database);
  const temporal = { address, taskQueue, codePath, isStandIn: !named };
  return {
    startPod: (name, plan) =>
      startPod({ program: PROGRAM, node, name, plan: { ...plan, database, temporal } }),
    send: (turn) => conversations.send({ ...turn, agent: 'support' }),
    questions: (conversation) => conversations.questions(conversation),
    // No worker may be there to check it.
    answer: (conversation, _id, answer) => conversations.postAnswer(conversation, answer),
    outcome: (conversation, id) => conversations.outcome(conversation, id),
    cancel: (conversation, id) => conversations.stop(conversation, id),
    pending: (conversation) => conversations.pending(conversation),
    complete: async (conversation, _id, callKey, result) => {
      await calls.complete(callKey, result);
      await conversations.wake(conversation);
    },
    stop: async () => {
      await calls.close();
      await connection.close();
      standIn?.close();
    },
  };
}
