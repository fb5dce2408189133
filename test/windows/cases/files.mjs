// Files: private ones where there are no modes, locks, renames over files that are open, folders and their watchers.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createApprovals, createFileApprovalStore, createFileCallRecords, query, run } from 'inboard';
import { send, text } from 'inboard/testing';
import { createFake, playOn, put, startNode, until, whenSaid } from '../support.mjs';

/** Another process that keeps a file open, as Windows programs do: nobody else may delete it. */
async function holdOpen(path, after, ms = 0) {
  const other = startNode([
    '-e',
    `const file = require('fs').openSync(process.argv[1], 'r+');
     console.log('open');
     ${ms > 0 ? `setTimeout(() => process.exit(0), ${ms});` : 'process.stdin.resume();'}
     process.stdin.on('end', () => process.exit(0));`,
    path,
  ]);
  after(async () => {
    other.child.stdin.end();
    await other.done;
  });
  await whenSaid(other, /open/);
  return other;
}

const LONG = { type: 'stream_note', text: 'y'.repeat(1_000_000) };
const FACT = { type: 'covers', message: 'm', at: 1 };

const inTemporary = (pattern) => readdirSync(process.env.TEMP).filter((name) => pattern.test(name));

export const CASES = {
  'a trace is written to a path with a drive letter': async ({ after, place }) => {
    const fake = createFake(after);
    const trace = join(place, 'run.jsonl');
    await playOn(fake, { pathToClaudeCodeExecutable: await fake.executable(), trace });
    assert.match(readFileSync(trace, 'utf8'), /It is 42\./);
  },
  'a trace is written to a path with slashes': async ({ after, place }) => {
    const fake = createFake(after);
    const trace = join(place, 'run.jsonl').replaceAll('\\', '/');
    await playOn(fake, { transport: fake.transport, trace });
    assert.ok(existsSync(trace));
  },
  'a trace that is given a folder gets a file of its own there': async ({ after, place }) => {
    const fake = createFake(after);
    await playOn(fake, { transport: fake.transport, trace: place });
    const [name, ...more] = readdirSync(place);
    assert.deepEqual(more, []);
    // A colon would begin another stream of a file.
    assert.match(name, /^inboard-[\w-]+\.jsonl$/);
  },
  'a trace replaces a file that is there': async ({ after, place }) => {
    const fake = createFake(after);
    const trace = put(join(place, 'run.jsonl'), 'x'.repeat(100_000));
    await playOn(fake, { transport: fake.transport, trace });
    assert.doesNotMatch(readFileSync(trace, 'utf8'), /xxx/);
  },
  'a trace that another process has open is written all the same': async ({ after, place }) => {
    const fake = createFake(after);
    const trace = put(join(place, 'run.jsonl'), '');
    await holdOpen(trace, after);
    await playOn(fake, { transport: fake.transport, trace });
    assert.match(readFileSync(trace, 'utf8'), /It is 42\./);
  },
  'the temporary folder with a value for the CLI is gone at the end': async ({ after }) => {
    const fake = createFake(after);
    await playOn(fake, {
      pathToClaudeCodeExecutable: await fake.executable(),
      settings: { env: { LONG: 'x'.repeat(40_000) } },
    });
    assert.deepEqual(inTemporary(/^inboard-launch-/), []);
  },
  'messages that wait on disk leave no file behind': async ({ after }) => {
    const fake = createFake(after, [...Array.from({ length: 12 }, () => send(LONG)), text('Done.')]);
    const q = query({ prompt: 'Hi', options: { transport: fake.transport, settingSources: [] } });
    await q.initializationResult();
    await until(() => inTemporary(/^inboard-spill-/).length === 1);
    let count = 0;
    for await (const { type } of q) if (type === 'stream_note') count += 1;
    assert.equal(count, 12);
    await until(() => inTemporary(/^inboard-spill-/).length === 0);
  },
  'a host that is killed leaves no messages on disk': async ({ place }) => {
    const program = put(
      join(place, 'host.mjs'),
      `import { query } from ${JSON.stringify(import.meta.resolve('inboard'))};
       import { createFakeCli, held, gate, send, text } from ${JSON.stringify(import.meta.resolve('inboard/testing'))};
       const never = gate();
       const long = { type: 'stream_note', text: 'y'.repeat(1_000_000) };
       const fake = createFakeCli([...Array.from({ length: 12 }, () => send(long)), held(text('Done.'), never)]);
       const q = query({ prompt: 'Hi', options: { transport: fake.transport, settingSources: [] } });
       await q.initializationResult();
       await never.reached;
       console.log('full');
       setInterval(() => {}, 1000);`,
    );
    const host = startNode([program], { cwd: place });
    await whenSaid(host, /full/);
    const before = inTemporary(/^inboard-spill-/).length;
    host.child.kill('SIGKILL');
    await host.done;
    assert.equal(before, 1);
    await until(() => inTemporary(/^inboard-spill-/).length === 0);
  },
  'a log of calls is appended to while another process reads it': async ({ after, place }) => {
    const records = createFileCallRecords({ folder: join(place, 'session') });
    after(() => records.close());
    await records.add(FACT);
    await holdOpen(join(place, 'session', 'inboard-calls.jsonl'), after);
    await records.add(FACT);
    assert.equal((await records.load()).length, 2);
  },
  'a claim is held by one of two': async ({ place }) => {
    const folder = join(place, 'session');
    const [one, two] = [createFileCallRecords({ folder }), createFileCallRecords({ folder })];
    const first = await one.claim({ owner: 'one', ttlMs: 60_000 });
    const second = await two.claim({ owner: 'two', ttlMs: 60_000 });
    assert.equal(second.heldBy, 'one');
    await first.release();
    const third = await two.claim({ owner: 'two', ttlMs: 60_000 });
    assert.equal(await third.renew(), true);
    await third.release();
    await Promise.all([one.close(), two.close()]);
  },
  'of twenty that claim at once, one holds': async ({ place }) => {
    const folder = join(place, 'session');
    const all = Array.from({ length: 20 }, () => createFileCallRecords({ folder }));
    const claims = await Promise.all(
      all.map((records, at) => records.claim({ owner: String(at), ttlMs: 60_000 })),
    );
    assert.equal(claims.filter(({ release }) => release !== undefined).length, 1);
    await Promise.all(all.map((records) => records.close()));
  },
  'an approval is saved though a reader has the file open': async ({ after, place }) => {
    const store = createFileApprovalStore(join(place, 'approvals'));
    const approvals = createApprovals({ store });
    after(() => approvals.close());
    const asking = approvals.canUseTool(
      'Bash',
      { command: 'dir' },
      { signal: AbortSignal.timeout(50_000), toolUseID: 'toolu_1', suggestions: [], requestId: 'r1' },
    );
    await until(async () => (await approvals.list()).length === 1);
    const [{ id }] = await approvals.list();
    const [question] = readdirSync(join(place, 'approvals')).filter((name) => name.includes('question'));
    await holdOpen(join(place, 'approvals', question), after);
    assert.equal(await approvals.answer(id, { behavior: 'allow', updatedInput: { command: 'dir' } }), true);
    assert.equal((await asking).behavior, 'allow');
  },
  'private files are made although there are no modes': async ({ place }) => {
    const records = createFileCallRecords({ folder: join(place, 'session') });
    await records.add(FACT);
    await records.close();
    assert.ok(statSync(join(place, 'session', 'inboard-calls.jsonl')).isFile());
  },
  'a log of calls that is a folder is refused': async ({ place }) => {
    put(join(place, 'session', 'inboard-calls.jsonl', 'x'), '');
    const records = createFileCallRecords({ folder: join(place, 'session') });
    await assert.rejects(async () => await records.add(FACT), {
      name: 'InboardError',
      code: /^CALL_RECORDS_/,
    });
    await records.close();
  },
  'a rename over a file that somebody reads waits for them': async ({ after, place }) => {
    const folder = join(place, 'approvals');
    const store = createFileApprovalStore(folder);
    const question = {
      id: 'call_1',
      toolName: 'Bash',
      input: { command: 'dir' },
      kind: 'permission',
      askedAt: 1,
      attempt: 1,
    };
    await store.put(question);
    const [name] = readdirSync(folder).filter((file) => file.startsWith('call_1'));
    const reader = await holdOpen(join(folder, name), after);
    // A reader that has the file for a moment, such as a virus scanner.
    setTimeout(() => reader.child.stdin.end(), 100);
    await store.put({ ...question, attempt: 2 });
    assert.equal((await store.get('call_1')).attempt, 2);
  },
  'a rename over a file that stays open is refused with the reason, and leaves no draft': async ({
    after,
    place,
  }) => {
    const folder = join(place, 'approvals');
    const store = createFileApprovalStore(folder);
    const question = {
      id: 'call_1',
      toolName: 'Bash',
      input: {},
      kind: 'permission',
      askedAt: 1,
      attempt: 1,
    };
    await store.put(question);
    const [name] = readdirSync(folder);
    await holdOpen(join(folder, name), after);
    await assert.rejects(store.put({ ...question, attempt: 2 }), /EPERM|EACCES|EBUSY/);
    assert.deepEqual(readdirSync(folder), [name]);
    assert.equal((await store.get('call_1')).attempt, 1);
  },
  'random ids do not come from a file of the current drive': async ({ after }) => {
    // Every user can make this folder there.
    const planted = put('C:\\dev\\urandom', Buffer.alloc(4096));
    after(() => rmSync(dirname(planted), { recursive: true }));
    const fake = createFake(after, [text('Hello.')]);
    const { sessionId } = await run({
      prompt: 'Hi',
      options: { transport: fake.transport, settingSources: [] },
    });
    assert.doesNotMatch(sessionId, /^00000000/);
    assert.doesNotMatch(JSON.stringify(fake.log), /00000000-0000-4000-8000-000000000000/);
  },
  'who owns a folder is not read from a file of the current drive': async ({ after }) => {
    const planted = put(`C:\\proc\\${process.pid}\\stat`, `1 (x) S ${'1 '.repeat(30)}`);
    put('C:\\proc\\sys\\kernel\\random\\boot_id', 'planted');
    after(() => rmSync(dirname(dirname(planted)), { recursive: true }));
    const other = startNode(
      [
        '--input-type=module',
        '-e',
        `import { createFileCallRecords } from ${JSON.stringify(import.meta.resolve('inboard'))};
         const records = createFileCallRecords({ folder: process.argv[1] });
         await records.claim({ owner: 'me', ttlMs: 60000 });
         await records.close();`,
        join(dirname(dirname(planted)), 'session'),
      ],
      { cwd: 'C:\\', input: '' },
    );
    const { code, stderr } = await other.done;
    assert.equal(code, 0, stderr);
    const claims = join(dirname(dirname(planted)), 'session', 'inboard-calls.claim');
    for (const name of readdirSync(claims))
      assert.doesNotMatch(readFileSync(join(claims, name), 'utf8'), /planted/);
  },
};
