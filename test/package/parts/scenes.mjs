// What a program sees when a part of the package cannot be loaded. Each scene runs in a process of its own and prints what it
// saw as JSON. Arguments: the folder `dist`, and the scene.
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { devNull, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const [dist, scene] = process.argv.slice(2);
const entryPoint = (name) => join(dist, 'entry', `${name}.js`);
const load = (name) => import(pathToFileURL(entryPoint(name)).href);
const inboard = await load('index');
const testing = await load('testing');

/** Takes the files away whose names begin so, as an upgrade does; gives what brings them back. */
function hide(name) {
  const folder = join(dist, 'shared');
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.js'));
  if (files.length === 0) throw new Error(`No file of the package is called ${name}`);
  for (const file of files) renameSync(join(folder, file), join(folder, `${file}.gone`));
  return () => {
    for (const file of files) renameSync(join(folder, `${file}.gone`), join(folder, file));
  };
}

/** Uses up all descriptors; gives what frees them. */
function holdAll() {
  const held = [];
  try {
    for (;;) held.push(openSync(devNull));
  } catch {
    return () => held.forEach((descriptor) => closeSync(descriptor));
  }
}

const say = (words) => testing.createFakeCli([testing.expectPrompt(), testing.text(words)]).transport;
const ask = async (options) =>
  (await inboard.run({ prompt: 'Hello?', options: { transport: say('Hello.'), ...options } })).text;
const outcomeOf = (promise) =>
  promise.then(
    (value) => value,
    ({ name, code, retryable }) => ({ name, code, retryable }),
  );
const nextWarning = async () => {
  const [{ code, message }] = await once(process, 'warning');
  return { code, message };
};

/** Before, and when the cause is gone. */
async function twice(take, act) {
  const giveBack = take();
  const before = await outcomeOf(act());
  giveBack();
  return [before, await outcomeOf(act())];
}

const SCENES = {
  'query without a file': () => twice(() => hide('launch'), ask),
  'query without descriptors': () => twice(holdAll, ask),
  'session without a file': () =>
    twice(
      () => hide('launch'),
      async () => {
        const session = inboard.openSession({ options: { transport: say('Hello.') } });
        try {
          return await session.send('Hello?').text();
        } catch (error) {
          // As with any CLI that cannot be started, the session is over, and says why.
          throw error.cause;
        } finally {
          await session.close();
        }
      },
    ),
  'tool with JSON Schema without descriptors': () => {
    const count = inboard.tool({
      name: 'count',
      description: 'Counts',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      run: ({ n }) => n,
    });
    const call = async () => {
      const { content } = await testing.callTool(count, { n: 7 });
      return content[0].text;
    };
    return twice(holdAll, call);
  },
  'sweep without a file': async () => {
    // Left by a process of an earlier start of the system.
    const left = join(tmpdir(), 'inboard-launch-left');
    mkdirSync(left);
    const owner = { pid: 1, start: '1', boot: 'earlier', pidSpace: '', host: hostname() };
    writeFileSync(join(left, 'owner.json'), JSON.stringify(owner));
    const giveBack = hide('sweep-folders');
    const [warning, text] = await Promise.all([nextWarning(), ask()]);
    const isLeft = existsSync(left);
    giveBack();
    await ask();
    while (existsSync(left)) await new Promise((resolve) => setImmediate(resolve));
    return { warning, text, isLeft };
  },
  'guarding hook without a file': () =>
    twice(
      () => hide('run-hook'),
      async () => {
        const seen = [];
        const fake = testing.createFakeCli([
          testing.expectPrompt(),
          testing.toolUse('mcp__shop__count', {}),
          testing.text('Done.'),
        ]);
        const shop = inboard.createSdkMcpServer({
          name: 'shop',
          tools: [inboard.tool('count', 'Counts', {}, () => seen.push('called'))],
        });
        await inboard.run({
          prompt: 'Count.',
          options: {
            transport: fake.transport,
            mcpServers: { shop },
            allowedTools: [shop],
            onWarning: ({ code, error }) => seen.push(`${code} of ${error.cause?.code}`),
            hooks: { PreToolUse: [{ hooks: [async () => ({})], failClosed: true }] },
          },
        });
        return seen;
      },
    ),
  'abandoning without a file': async () => {
    let isCalled;
    const called = new Promise((resolve) => (isCalled = resolve));
    const wait = inboard.tool('wait', 'Waits', {}, async (_, { signal }) => {
      isCalled();
      await once(signal, 'abort');
    });
    const shop = inboard.createSdkMcpServer({ name: 'shop', tools: [wait] });
    const fake = testing.createFakeCli([testing.expectPrompt(), testing.toolUse('mcp__shop__wait', {})], {
      allowEarlyEnd: true,
    });
    const pathToClaudeCodeExecutable = await fake.executable();
    const session = inboard.openSession({
      options: { pathToClaudeCodeExecutable, mcpServers: { shop }, allowedTools: [shop] },
    });
    const turn = session.send('Wait.');
    const outcome = outcomeOf(turn.outcome());
    for await (const { type } of turn) if (type === 'assistant') break;
    await called;
    const giveBack = hide('saved-entry');
    const [warning] = await Promise.all([nextWarning(), session.abandon()]);
    giveBack();
    await fake.close();
    return { warning: warning.code, outcome: await outcome };
  },
  'approvals without a file': async () => {
    const giveBack = hide('file-approval-store');
    const store = inboard.createFileApprovalStore(join(tmpdir(), 'approvals'));
    const before = await outcomeOf(store.list());
    let stop;
    const noticed = new Promise((resolve) => (stop = store.watch(() => resolve('noticed'))));
    const warning = await nextWarning();
    giveBack();
    const list = await store.list();
    // The watch has a timer that does not keep the process alive.
    const alive = setInterval(() => {}, 1000);
    const change = await noticed;
    clearInterval(alive);
    stop();
    return { before, warning: warning.code, list, change };
  },
  'inspector by variable without a file': async () => {
    process.env.INBOARD_INSPECT = '127.0.0.1:0';
    const giveBack = hide('inspect-by-variable');
    const [warning, text] = await Promise.all([nextWarning(), ask()]);
    giveBack();
    let printed = '';
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (words) => (printed += words) !== '';
    await ask();
    process.stderr.write = write;
    return { warning, text, isOpen: /http:\/\/127\.0\.0\.1:\d+/.test(printed) };
  },
  'CommonJS without a file': async () => {
    const { listSessions } = createRequire(import.meta.url)(entryPoint('index'));
    return await twice(
      () => hide('list-sessions'),
      () => listSessions({ dir: tmpdir() }),
    );
  },
  'worker thread without descriptors': async () => {
    const code = `const { parentPort, workerData } = require('node:worker_threads');
      const shape = ({ name, code, retryable }) => ({ name, code, retryable });
      import(workerData.url).then((inboard) => {
        const act = () => inboard.listSessions({ dir: workerData.dir }).catch(shape);
        parentPort.on('message', async () => parentPort.postMessage(await act()));
        parentPort.postMessage('ready');
      });`;
    const workerData = { url: pathToFileURL(entryPoint('index')).href, dir: tmpdir() };
    const worker = new Worker(code, { eval: true, workerData });
    await once(worker, 'message');
    const result = await twice(holdAll, async () => {
      worker.postMessage('go', []);
      return (await once(worker, 'message'))[0];
    });
    await worker.terminate();
    return result;
  },
};

console.log(JSON.stringify(await SCENES[scene]()));
process.exit(0);
