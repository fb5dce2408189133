// DBOS, which has no server: workers and clients meet in its tables in PostgreSQL.
import { fileURLToPath } from 'node:url';
import { DBOSClient } from '@dbos-inc/dbos-sdk';
import { dbosTurnsClient } from 'inboard/dbos';
import { openCalls } from '../ledger-calls.mjs';
import { startPod } from '../pod-process.mjs';

const PROGRAM = fileURLToPath(new URL('../pod-dbos.mjs', import.meta.url));

export async function start({ database, node }) {
  const client = await DBOSClient.create({ systemDatabaseUrl: database, applicationName: 'engines' });
  const turns = dbosTurnsClient({ client });
  const calls = openCalls(database);
  return {
    startPod: (name, plan) => startPod({ program: PROGRAM, node, name, plan: { ...plan, database } }),
    send: (turn) => turns.send({ ...turn, agent: 'shop' }),
    questions: turns.questions,
    answer: turns.answer,
    outcome: turns.outcome,
    cancel: turns.cancel,
    pending: turns.pending,
    complete: async (conversation, id, callKey, result) => {
      await calls.complete(callKey, result);
      await turns.wake(conversation, id);
    },
    recover: turns.recover,
    isOver: async (conversation, id) => {
      const status = await client.retrieveWorkflow(turns.workflowId(conversation, id)).getStatus();
      return !['ENQUEUED', 'PENDING'].includes(status.status);
    },
    stop: async () => {
      await client.destroy();
      await calls.close();
    },
  };
}
