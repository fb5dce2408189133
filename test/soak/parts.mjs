// The parts of the soak: each does the same work over and over, and measures what the process holds in between.
// A part that fails ends its process, so nothing is cleaned up on that way. Every part is `async ({ scale, inboard, testing, gauge }) => units of work done`, and runs in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';

const CALL = 'mcp__shop__count';
const MODEL = fileURLToPath(new URL('model.mjs', import.meta.url));

function makeShop({ createSdkMcpServer, tool }, run = ({ article }) => `7 ${article}`) {
  return createSdkMcpServer({
    name: 'shop',
    tools: [tool('count', 'How many there are', { article: 'string' }, run)],
  });
}

async function dispose(resource) {
  await resource[Symbol.asyncDispose]();
}

function expectText(text, expected) {
  if (text !== expected)
    throw new Error(`Got ${JSON.stringify(text)} instead of ${JSON.stringify(expected)}.`);
}

/** Queries one after the other, in memory, each with a tool call, a hook and a permission question. */
async function queries({ scale, inboard, testing, gauge }) {
  const total = Math.ceil(10_000 * scale);
  const host = new AbortController();
  gauge.watch(host.signal);
  for (let done = 1; done <= total; done += 1) {
    const fake = testing.createFakeCli([
      testing.toolUse(CALL, { article: 'apples' }),
      testing.text('Seven.'),
    ]);
    const { text } = await inboard.run({
      prompt: 'How many?',
      options: {
        transport: fake.transport,
        abortController: host,
        mcpServers: { shop: makeShop(inboard) },
        canUseTool: async () => inboard.allow(),
        hooks: { PreToolUse: [{ hooks: [async () => ({})] }] },
      },
    });
    expectText(text, 'Seven.');
    await dispose(fake);
    if (done % Math.ceil(total / 20) === 0) await gauge.take(done);
  }
  return total;
}

/** Five hundred conversations at once, in memory, on one shared server; opened, used and closed in rounds. */
async function concurrent({ scale, inboard, testing, gauge }) {
  const width = Math.ceil(500 * Math.min(1, scale * 10));
  const rounds = Math.max(5, Math.ceil(20 * scale));
  const shop = makeShop(inboard);
  const host = new AbortController();
  gauge.watch(host.signal);
  for (let round = 1; round <= rounds; round += 1) {
    const talks = Array.from({ length: width }, async (_, index) => {
      const fake = testing.createFakeCli([
        testing.toolUse(CALL, { article: `a${index}` }),
        ({ answer }) => testing.text(answer.text),
        testing.text('Bye.'),
      ]);
      const session = inboard.openSession({
        options: {
          transport: fake.transport,
          abortController: host,
          mcpServers: { shop },
          allowedTools: [CALL],
        },
      });
      expectText(await session.send('How many?').text(), `7 a${index}`);
      expectText(await session.send('Thanks.').text(), 'Bye.');
      await session.close();
      await dispose(fake);
    });
    await Promise.all(talks);
    await gauge.take(round * width);
  }
  return rounds * width;
}

/** Sixty real child processes at once, some of which crash or are closed while a tool runs. */
async function children({ scale, inboard, testing, gauge }) {
  const width = Math.ceil(60 * Math.min(1, scale * 10));
  const rounds = Math.max(5, Math.ceil(20 * scale));
  for (let round = 1; round <= rounds; round += 1) {
    // New ones for each round: a fake remembers every line of its sessions, for the test that made it.
    const fakes = {
      answers: testing.createFakeCli(() => [callShop(testing), testing.text('Seven.')]),
      crashes: testing.createFakeCli(() => [callShop(testing), testing.crash({ code: 3 })]),
      waits: testing.createFakeCli(() => [callShop(testing), testing.text('Late.')], { allowEarlyEnd: true }),
    };
    const programs = {};
    for (const [name, fake] of Object.entries(fakes)) programs[name] = await fake.executable();
    await Promise.all(Array.from({ length: width }, (_, index) => askChild({ index, inboard, programs })));
    for (const fake of Object.values(fakes)) await dispose(fake);
    await gauge.take(round * width);
  }
  return rounds * width;
}

function callShop({ toolUse }) {
  return toolUse(CALL, { article: 'pears' });
}

