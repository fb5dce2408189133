// inboard/cluster itself, on PostgreSQL.
import { fileURLToPath } from 'node:url';
import { createCluster } from 'inboard/cluster';
import { postgresJournal } from 'inboard/cluster/postgres';
import { startPod } from '../pod-process.mjs';

const PROGRAM = fileURLToPath(new URL('../pod-cluster.mjs', import.meta.url));

export async function start({ database, node }) {
  const journal = postgresJournal(database);
  const cluster = createCluster({ agents: { shop: () => ({}) }, journal });
  const openConversation = (key) => cluster.conversation(key, { agent: 'shop' });
  // The tables are there before a worker is killed.
  await journal.open();
  return {
    startPod: (name, plan) => startPod({ program: PROGRAM, node, name, plan: { ...plan, database } }),
    send: async ({ conversation, id, content }) => {
      await openConversation(conversation).send(content, { id });
    },
    questions: async (conversation) =>
      (await journal.questions({ key: conversation })).filter(({ kind }) => kind !== 'pending'),
    answer: (_conversation, _turn, { id, result, by }) => cluster.approvals.answer(id, result, { by }),
    outcome: async (conversation, id) => {
      const turn = await openConversation(conversation).turn(id);
      return await turn.outcome();
    },
    cancel: (conversation) => openConversation(conversation).interrupt(),
    pending: async (conversation) => {
      const questions = await journal.questions({ key: conversation });
      return questions.flatMap(({ pending }) => pending ?? []);
    },
    complete: (_conversation, _turn, callKey, result) => cluster.calls.complete(callKey, result),
    stop: () => cluster[Symbol.asyncDispose](),
  };
}
