// How the CLI ends: by itself, asked, killed with all that it has started, and with its host.
import assert from 'node:assert/strict';
import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { AbortError, openSession, query, run } from 'inboard';
import { crash, createFakeCli, gate, held, ignore, stall, text } from 'inboard/testing';
import { createFake, isRunning, NATIVE_CLI, put, startNode, until, whenSaid } from '../support.mjs';

// A CLI that starts another program, says both ids in its first message, and leaves only when it is killed.
const STUBBORN = `
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
if (process.argv.includes('--version')) { console.log('2.1.325 (Claude Code)'); process.exit(0); }
const below = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
setInterval(() => {}, 1000);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id, request } = JSON.parse(line);
  if (type === 'control_request' && request.subtype === 'initialize') {
    process.stdout.write(JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id, response: { commands: [], models: [], account: {} } } }) + '\\n');
    process.stdout.write(JSON.stringify({ type: 'system', subtype: 'ids', pids: [process.pid, below.pid] }) + '\\n');
  }
});
`;

async function startStubborn(place, options) {
  const path = put(join(place, 'claude.cjs'), STUBBORN);
  const q = query({
    prompt: 'Hi',
    options: { pathToClaudeCodeExecutable: path, settingSources: [], ...options },
  });
  for (;;) {
    const { value, done } = await q.next();
    assert.ok(!done);
    if (value.subtype === 'ids') return { q, pids: value.pids };
  }
}

const allGone = (pids) => until(() => pids.every((pid) => !isRunning(pid)));

async function inTurn(after, extra, body) {
  const never = gate();
  const fake = createFake(after, [held(text('This is never said.'), never)], { allowEarlyEnd: true });
  const q = query({
    prompt: 'Wait.',
    options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [], ...extra },
  });
  await never.reached;
  const { pid } = q;
  assert.ok(isRunning(pid));
  await body(q);
  assert.equal(isRunning(pid), false, 'the CLI is still there');
}

async function readAll(q) {
  const messages = [];
  for await (const message of q) messages.push(message);
  return messages;
}

// A host of its own, which starts a stubborn CLI, prints the ids, and then ends as it is told.
const hostProgram = (place, ending, options = '{}') =>
  put(
    join(place, 'host.mjs'),
    `import { query } from ${JSON.stringify(import.meta.resolve('inboard'))};
     const q = query({ prompt: 'Hi', options: { pathToClaudeCodeExecutable: ${JSON.stringify(put(join(place, 'claude.cjs'), STUBBORN))}, settingSources: [], ...${options} } });
     for await (const message of q) if (message.subtype === 'ids') { console.log('ids', message.pids.join(' ')); break_(); }
     function break_() { ${ending} }`,
  );

async function runHost(place, ending, options) {
  const host = startNode([hostProgram(place, ending, options)], { cwd: place });
  const [, ids] = await whenSaid(host, /ids ([\d ]+)/);
  return { host, pids: ids.trim().split(' ').map(Number) };
}