async function askChild({ index, inboard, programs }) {
  const kind = ['answers', 'crashes', 'waits'][index % 3];
  const called = withResolvers();
  const run = kind === 'waits' ? () => (called.resolve(), new Promise(() => {})) : () => '7';
  const q = inboard.query({
    prompt: 'How many?',
    options: {
      pathToClaudeCodeExecutable: programs[kind],
      mcpServers: { shop: makeShop(inboard, run) },
      allowedTools: [CALL],
    },
  });
  if (kind === 'waits') void called.promise.then(() => q.close());
  try {
    for await (const message of q) void message;
    if (kind === 'crashes') throw new Error('The crash was not reported.');
  } catch (error) {
    if (kind !== 'crashes' || error.code !== 'PROCESS_EXITED') throw error;
  }
}

function withResolvers() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

/** An hour of virtual time: conversations whose questions a person answers after 5 to 120 seconds. */
async function people({ scale, inboard, testing, gauge }) {
  const wait = setImmediate;
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let now = 0;
  performance.now = () => now;
  const pass = async (ms) => {
    for (let left = ms; left > 0; left -= 250) {
      now += Math.min(250, left);
      mock.timers.tick(Math.min(250, left));
      await new Promise((resolve) => void wait(resolve));
    }
  };
  const end = 3_600_000 * scale;
  const approvals = inboard.createApprovals({ keepAnsweredMs: 60_000 });
  let done = 0;
  let seed = 1;
  const chance = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const talk = async () => {
    while (performance.now() < end) {
      const fake = testing.createFakeCli([
        testing.toolUse(CALL, { article: 'plums' }),
        testing.text('Done.'),
      ]);
      const asked = inboard.run({
        prompt: 'How many?',
        options: {
          transport: fake.transport,
          mcpServers: { shop: makeShop(inboard) },
          canUseTool: approvals.canUseTool,
        },
      });
      expectText((await asked).text, 'Done.');
      await dispose(fake);
      done += 1;
    }
  };
  const due = new Map();
  const talks = Promise.all(Array.from({ length: 20 }, talk));
  const talking = { isOver: false };
  void talks.finally(() => (talking.isOver = true));
  const step = end / 20;
  let next = step;
  while (!talking.isOver) {
    await pass(250);
    for (const { id } of await approvals.list()) {
      if (!due.has(id)) due.set(id, now + 5_000 + chance() * 115_000);
      if (now >= due.get(id)) {
        due.delete(id);
        await approvals.answer(id, inboard.allow(), { by: 'a person' });
      }
    }
    if (now >= next && now <= end) {
      next += step;
      await gauge.take(now / 1000);
    }
  }
  await talks;
  approvals.close();
  mock.timers.reset();
  return done;
}

/** Minutes on the real CLI: one long conversation, and queries beside it, on a scripted model. */
async function real({ minutes, inboard, testing, gauge }) {
  const model = spawn(process.execPath, [MODEL], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = await once(model.stdout, 'data');
  const home = await testing.createIsolatedEnvironment({ baseUrl: String(url).trim() });
  const options = {
    env: home.env,
    cwd: home.cwd,
    mcpServers: { shop: makeShop(inboard) },
    allowedTools: [CALL],
  };
  const session = inboard.openSession({ options });
  const end = Date.now() + minutes * 60_000;
  let done = 0;
  while (Date.now() < end) {
    expectText(await session.send('How many?').text(), 'Seven.');
    expectText((await inboard.run({ prompt: 'How many?', options })).text, 'Seven.');
    done += 2;
    await gauge.take(done);
  }
  await session.close();
  await dispose(home);
  model.stdin.end();
  await once(model, 'exit');
  return done;
}

/** What each part is called, and how many bytes of heap one unit of its work may leave behind. */
export const PARTS = {
  queries: { work: queries, unit: 'queries, one after the other, in memory', heapLimit: 150 },
  concurrent: { work: concurrent, unit: 'conversations, 500 at once, in memory', heapLimit: 300 },
  children: { work: children, unit: 'child processes, 60 at once', heapLimit: 1_500 },
  people: {
    work: people,
    unit: 'conversations in an hour of virtual time, with people who answer',
    heapLimit: 1_500,
  },
  real: { work: real, unit: 'turns and queries on the real CLI', heapLimit: 20_000 },
};
