// Plays one cell: starts a host, lets it die where the cell says, starts the next one, and answers questions from this process. Gives what
// was written down, without a judgement.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { giveTime, isRunning } from '../processes.mjs';
import { findTranscript, hasCalls } from './find-transcript.mjs';
import { answerQuestions } from './person.mjs';
import { planLives } from './table.mjs';

const FAKE_CLI = fileURLToPath(
  new URL('../../../scripts/support/cluster-chaos/programs/fake-cli.cjs', import.meta.url),
);
/** A cell in which nothing was written down for so long hangs. It does not matter how long a whole one takes on a busy machine. */
const STILL_MS = 90_000;
/** A cell that goes round in circles writes for ever. */
const LIMIT_MS = 300_000;
const ORPHANS_MS = 20_000;

/** Plays a cell in a folder of its own. `postgres` is the address of a database that no other cell uses at the moment; `real` gives what a cell on a real CLI needs. */
export async function playCell(cell, { entryPoints, folder, postgres, real, wrong }) {
  mkdirSync(folder, { recursive: true });
  const plan = createPlan(cell, { entryPoints, folder, postgres, real, wrong });
  const stage = { plan, life: 0, host: undefined, note: openNotes(plan) };
  const stopWatching = watchForStillness(plan, (error) => {
    stage.isLate = true;
    stage.note('failed', { error });
    stage.host?.child.kill('SIGKILL');
  });
  try {
    if (cell.records === 'postgres') await playWorkers(stage);
    else if (cell.records === 'file') await playHosts(stage);
    else await runHost(stage, 'memory-host.mjs', { kills: plan.kills });
  } finally {
    stopWatching();
    stage.host?.child.kill('SIGKILL');
  }
  await noteOrphans(stage);
  const requests = real ? real.requests() : readLines(plan.files.requests);
  return {
    name: cell.name,
    notes: readLines(plan.files.notes),
    effects: readLines(plan.files.effects),
    requests,
  };
}

function createPlan(cell, { entryPoints, folder, postgres, real, wrong }) {
  const files = Object.fromEntries(
    ['notes', 'effects', 'requests', 'approvals'].map((name) => [name, join(folder, name)]),
  );
  const facts = { k: 'a', n: 1, calls: cell.calls, together: true, ms: 1 };
  const fake = {
    pathToClaudeCodeExecutable: FAKE_CLI,
    claudeCodeVersion: '2.1.325',
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CLAUDE_CONFIG_DIR: join(folder, 'config'),
      FAULTS_REQUESTS: files.requests,
      ...(cell.lastWords && { FAULTS_LAST_WORDS: '1' }),
    },
  };
  return {
    cell,
    entryPoints,
    postgres,
    files,
    wrong,
    kills: planLives(cell),
    options: real?.options ?? fake,
    sessionId: randomUUID(),
    message: {
      type: 'user',
      parent_tool_use_id: null,
      uuid: randomUUID(),
      message: { role: 'user', content: `chaos ${JSON.stringify(facts)}` },
    },
  };
}

/** Tells once that a cell hangs, and why that is thought. */
function watchForStillness({ files }, tell) {
  const begunAt = performance.now();
  let writtenAt = begunAt;
  let size = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const written = existsSync(files.notes) ? statSync(files.notes).size : 0;
    if (written !== size) writtenAt = now;
    size = written;
    const isStill = now - writtenAt > STILL_MS;
    if (!isStill && now - begunAt <= LIMIT_MS) return;
    clearInterval(timer);
    tell(isStill ? `nothing happened for ${STILL_MS / 1000} s` : `not over after ${LIMIT_MS / 1000} s`);
  }, 500);
  return () => clearInterval(timer);
}

function openNotes({ files }) {
  return (kind, facts = {}) => appendFileSync(files.notes, `${JSON.stringify({ kind, ...facts })}\n`);
}

function readLines(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        // The end, or what a process was killed within.
        return [];
      }
    });
}

function startHost({ plan }, program, more) {
  // The person strikes where the cell is about the answer.
  const env = {
    ...process.env,
    CALL_FAULTS_PLAN: JSON.stringify({ ...plan, ...more }),
    INBOARD_CACHE: 'off',
  };
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url))], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  return { child, exited };
}

async function runHost(stage, program, more) {
  stage.life += 1;
  stage.host = startHost(stage, program, more);
  return await stage.host.exited;
}