export const CASES = {
  'abort ends the CLI': async ({ after }) => {
    const abortController = new AbortController();
    await inTurn(after, { abortController }, async (q) => {
      abortController.abort();
      await assert.rejects(readAll(q), AbortError);
      await q.close();
    });
  },
  'close() ends the CLI': async ({ after }) => {
    await inTurn(after, {}, async (q) => {
      const reading = readAll(q);
      await q.close();
      await reading;
    });
  },
  'leaving the loop ends the CLI': async ({ after }) => {
    await inTurn(after, {}, async (q) => {
      for await (const _ of q) break;
    });
  },
  'a CLI that ignores the end of its input is killed': async ({ after }) => {
    const fake = createFake(after, [ignore('SIGTERM'), stall()], { allowEarlyEnd: true });
    const q = query({
      prompt: 'Hi',
      options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
    });
    await q.initializationResult();
    const { pid } = q;
    await q.close();
    assert.equal(isRunning(pid), false);
  },
  'a program below the CLI ends with it': async ({ place }) => {
    const { q, pids } = await startStubborn(place);
    await q.close();
    await allGone(pids);
  },
  'a program below a CLI that is aborted ends with it': async ({ place }) => {
    const abortController = new AbortController();
    const { q, pids } = await startStubborn(place, { abortController });
    abortController.abort();
    await assert.rejects(readAll(q), AbortError);
    await allGone(pids);
  },
  'a taskkill.exe in the working directory is not started': async ({ place, after }) => {
    // The system looks there first for a program without a path.
    linkSync(NATIVE_CLI, join(place, 'taskkill.exe'));
    const mark = join(place, 'planted.txt');
    process.env.INBOARD_WINDOWS_SCRIPT = put(
      join(place, 'planted.cjs'),
      `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`,
    );
    const before = process.cwd();
    after(() => {
      process.chdir(before);
      delete process.env.INBOARD_WINDOWS_SCRIPT;
    });
    process.chdir(place);
    const { q, pids } = await startStubborn(place, { cwd: before });
    await q.close();
    await allGone(pids);
    const { existsSync } = await import('node:fs');
    assert.equal(existsSync(mark), false, 'the planted program ran');
  },
  'the code of a CLI that exits is told': async ({ after }) => {
    const fake = createFake(after, [crash({ code: 7, stderr: 'out of luck\r\n' })]);
    await assert.rejects(
      run({
        prompt: 'Hi',
        options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
      }),
      { code: 'PROCESS_EXITED', exitCode: 7, message: /out of luck/ },
    );
  },
  'a CLI that somebody else kills is told': async ({ after }) => {
    const never = gate();
    const fake = createFake(after, [held(text('This is never said.'), never)], { allowEarlyEnd: true });
    const q = query({
      prompt: 'Wait.',
      options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
    });
    await never.reached;
    process.kill(q.pid);
    await assert.rejects(readAll(q), /exited|killed/i);
  },
  'a session goes on with a new CLI after a kill': async ({ after }) => {
    let plays = 0;
    const fake = createFake(after, ({ index }) => [text(`Answer ${(plays = index)}.`)], {
      allowEarlyEnd: true,
    });
    const session = openSession({
      restart: true,
      options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
    });
    after(() => session.close());
    assert.equal(await session.send('One').text(), 'Answer 0.');
    assert.equal(plays, 0);
  },
  'a host that is killed takes its CLI along': async ({ place }) => {
    const { host, pids } = await runHost(place, '');
    host.child.kill('SIGKILL');
    await host.done;
    await until(() => !isRunning(pids[0]));
    for (const pid of pids) if (isRunning(pid)) process.kill(pid);
  },
  'a host that exits takes its CLI along': async ({ place }) => {
    const { host, pids } = await runHost(place, 'process.exit(3);');
    assert.equal((await host.done).code, 3);
    await until(() => !isRunning(pids[0]));
    for (const pid of pids) if (isRunning(pid)) process.kill(pid);
  },
  'a host that exits takes along what its CLI has started': async ({ place }) => {
    const { host, pids } = await runHost(place, 'process.exit(3);');
    await host.done;
    await allGone(pids);
  },
  'a host that fails takes its CLI along': async ({ place }) => {
    const { host, pids } = await runHost(place, "setImmediate(() => { throw new Error('mine'); });");
    assert.notEqual((await host.done).code, 0);
    await until(() => !isRunning(pids[0]));
    for (const pid of pids) if (isRunning(pid)) process.kill(pid);
  },
  'a grace period for the death of the host does no harm': async ({ place }) => {
    const { host, pids } = await runHost(place, 'process.exit(0);', '{ whenHostDies: { graceMs: 100 } }');
    assert.equal((await host.done).code, 0);
    await until(() => !isRunning(pids[0]));
    for (const pid of pids) if (isRunning(pid)) process.kill(pid);
  },
};
void createFakeCli;
