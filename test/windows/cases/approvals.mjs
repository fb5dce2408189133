// Approvals and calls in files: asked in one process and answered in another, and what a killed host leaves of them.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  allow,
  createApprovals,
  createFileApprovalStore,
  createFileCallRecords,
  createSdkMcpServer,
  deny,
  run,
  tool,
} from 'inboard';
import { text, toolUse } from 'inboard/testing';
import { createFake, put, startNode, until, whenSaid } from '../support.mjs';

function openApprovals({ place, after }) {
  const folder = join(place, 'approvals');
  const approvals = createApprovals({ store: createFileApprovalStore(folder) });
  after(() => approvals.close());
  return { folder, approvals };
}

const CALL = { signal: new AbortController().signal, suggestions: [] };
const ask = (approvals, id = 'toolu_1', input = { command: 'dir' }) =>
  approvals.canUseTool('Bash', input, { ...CALL, toolUseID: id, requestId: id });

/** The only open question, once there is one. */
async function whenAsked(approvals) {
  let open = [];
  await until(async () => (open = await approvals.list()).length > 0);
  return open[0];
}

// Another process with the same folder, which runs a line of a program.
function startOther({ place, after }, line) {
  const other = startNode(
    [
      '--input-type=module',
      '-e',
      `import { allow, createApprovals, createFileApprovalStore, createFileCallRecords, deny } from ${JSON.stringify(import.meta.resolve('inboard'))};
       const folder = process.argv[1];
       const approvals = createApprovals({ store: createFileApprovalStore(folder) });
       ${line}
       approvals.close();`,
      join(place, 'approvals'),
    ],
    { cwd: place },
  );
  after(async () => {
    other.child.stdin.end();
    await other.done;
  });
  return other;
}