/** What the person does to the host under way. */
function createHands(stage) {
  const { plan } = stage;
  const target = plan.kills.length;
  return {
    plan,
    note: stage.note,
    lives: () => stage.life,
    isWaiting: () => {
      const notes = readLines(plan.files.notes).filter(({ life }) => life === target);
      const asked = notes.filter(({ kind, point }) => kind === 'asking' || point === 'question stored');
      return new Set(asked.map(({ call }) => call)).size >= plan.cell.calls;
    },
    freeze: () => stage.host.child.kill('SIGSTOP'),
    strike: async () => {
      // A real CLI may need a moment to write down what the model said.
      if (plan.cell.records === 'file') await giveTime(() => hasCalls(plan), 5000);
      stage.host.child.kill('SIGKILL');
      await stage.host.exited;
    },
  };
}

async function playHosts(stage) {
  const { plan } = stage;
  const sdk = await import(`${plan.entryPoints}/index.js`);
  const approvals = sdk.createApprovals({ store: sdk.createFileApprovalStore(plan.files.approvals) });
  const person = answerQuestions({ ...createHands(stage), approvals });
  try {
    for (const kill of plan.kills) {
      const { signal } = await runHost(stage, 'file-host.mjs', { life: stage.life + 1, kill });
      if (signal !== 'SIGKILL' || stage.isLate) return;
      await awaitTranscript(plan);
    }
    await playLast(stage);
  } finally {
    await person.stop();
    approvals.close();
  }
}

/** A life that is not killed. There may be two at the same time. */
async function playLast(stage) {
  const life = stage.life + 1;
  if (stage.plan.cell.point !== 'two hosts') {
    await runHost(stage, 'file-host.mjs', { life });
    return;
  }
  const rival = startHost(stage, 'file-host.mjs', { life: life + 1, rival: life });
  await Promise.all([runHost(stage, 'file-host.mjs', { life, rival: life + 1 }), rival.exited]);
}

/** A supervisor that starts the next host at once may be quicker than a CLI that has its first message and no file yet. */
async function awaitTranscript(plan) {
  const pids = readLines(plan.files.notes).flatMap(({ cli }) => cli ?? []);
  await giveTime(() => findTranscript(plan) !== undefined || !pids.some(isRunning), ORPHANS_MS);
}

async function playWorkers(stage) {
  const { plan, note } = stage;
  const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
  const { postgresJournal } = await import(`${plan.entryPoints}/cluster-postgres.js`);
  const cluster = createCluster({ agents: { desk: () => ({}) }, journal: postgresJournal(plan.postgres) });
  const approvals = {
    list: () => cluster.approvals.list(),
    answer: (id, result, { by }) => cluster.approvals.answer(id, result, by),
  };
  const person = answerQuestions({ ...createHands(stage), approvals });
  try {
    const turn = await cluster
      .conversation(plan.sessionId, { agent: 'desk' })
      .send(plan.message.message.content, { id: plan.message.uuid });
    const ended = turn.outcome().then((outcome) => {
      note('outcome', { text: outcome.text, completed: outcome.completedCalls });
      return { isOver: true };
    });
    ended.catch(() => {});
    for (const kill of [...plan.kills, undefined]) {
      const end = await Promise.race([
        ended,
        runHost(stage, 'worker-host.mjs', { life: stage.life + 1, kill }),
      ]);
      if (end.isOver || end.signal !== 'SIGKILL' || stage.isLate) break;
      await endLease(plan);
    }
  } finally {
    await person.stop();
    stage.host?.child.kill('SIGKILL');
    await cluster[Symbol.asyncDispose]();
  }
}

/** The lease of a worker that was killed runs out, without a wait. */
async function endLease({ postgres, sessionId }) {
  const { Client } = await import('pg');
  const client = new Client(postgres);
  await client.connect();
  try {
    await client.query(
      'update inboard.conversations set lease_until = clock_timestamp() where key = $1 and owner is not null',
      [sessionId],
    );
  } finally {
    await client.end();
  }
}

/** No CLI outlives its host. */
async function noteOrphans({ plan, note }) {
  const pids = readLines(plan.files.notes).flatMap(({ cli }) => cli ?? []);
  await giveTime(() => !pids.some(isRunning), ORPHANS_MS);
  for (const cli of pids.filter(isRunning)) note('left', { cli });
}
