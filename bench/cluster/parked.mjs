// Ten thousand conversations that wait for a person: what looking for work, answering and idling cost then.
import { openCounter, openScene } from './scene.mjs';
import { percentile } from '../../scripts/support/cluster-chaos/numbers.mjs';
import { setTimeout as sleep } from 'node:timers/promises';

async function inLanes(count, lanes, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) {
        const index = next;
        next += 1;
        await work(index);
      }
    }),
  );
}

/** Parks a conversation as a worker would, without a CLI. */
async function park(journal, key) {
  await journal.enqueue({ key, id: `${key}-1`, content: 'wait', start: { agent: 'desk', data: null } });
  const answer = await journal.lease(key, { owner: 'bench', ms: 60_000 });
  if (answer.state !== 'granted') throw new Error(`no lease for ${key}: ${answer.state}`);
  const { fence } = answer;
  const turn = await journal.next(fence);
  const id = `question-${key}`;
  await journal.ask(fence, turn.id, createQuestion(id, key));
  if (!(await journal.park(fence, turn.id, { questions: [id], turnCostUsd: 0 })))
    throw new Error(`${key} was not parked`);
  await journal.release(fence);
}

function createQuestion(id, key) {
  return {
    id,
    toolName: 'mcp__shop__pay',
    input: { k: key },
    title: 'Pay?',
    attempt: 1,
    askedAt: Date.now(),
  };
}

const show = (sample) =>
  `p50 ${percentile(sample, 0.5).toFixed(1)}, p99 ${percentile(sample, 0.99).toFixed(1)} ms (${sample.length})`;

/** Rows of the report. */
export async function measureParked({ services, pair, count }) {
  const scene = await openScene({ pair, services });
  const { journal, dispatcher, cluster } = scene;
  await journal.open();
  const counter = await openCounter(services.postgres);
  const startedAt = performance.now();
  await inLanes(count, 8, (index) => park(journal, `parked-${index}`));
  const made = performance.now() - startedAt;
  const worker = await cluster.work({ concurrency: 4 });
  await sleep(1000);
  const rssBefore = process.memoryUsage.rss();
  const before = await counter.statements();
  const idleMs = 10_000;
  await sleep(idleMs);
  await sleep(1000);
  const idle = ((await counter.statements()) - before) / ((idleMs + 1000) / 1000);
  const rss = (process.memoryUsage.rss() - rssBefore) / 2 ** 20;
  await worker.close();
  const due = await time(200, () => journal.due(20));
  const wake = dispatcher
    ? await time(500, (index) => dispatcher.wake(`parked-${index}`, { afterMs: 60_000 }))
    : [];
  const send = await time(300, (index) =>
    journal.enqueue({ key: `parked-${index}`, id: `later-${index}`, content: 'more' }),
  );
  const answer = await time(300, (index) =>
    journal.answer(`question-parked-${index}`, { behavior: 'deny', message: 'no' }),
  );
  await counter.close();
  await scene.close();
  return [
    [
      `${count} conversations parked through the journal`,
      `${(made / count).toFixed(1)} ms each, 8 at a time`,
      'G12',
    ],
    ['idle: statements a second of one worker', idle.toFixed(2), 'G19: 2'],
    ['idle: growth of the worker in 10 s', `${rss.toFixed(1)} MB`, 'G12: 20 MB'],
    ['due()', show(due), ''],
    ['wake()', wake.length === 0 ? 'no dispatcher of its own' : show(wake), 'G19: p99 50 ms'],
    ['enqueue()', show(send), ''],
    ['answer()', show(answer), ''],
  ];
}

async function time(count, work) {
  const sample = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await work(index);
    sample.push(performance.now() - startedAt);
  }
  return sample;
}