export const CASES = {
  'a question is allowed, with a changed input': async (context) => {
    const { approvals } = openApprovals(context);
    const asking = ask(approvals);
    const { id } = await whenAsked(approvals);
    await approvals.answer(id, allow({ input: { command: 'dir /b' } }), { by: 'ann' });
    assert.deepEqual((await asking).updatedInput, { command: 'dir /b' });
  },
  'a question is denied': async (context) => {
    const { approvals } = openApprovals(context);
    const asking = ask(approvals);
    const { id } = await whenAsked(approvals);
    await approvals.answer(id, deny('No.'));
    assert.deepEqual([(await asking).behavior, (await asking).message], ['deny', 'No.']);
  },
  'of two answers the first counts': async (context) => {
    const { approvals } = openApprovals(context);
    const asking = ask(approvals);
    const { id } = await whenAsked(approvals);
    assert.equal(await approvals.answer(id, allow()), true);
    assert.equal(await approvals.answer(id, deny('No.')), false);
    assert.equal((await asking).behavior, 'allow');
  },
  'of ten answers at the same time one counts': async (context) => {
    const { approvals, folder } = openApprovals(context);
    const asking = ask(approvals);
    const { id } = await whenAsked(approvals);
    const others = Array.from({ length: 10 }, () =>
      createApprovals({ store: createFileApprovalStore(folder) }),
    );
    const taken = await Promise.all(others.map((other) => other.answer(id, allow())));
    assert.equal(taken.filter(Boolean).length, 1);
    assert.equal((await asking).behavior, 'allow');
    for (const other of others) other.close();
  },
  'another process answers': async (context) => {
    const { approvals } = openApprovals(context);
    const asking = ask(approvals);
    const { id } = await whenAsked(approvals);
    const { done } = startOther(
      context,
      `console.log(await approvals.answer(${JSON.stringify(id)}, allow(), { by: 'bob' }));`,
    );
    const { stdout, stderr } = await done;
    assert.equal(stdout.trim(), 'true', stderr);
    assert.equal((await asking).behavior, 'allow');
    const [answered] = await approvals.list({ answered: true });
    assert.equal(answered.answer.by, 'bob');
  },
  'another process watches, and sees the question': async (context) => {
    const { approvals } = openApprovals(context);
    const other = startOther(
      context,
      `console.log('ready'); for await (const { id, input } of approvals.watch()) { await approvals.answer(id, allow({ input: { command: input.command + ' /w' } })); break; }`,
    );
    await whenSaid(other, /ready/);
    assert.deepEqual((await ask(approvals)).updatedInput, { command: 'dir /w' });
  },
  'a question outlives the process that asked': async (context) => {
    const other = startOther(
      context,
      `approvals.canUseTool('Bash', { command: 'dir' }, { signal: new AbortController().signal, suggestions: [], requestId: 'toolu_9', toolUseID: 'toolu_9' }); await new Promise((done) => setTimeout(done, 1e6));`,
    );
    const { approvals } = openApprovals(context);
    const { id } = await whenAsked(approvals);
    other.child.kill('SIGKILL');
    await other.done;
    assert.equal((await approvals.list())[0].id, id);
    assert.equal(await approvals.answer(id, allow()), true);
    assert.equal((await ask(approvals, 'toolu_9')).behavior, 'allow');
  },
  'ids that are no names of files on Windows are kept apart': async (context) => {
    const { approvals, folder } = openApprovals(context);
    const ids = ['a:b', 'a?b', 'con', 'a/b', 'a\\b', 'a', 'x.'];
    const asking = ids.map((id) => ask(approvals, id, { id }));
    await until(async () => (await approvals.list()).length === ids.length);
    for (const { id, input } of await approvals.list()) await approvals.answer(id, allow({ input }));
    const answers = await Promise.all(asking);
    assert.deepEqual(
      answers.map(({ updatedInput }) => updatedInput.id),
      ids,
    );
    for (const name of readdirSync(folder)) assert.match(name, /^[\w.-]+$/);
  },
  'a removed question ends with an AbortError': async (context) => {
    const { approvals } = openApprovals(context);
    const asking = ask(approvals);
    const { id } = await whenAsked(approvals);
    const rejected = assert.rejects(asking, { name: 'AbortError' });
    await approvals.remove(id);
    await rejected;
    assert.deepEqual(await approvals.list(), []);
  },
  'an answer that somebody wrote by hand, with CRLF, counts if it names its question': async (context) => {
    const { approvals, folder } = openApprovals(context);
    const asking = ask(approvals);
    const { id } = await whenAsked(approvals);
    const [question] = readdirSync(folder).filter((name) => name.includes('question'));
    const file = join(folder, question);
    const copy = readFileSync(file, 'utf8').replaceAll('\n', '\r\n');
    put(`${file}.new`, copy.endsWith('\r\n') ? copy : `${copy}\r\n`);
    await until(() => {
      try {
        renameSync(`${file}.new`, file);
        return true;
      } catch {
        return false;
      }
    });
    assert.equal((await approvals.list())[0].id, id);
    await approvals.answer(id, allow());
    assert.equal((await asking).behavior, 'allow');
  },
  'a whole turn with a question in a file': async (context) => {
    const { approvals } = openApprovals(context);
    const paid = [];
    const refund = tool('refund', 'Pays back', { order: 'string' }, ({ order }) => {
      paid.push(order);
      return `paid ${order}`;
    });
    const shop = createSdkMcpServer({ name: 'shop', tools: [refund] });
    const fake = createFake(context.after, [toolUse('mcp__shop__refund', { order: '7' }), text('Done.')]);
    const running = run({
      prompt: 'Hi',
      options: {
        pathToClaudeCodeExecutable: await fake.executable(),
        mcpServers: { shop },
        canUseTool: approvals.canUseTool,
        settingSources: [],
      },
    });
    const { id } = await whenAsked(approvals);
    await approvals.answer(id, allow({ input: { order: '8' } }));
    assert.equal((await running).text, 'Done.');
    assert.deepEqual(paid, ['8']);
  },
  'call records of two processes come together': async (context) => {
    const { place } = context;
    const folder = join(place, 'session');
    const fact = { type: 'covers', message: 'one', at: 1 };
    const records = createFileCallRecords({ folder });
    await records.add(fact);
    const { done } = startOther(
      context,
      `const records = createFileCallRecords({ folder: ${JSON.stringify(folder)} });
       for (let at = 0; at < 50; at += 1) await records.add({ type: 'covers', message: 'other', at });
       await records.close();`,
    );
    for (let at = 0; at < 50; at += 1) await records.add({ ...fact, at });
    const { code, stderr } = await done;
    assert.equal(code, 0, stderr);
    assert.equal((await records.load()).length, 101);
    await records.close();
  },
  'a fact of a megabyte gets a file of its own, and comes back': async ({ place }) => {
    const folder = join(place, 'session');
    const records = createFileCallRecords({ folder });
    const result = { content: [{ type: 'text', text: 'ü'.repeat(500_000) }] };
    await records.add({
      type: 'begun',
      callKey: 'k',
      toolName: 't',
      input: {},
      attempt: 1,
      owner: 'o',
      at: 1,
    });
    await records.add({ type: 'ended', callKey: 'k', result, at: 2 });
    assert.equal(readdirSync(folder).length, 2);
    const facts = await records.load();
    assert.deepEqual(facts.at(-1).result, result);
    await records.close();
  },
  'a log is made shorter, or left as it is, and never lost': async ({ place }) => {
    const folder = join(place, 'session');
    const records = createFileCallRecords({ folder });
    for (let at = 0; at < 200; at += 1) {
      await records.add({ type: 'covers', message: `m${at}`, at });
      await records.add({
        type: 'begun',
        callKey: `k${at}`,
        toolName: 't',
        input: {},
        attempt: 1,
        owner: 'o',
        at,
      });
      await records.add({ type: 'ended', callKey: `k${at}`, result: { content: [] }, at });
    }
    await records.close();
    const before = (await records.load()).length;
    const claim = await records.claim({ owner: 'me', ttlMs: 60_000 });
    const isShorter = await records.compact({ claim, isDelivered: () => true, maxBytes: 100 });
    const after = await records.load();
    assert.ok(isShorter ? after.length <= before : after.length === before);
    await records.add({ type: 'covers', message: 'last', at: 1000 });
    assert.equal((await records.load()).at(-1).message, 'last');
    assert.deepEqual(
      readdirSync(folder).filter((name) => /lock|tmp/.test(name)),
      [],
    );
    await claim.release();
    await records.close();
  },
  'the claim of a killed process runs out, and is not taken before': async (context) => {
    const folder = join(context.place, 'session');
    const { done } = startOther(
      context,
      `const records = createFileCallRecords({ folder: ${JSON.stringify(folder)} });
       await records.claim({ owner: 'gone', ttlMs: 1500 });
       process.kill(process.pid, 'SIGKILL');`,
    );
    await done;
    const records = createFileCallRecords({ folder });
    const first = await records.claim({ owner: 'me', ttlMs: 60_000 });
    assert.ok(first.heldBy === 'gone' || first.release !== undefined);
    let claim = first;
    await until(
      async () =>
        (claim = claim.release ? claim : await records.claim({ owner: 'me', ttlMs: 60_000 })).release !==
        undefined,
    );
    await claim.release();
    await records.close();
    assert.ok(existsSync(folder));
  },
};
