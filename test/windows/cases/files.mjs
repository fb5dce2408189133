// Files: private ones where there are no modes, locks, renames over files that are open, folders and their watchers.
import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createApprovals, createFileApprovalStore, createFileCallRecords, query, run } from 'inboard';
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
  'a trace whose name is a folder is refused with a warning': async ({ after, place }) => {
    const fake = createFake(after);
    const warned = [];
    await playOn(fake, { transport: fake.transport, trace: place, onWarning: ({ code, message }) => warned.push(`${code} ${message}`) });
    assert.equal(warned.length, 1, warned.join());
    assert.ok(warned[0].includes(place));
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
    const { text, repeat } = await import('inboard/testing');
    assert.equal(typeof repeat, 'function');
    const long = 'y'.repeat(1_000_000);
    const fake = createFake(after, Array.from({ length: 80 }, () => text(long)).flatMap((step, at) => (at === 0 ? [step] : [step])), { allowEarlyEnd: true });
    const q = query({ prompt: 'Hi', options: { transport: fake.transport, settingSources: [] } });
    await q.next();
    await q.close();
    assert.deepEqual(inTemporary(/^inboard-spill-/), []);
  },
  'a log of calls is appended to while another process reads it': async ({ after, place }) => {
    const records = createFileCallRecords({ folder: join(place, 'session') });
    after(() => records.close());
    await records.add({ type: 'turn', at: 1 });
    await holdOpen(join(place, 'session', 'inboard-calls.jsonl'), after);
    await records.add({ type: 'turn', at: 2 });
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
    const claims = await Promise.all(all.map((records, at) => records.claim({ owner: String(at), ttlMs: 60_000 })));
    assert.equal(claims.filter(({ release }) => release !== undefined).length, 1);
    await Promise.all(all.map((records) => records.close()));
  },
  'an approval is saved though a reader has the file open': async ({ after, place }) => {
    const store = createFileApprovalStore(join(place, 'approvals'));
    const approvals = createApprovals({ store });
    after(() => approvals.close());
    const asking = approvals.canUseTool('Bash', { command: 'dir' }, { signal: AbortSignal.timeout(50_000), toolUseID: 'toolu_1', suggestions: [], requestId: 'r1' });
    await until(async () => (await approvals.list()).length === 1);
    const [{ id }] = await approvals.list();
    const [question] = readdirSync(join(place, 'approvals')).filter((name) => name.includes('question'));
    await holdOpen(join(place, 'approvals', question), after);
    assert.equal(await approvals.answer(id, { behavior: 'allow', updatedInput: { command: 'dir' } }), true);
    assert.equal((await asking).behavior, 'allow');
  },
  'private files are made although there are no modes': async ({ place }) => {
    const records = createFileCallRecords({ folder: join(place, 'session') });
    await records.add({ type: 'turn', at: 1 });
    await records.close();
    assert.ok(statSync(join(place, 'session', 'inboard-calls.jsonl')).isFile());
  },
  'a log of calls that is a folder is refused': async ({ place }) => {
    put(join(place, 'session', 'inboard-calls.jsonl', 'x'), '');
    const records = createFileCallRecords({ folder: join(place, 'session') });
    await assert.rejects(async () => await records.add({ type: 'turn', at: 1 }), { name: 'InboardError' });
    await records.close();
  },
  'a folder of records that is a junction is refused': async ({ place }) => {
    put(join(place, 'real', 'x'), '');
    try {
      symlinkSync(join(place, 'real'), join(place, 'session'), 'junction');
    } catch (error) {
      throw new Error(`no junction could be made: ${error.message}`);
    }
    const records = createFileCallRecords({ folder: join(place, 'session') });
    await assert.rejects(async () => await records.add({ type: 'turn', at: 1 }), { code: 'CALL_RECORDS_UNSAFE' });
    await records.close();
    rmSync(join(place, 'session'));
  },
};
void [closeSync, openSync, writeFileSync, dirname, run];
