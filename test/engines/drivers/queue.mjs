// A queue of one's own in PostgreSQL, with attempts of inboard/durable: what an engine has to be better than.
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { waitUntil } from '../../support/wait-until.js';
import { startPod } from '../pod-process.mjs';

const PROGRAM = fileURLToPath(new URL('../pod-queue.mjs', import.meta.url));

const TABLE = `create table if not exists jobs (
  number bigint generated always as identity primary key,
  conversation text not null, id text not null, content text not null,
  answers jsonb not null default '[]', questions jsonb not null default '[]', outcome jsonb,
  not_before timestamptz not null default now(), locked_by text, locked_until timestamptz not null default '-infinity',
  unique (conversation, id))`;

export async function start({ database, node }) {
  const pool = new Pool({ connectionString: database });
  await pool.query(TABLE);
  const read = async (field, { conversation, id }) => {
    const { rows } = await pool.query('select * from jobs where conversation = $1 and id = $2', [
      conversation,
      id,
    ]);
    return rows[0]?.[field];
  };
  return {
    startPod: (pod, plan) => startPod({ program: PROGRAM, node, name: pod, plan: { ...plan, database } }),
    send: ({ conversation, id, content }) =>
      pool.query('insert into jobs (conversation, id, content) values ($1, $2, $3) on conflict do nothing', [
        conversation,
        id,
        content,
      ]),
    questions: async (conversation, id) => (await read('questions', { conversation, id })) ?? [],
    answer: async (conversation, id, answer) => {
      const { rowCount } = await pool.query(
        `update jobs set answers = answers || $3::jsonb, not_before = now()
         where conversation = $1 and id = $2 and not answers @> $4::jsonb`,
        [conversation, id, JSON.stringify([answer]), JSON.stringify([{ id: answer.id }])],
      );
      return rowCount === 1;
    },
    outcome: async (conversation, id) => {
      await waitUntil(
        async () => (await read('outcome', { conversation, id })) != null,
        60_000,
        `the outcome of ${conversation}`,
      );
      return await read('outcome', { conversation, id });
    },
    stop: () => pool.end(),
  };
}
