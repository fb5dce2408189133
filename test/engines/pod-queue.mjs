// A worker of a queue as a program of its own may have it: a table of jobs, `for update skip locked`, a lock with a time limit that is
// renewed while an attempt runs, and `attemptTurn` of inboard/durable.
import { attemptTurn } from 'inboard/durable';
import { Pool } from 'pg';
import { createAgent, openLedger, plan, tell, tellMessage } from './pod-parts.mjs';

const LOCK_SECONDS = 2;
const pool = new Pool({ connectionString: plan.database });
const ledger = openLedger();
const agent = createAgent();

const TAKE = `update jobs set locked_by = $1, locked_until = now() + interval '${LOCK_SECONDS} s'
  where number = (select j.number from jobs j where j.outcome is null and j.not_before <= now() and j.locked_until <= now()
    and not exists (select from jobs o where o.conversation = j.conversation and o.number < j.number and o.outcome is null)
    order by j.number limit 1 for update skip locked)
  returning *`;
const RENEW = `update jobs set locked_until = now() + interval '${LOCK_SECONDS} s' where number = $1 and locked_by = $2`;
// An answer that came during the attempt lets the next one begin at once.
const PUT_AWAY = `update jobs set questions = $3, locked_until = '-infinity', not_before = case
    when jsonb_array_length(answers) > $4 then now() else now() + $5 * interval '1 ms' end
  where number = $1 and locked_by = $2`;
const END = `update jobs set outcome = $3, questions = '[]' where number = $1 and locked_by = $2 and outcome is null`;

async function work(job) {
  const lock = [job.number, plan.name];
  const { conversation, answers, content } = job;
  const renewing = setInterval(() => void pool.query(RENEW, lock).catch(() => {}), (LOCK_SECONDS * 1000) / 4);
  try {
    const turn = { id: job.id, content };
    const end = await attemptTurn({
      ledger,
      conversation,
      turn,
      agent,
      answers,
      suspendAfterMs: plan.suspendAfterMs,
      onMessage: (message) => tellMessage(message, job),
    });
    tell({ end: end.state });
    if (end.state === 'ended') await pool.query(END, [...lock, end.outcome]);
    else {
      const waitMs = { waiting: 60_000, busy: (end.until ?? 0) - Date.now(), lost: 1000 }[end.state];
      await pool.query(PUT_AWAY, [
        ...lock,
        JSON.stringify(end.questions ?? []),
        answers.length,
        Math.max(0, waitMs),
      ]);
    }
  } catch (error) {
    tell({ error: String(error?.stack ?? error) });
    await pool.query(PUT_AWAY, [...lock, '[]', answers.length, 500]);
  } finally {
    clearInterval(renewing);
  }
}

tell({ ready: process.pid });
for (;;) {
  const { rows } = await pool.query(TAKE, [plan.name]);
  if (rows[0]) await work(rows[0]);
  else await new Promise((resolve) => setTimeout(resolve, 100));
}
