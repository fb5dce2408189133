// Writes one example of everything that one version of the package stores and another may read, with functions it is handed: those
// of the build for the fixtures, those of the source for the tests that compare. Nothing here knows what is in a file.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The formats, and how an example of each is written to a folder. */
export const FORMATS = {
  trace: writeTraces,
  approvals: writeApprovals,
  'stored-session': writeStoredSession,
  calls: writeCalls,
};

/** Writes one format's example into a folder; gives the version of the format, as the files themselves say. */
export async function writeFormat(name, folder, inboard) {
  mkdirSync(folder, { recursive: true });
  return await FORMATS[name](folder, inboard);
}

async function writeTraces(folder, { createSdkMcpServer, run, tool, allow, testing }) {
  const shop = createSdkMcpServer({
    name: 'shop',
    tools: [tool('count', 'How many there are', { article: 'string' }, ({ article }) => `7 ${article}`)],
  });
  const { createFakeCli, text, toolUse } = testing;
  const record = async (trace) => {
    const fake = createFakeCli([toolUse('mcp__shop__count', { article: 'apples' }), text('Seven.')]);
    const options = {
      transport: fake.transport,
      mcpServers: { shop },
      canUseTool: async () => allow(),
      cwd: '/',
      trace,
    };
    await run({ prompt: 'How many apples?', options });
    await fake.close({ verify: false });
  };
  await record({ file: join(folder, 'session.jsonl') });
  // Frames that are too long, and a file that is full.
  await record({ file: join(folder, 'limits.jsonl'), maxFrameBytes: 300, maxBytes: 3000 });
  const [header = '{}'] = readFileSync(join(folder, 'session.jsonl'), 'utf8').split('\n');
  return JSON.parse(header).version;
}

async function writeApprovals(folder, { createFileApprovalStore, allow, deny }) {
  const store = createFileApprovalStore(folder);
  const sessionId = '11111111-1111-4111-8111-111111111111';
  const question = {
    kind: 'permission',
    attempt: 1,
    askedAt: 1_794_000_000_000,
    sessionId,
    toolName: 'Bash',
    input: { command: 'ls' },
    title: 'Run ls?',
    suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
  };
  await store.put({ ...question, id: 'call_open_1' });
  await store.put({ ...question, id: 'call_allowed_1', attempt: 2 });
  await store.put({
    id: 'ask_denied_1',
    kind: 'tool',
    attempt: 1,
    askedAt: 1_794_000_000_001,
    input: { amount: 40 },
  });
  const answeredAt = 1_794_000_000_500;
  await store.answer('call_allowed_1', {
    result: allow({ input: { command: 'ls -l' } }),
    answeredAt,
    by: 'ann',
  });
  await store.answer('ask_denied_1', { result: deny('Too much.'), answeredAt });
  return readVersion(join(folder, 'call_open_1.question.json'));
}

async function writeStoredSession(folder, inboard) {
  const { importSessionToStore, renameSession, tagSession, forkSession, foldSessionSummary, transcripts } =
    inboard;
  const config = join(folder, 'config');
  cpSync(transcripts, join(config, 'projects'), { recursive: true });
  const appended = [];
  const summaries = {};
  const store = {
    append: async (key, entries) => {
      appended.push({ key, entries });
      const name = key.sessionId;
      if (key.subpath === undefined)
        summaries[name] = foldSessionSummary(summaries[name], key, entries, { mtime: 1 });
    },
    load: async ({ sessionId, subpath }) => {
      const own = appended.filter(({ key }) => key.sessionId === sessionId && key.subpath === subpath);
      return own.length > 0 ? own.flatMap(({ entries }) => entries) : null;
    },
  };
  const [project = ''] = readdirSync(join(config, 'projects'));
  const [sessionId = ''] = readdirSync(join(config, 'projects', project), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const before = process.env.CLAUDE_CONFIG_DIR;
  process.env.CLAUDE_CONFIG_DIR = config;
  try {
    await importSessionToStore(sessionId, store, { projectKey: 'shop' });
  } finally {
    if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR;
    else process.env.CLAUDE_CONFIG_DIR = before;
  }
  const place = { sessionStore: store, projectKey: 'shop' };
  await renameSession(sessionId, 'A title', place);
  await tagSession(sessionId, 'ann', place);
  await forkSession(sessionId, place);
  rmSync(config, { recursive: true });
  writeFileSync(
    join(folder, 'store.json'),
    `${JSON.stringify({ sessionId, appended, summaries: Object.values(summaries) }, null, 1)}\n`,
  );
  // Entries are the CLI's, and summaries are the official SDK's: neither has a version.
  return 1;
}

async function writeCalls(folder, { createFileCallRecords }) {
  const records = createFileCallRecords({ folder });
  const call = { toolName: 'mcp__shop__pay', input: { order: 7 } };
  const paid = { content: [{ type: 'text', text: 'paid' }], isError: false };
  const at = 1_794_000_000_000;
  const facts = [
    { type: 'covers', message: '22222222-2222-4222-8222-222222222222', at },
    { type: 'begun', callKey: 'call_old', ...call, attempt: 1, owner: 'desk', at },
    { type: 'ended', callKey: 'call_old', result: paid, at },
    { type: 'covers', message: '33333333-3333-4333-8333-333333333333', at },
    {
      type: 'asked',
      callKey: 'call_1',
      toolUseId: 'toolu_1',
      ...call,
      question: {
        title: 'Pay?',
        suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
      at,
    },
    {
      type: 'answered',
      callKey: 'call_1',
      answer: { behavior: 'allow', updatedInput: { order: 8 } },
      by: 'ann',
      at,
    },
    {
      type: 'begun',
      callKey: 'call_1',
      toolUseId: 'toolu_1',
      ...call,
      ranInput: { order: 8 },
      attempt: 2,
      owner: 'desk',
      at,
    },
    { type: 'waiting', callKey: 'call_1', at },
    { type: 'working', callKey: 'call_1', at },
    { type: 'ended', callKey: 'call_1', result: paid, at },
    { type: 'withdrawn', callKey: 'call_2', at },
  ];
  for (const fact of facts) await records.add(fact);
  const claim = await records.claim({ owner: 'desk', ttlMs: 1000 });
  // The log of before and its end are part of the format, too.
  await records.compact({ claim, isDelivered: (callKey) => callKey === 'call_old', maxBytes: 1 });
  await claim.release();
  // A fact that is too long for a line is in a file of its own.
  const result = { content: [{ type: 'text', text: 'x'.repeat(300_000) }] };
  await records.add({ type: 'ended', callKey: 'call_large', result, at });
  await records.close();
  // It says which process had the claim, of a machine that is none of anybody's business.
  rmSync(join(folder, 'inboard-calls.claim'), { recursive: true });
  const lines = readFileSync(join(folder, 'inboard-calls.jsonl'), 'utf8').split('\n').filter(Boolean);
  return JSON.parse(lines[0]).v;
}

function readVersion(file) {
  return JSON.parse(readFileSync(file, 'utf8')).version ?? 0;
}
