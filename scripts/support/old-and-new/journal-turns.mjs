// Conversations of a cluster in PostgreSQL that one package leaves and another goes on with: one that was answered, one that waits for a
// person without a CLI, and one that no worker has begun.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FAKE_CLI = fileURLToPath(new URL('../cluster-chaos/programs/fake-cli.cjs', import.meta.url));
/** No wait of a run takes longer; a promise that was broken is then told by its name. */
const LIMIT_MS = 30_000;

const messageOf = (k, n, ask = false) => `chaos ${JSON.stringify({ k, n, calls: 1, ask, ms: 1 })}`;

/** Leaves the three conversations, with names that begin with `prefix`. */
export async function leaveConversations(inboard, place, prefix) {
  await withCluster(inboard, place, async ({ cluster, work }) => {
    const worker = await work();
    const done = await send(cluster, `${prefix}-done`, 1);
    await outcomeOf(done);
    const asked = await send(cluster, `${prefix}-asked`, 1, true);
    await untilParked(asked);
    await worker.close();
    await send(cluster, `${prefix}-kept`, 1);
  });
}

/** Reads what another package left, answers, works, and sends each conversation one more message; gives what it saw. */
export async function goOnWith(inboard, place, prefix) {
  const seen = {};
  await withCluster(inboard, place, async ({ cluster, work, journal, ran }) => {
    const names = ['done', 'asked', 'kept'];
    seen.found = await Promise.all(
      names.map(async (name) => {
        const turns = await cluster.conversation(`${prefix}-${name}`).turns();
        return turns.map(({ id, state, outcome }) => ({ id, state, text: outcome?.text }));
      }),
    );
    const open = (await cluster.approvals.list({ conversation: `${prefix}-asked` })).filter(
      ({ answer }) => answer === undefined,
    );
    seen.asked = open.map(({ toolName, input }) => ({ toolName, input }));
    for (const { id } of open) await cluster.approvals.answer(id, inboard.allow(), 'ann');
    const worker = await work();
    seen.outcomes = [];
    for (const name of names) {
      const key = `${prefix}-${name}`;
      seen.outcomes.push(await outcomeOf(cluster.conversation(key).turn(`${key}-1`)));
      seen.outcomes.push(await outcomeOf(await send(cluster, key, 2)));
    }
    await worker.close();
    seen.transcripts = [];
    for (const name of names) {
      const { sessionId } = await cluster.conversation(`${prefix}-${name}`).info();
      const entries = await journal.store().load({ projectKey: 'inboard-cluster', sessionId });
      seen.transcripts.push(describeTranscript(entries));
    }
    seen.ran = ran.sort();
  });
  return seen;
}

/** What must be seen by every package of what any package left. */
export function journalMeaning(prefix) {
  const keys = ['done', 'asked', 'kept'].map((name) => `${prefix}-${name}`);
  return {
    found: [
      [{ id: `${keys[0]}-1`, state: 'ended', text: `done ${keys[0]} 1` }],
      [{ id: `${keys[1]}-1`, state: 'parked' }],
      [{ id: `${keys[2]}-1`, state: 'queued' }],
    ],
    asked: [{ toolName: 'mcp__shop__pay', input: { k: keys[1], n: 1, call: 0 } }],
    outcomes: keys.flatMap((key) => [`done ${key} 1`, `done ${key} 2`]),
    // Each message and each answer is there once, whatever an interruption added between them.
    transcripts: keys.map((key) => ({
      isTwice: false,
      said: [messageOf(key, 1, key === keys[1]), `done ${key} 1`, messageOf(key, 2), `done ${key} 2`],
    })),
    // No call was run twice, and none was lost.
    ran: [`${keys[0]} 2`, `${keys[1]} 1`, `${keys[1]} 2`, `${keys[2]} 1`, `${keys[2]} 2`].sort(),
  };
}

/** What was said in a transcript, without calls and what a CLI adds to go on; and whether an entry is there twice. */
function describeTranscript(entries) {
  const ids = entries.map(({ uuid }) => uuid).filter(Boolean);
  const said = entries
    .filter(({ type, isMeta }) => (type === 'user' || type === 'assistant') && isMeta !== true)
    .map(({ message: { content } }) =>
      typeof content === 'string'
        ? content
        : content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    )
    .filter((text) => /^(?:chaos|done) /.test(text));
  return { isTwice: new Set(ids).size < ids.length, said };
}

async function withCluster(inboard, { connectionString, schema, folder }, action) {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const ran = [];
  const { createSdkMcpServer, tool } = inboard;
  const describe = (name) =>
    tool({
      name,
      description: `Does the ${name}`,
      inputSchema: { k: 'string', n: 'number', call: 'number' },
      onRepeat: inboard.onRepeat,
      run({ k, n, call }) {
        ran.push(`${k} ${n}`);
        return `did ${k} ${n} ${call}`;
      },
    });
  const desk = () => ({
    pathToClaudeCodeExecutable: FAKE_CLI,
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH },
    allowedTools: ['mcp__shop__work'],
    mcpServers: {
      shop: createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: ['work', 'pay'].map(describe) }),
    },
  });
  const journal = inboard.postgres.postgresJournal({ connectionString, schema });
  const cluster = inboard.cluster.createCluster({ agents: { desk }, journal });
  const work = () => cluster.work({ [inboard.suspendOption]: 20, keepWarmMs: 0, sweepMs: 200 });
  try {
    await action({ cluster, work, journal, ran });
  } finally {
    await cluster.close();
  }
}

async function send(cluster, key, n, ask) {
  const conversation = cluster.conversation(key, { agent: 'desk', data: null });
  return await conversation.send(messageOf(key, n, ask), { id: `${key}-${n}` });
}

async function outcomeOf(turn) {
  const outcome = await turn.outcome({ signal: AbortSignal.timeout(LIMIT_MS) });
  return outcome.text ?? outcome;
}

async function untilParked(turn) {
  const signal = AbortSignal.timeout(LIMIT_MS);
  while ((await turn.state()) !== 'parked') {
    signal.throwIfAborted();
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
