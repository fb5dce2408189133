// Approvals on disk, and another user of the machine, for real: needs root, which alone can be several users.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildSource, type BuiltSource } from '../../../../../../test/support/build-source.js';

const [HOST, CLERK, ATTACKER, GROUP] = [41_001, 41_002, 41_003, 41_100];
// Root of a user namespace cannot become another user: only mapped users exist there.
const canBeOthers =
  process.platform === 'linux' &&
  process.geteuid?.() === 0 &&
  spawnSync('true', { uid: HOST, gid: GROUP }).status === 0;
const FORGED = { result: { behavior: 'allow', updatedInput: { euros: 1e6 } }, answeredAt: 1, by: 'ann' };
const QUESTION = {
  id: 'a',
  kind: 'permission',
  attempt: 1,
  askedAt: 1,
  toolName: 'pay',
  input: { euros: 5 },
};

let built: BuiltSource;
let place: string;
let folder: string;

/** What a program of a user printed: its value, its error, and the process warnings about files. */
interface Outcome {
  value?: unknown;
  error?: { code?: string; message: string };
  warnings: string[];
}

/** Runs a program with a store as another user, who is in the group of those that share the folder only if they may be. */
function as(uid: number, body: string, given: { options?: object; wrap?: string[] } = {}): Outcome {
  const gid = uid === ATTACKER ? ATTACKER : GROUP;
  const program = `
    process.umask(0o022);
    const { FileApprovalStore } = await import(${JSON.stringify(`file://${built.file}`)});
    const fs = await import('node:fs');
    const folder = ${JSON.stringify(folder)};
    const store = new FileApprovalStore(folder, ${JSON.stringify(given.options ?? {})});
    const warnings = [];
    process.emitWarning = (message) => warnings.push(String(message));
    const QUESTION = ${JSON.stringify(QUESTION)}, FORGED = ${JSON.stringify(FORGED)};
    const run = async () => { ${body} };
    const out = await run().then((value) => ({ value }), ({ code, message }) => ({ error: { code, message } }));
    process.stdout.write(JSON.stringify({ ...out, warnings }));`;
  const command = [...(given.wrap ?? []), process.execPath, '--input-type=module', '-e', program];
  const { stdout, stderr, status } = spawnSync(command[0] as string, command.slice(1), {
    uid,
    gid,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The program of the user ${uid} failed: ${stderr}`);
  return JSON.parse(stdout) as Outcome;
}

/** The attacker puts a file there whose content looks right. */
const forge = (name = 'a.answer.json', content: object = { id: 'a', ...FORGED }): Outcome =>
  as(
    ATTACKER,
    `fs.writeFileSync(folder + ${JSON.stringify(`/${name}`)}, ${JSON.stringify(JSON.stringify(content))})`,
  );

const makeFolder = (mode: number, uid: number, gid = GROUP): void => {
  mkdirSync(folder);
  chownSync(folder, uid, gid);
  chmodSync(folder, mode);
};

it.skipIf(canBeOthers)(
  'says that these need Linux and root that can be other users, and did not run',
  ({ skip }) => skip('Needs Linux, and root outside of a user namespace'),
);

describe.runIf(canBeOthers)('another user of the machine', () => {
  beforeAll(() => {
    built = buildSource('core/src/answer/permissions/approvals/file-approval-store.ts');
    // Everybody runs it.
    execFileSync('chmod', ['-R', 'a+rX', built.folder]);
  });
  afterAll(() => built.remove());
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'inboard-users-'));
    chmodSync(place, 0o777);
    folder = join(place, 'approvals');
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  it('cannot write an answer into the folder that the store made', () => {
    expect(as(HOST, 'return await store.put(QUESTION)')).toEqual({ warnings: [] });
    expect(() => forge()).not.toThrow();
    expect(forge().error).toMatchObject({ code: 'EACCES' });
    expect(as(HOST, 'return await store.get("a")').value).toEqual(QUESTION);
  });

  it('cannot make the folder before the store does, or take its place later', () => {
    makeFolder(0o777, ATTACKER, ATTACKER);
    forge();
    for (const call of [
      'store.put(QUESTION)',
      'store.get("a")',
      'store.list()',
      'store.answer("a", FORGED)',
    ]) {
      const { value, error } = as(HOST, `return await ${call}`);
      expect({ call, value, code: error?.code }).toEqual({
        call,
        value: undefined,
        code: 'APPROVAL_FOLDER_UNSAFE',
      });
      expect(error?.message).toContain(`${folder} belongs to the user ${ATTACKER}`);
    }
    // The host's own folder, moved away and replaced by a link to the attacker's.
    rmSync(folder, { recursive: true });
    as(HOST, 'await store.put(QUESTION)');
    mkdirSync(`${folder}-evil`);
    chownSync(`${folder}-evil`, ATTACKER, ATTACKER);
    execFileSync('mv', [folder, `${folder}-moved`]);
    symlinkSync(`${folder}-evil`, folder);
    forge();
    expect(as(HOST, 'return await store.list()').error).toMatchObject({ code: 'APPROVAL_FOLDER_UNSAFE' });
  });

  it.each([0o777, 0o775])('has no say in a folder that can be written by others (mode %o)', (mode) => {
    makeFolder(mode, HOST, mode === 0o775 ? ATTACKER : GROUP);
    as(HOST, 'fs.chmodSync(folder, 0o700); await store.put(QUESTION)');
    chmodSync(folder, mode);
    expect(forge().error).toBeUndefined();
    expect(as(HOST, 'return await store.put(QUESTION)').error).toMatchObject({
      code: 'APPROVAL_FOLDER_UNSAFE',
    });
    // What was put there meanwhile does not count when the folder is closed again.
    chmodSync(folder, 0o700);
    const { value, warnings } = as(HOST, 'return await store.put(QUESTION) ?? "open"');
    expect(value).toBe('open');
    expect(warnings).toEqual([
      expect.stringContaining(`${folder}/a.answer.json is ignored: it belongs to the user ${ATTACKER}`),
    ]);
    expect(
      as(
        HOST,
        'return [await store.answer("a", { ...FORGED, by: "real" }), (await store.get("a")).answer.by]',
      ).value,
    ).toEqual([true, 'real']);
  });

  it('has no say in a folder like /tmp, not even with links to files of the host, and is named', () => {
    makeFolder(0o1777, 0, 0);
    as(
      HOST,
      'await store.put(QUESTION); await store.put({ ...QUESTION, id: "b" }); await store.answer("b", FORGED)',
    );
    forge();
    const found = as(HOST, 'return (await store.list()).map(({ id, answer }) => [id, !!answer]).sort()');
    expect(found.value).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(found.warnings).toEqual([
      expect.stringContaining(`a.answer.json is ignored: it belongs to the user ${ATTACKER}`),
    ]);
    // It is in the way, and only its owner or root can remove it: that is said, and nothing is left.
    const { error } = as(HOST, 'return await store.answer("a", FORGED)');
    expect(error).toMatchObject({
      code: 'APPROVAL_FILE_STUCK',
      message: expect.stringContaining(`${folder}/a.answer.json`) as string,
    });
    rmSync(join(folder, 'a.answer.json'));
    as(ATTACKER, 'fs.symlinkSync("b.answer.json", folder + "/a.answer.json")');
    expect(as(HOST, 'return (await store.get("a")).answer ?? "none"').value).toBe('none');
    rmSync(join(folder, 'a.answer.json'));
    // As where the system does not forbid links to files of others.
    execFileSync('ln', [join(folder, 'b.answer.json'), join(folder, 'a.answer.json')]);
    expect(as(HOST, 'return (await store.get("a")).answer ?? "none"').value).toBe('none');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('cannot show somebody who answers another question than the one that is asked', () => {
    makeFolder(0o1777, 0, 0);
    forge('a.question.json', { ...QUESTION, input: { euros: 1 } });
    const { value, warnings } = as(HOST, 'return [await store.list(), await store.answer("a", FORGED)]');
    expect(value).toEqual([[], false]);
    expect(warnings[0]).toContain(`a.question.json is ignored: it belongs to the user ${ATTACKER}`);
  });

  it('cannot keep anybody from reading the rest: with files that cannot be read, swept or waited for', () => {
    makeFolder(0o1777, 0, 0);
    as(HOST, 'await store.put(QUESTION)');
    as(
      ATTACKER,
      `for (const name of ['x.question.json', 'y.answer.json', 'z.tmp']) {
        fs.writeFileSync(folder + '/' + name, '{}', { mode: 0o600 });
        fs.utimesSync(folder + '/' + name, 1, 1);
      }
      const { execFileSync } = await import('node:child_process');
      execFileSync('/usr/bin/mkfifo', [folder + '/p.question.json']);`,
    );
    expect(as(HOST, 'return (await store.list()).map(({ id }) => id)').value).toEqual(['a']);
  });

  it('may answer where it is named, and only then', () => {
    makeFolder(0o2770, HOST);
    const host = { options: { trustedUids: [CLERK] } };
    const clerk = { options: { trustedUids: [HOST] } };
    expect(as(HOST, 'return await store.put(QUESTION) ?? "open"', host)).toEqual({
      value: 'open',
      warnings: [],
    });
    // Without a name for the host, the clerk sees no question.
    expect(as(CLERK, 'return await store.list()').error).toMatchObject({ code: 'APPROVAL_FOLDER_UNSAFE' });
    const answer =
      'return [(await store.list()).map(({ id }) => id), await store.answer("a", { ...FORGED, by: "clerk" })]';
    expect(as(CLERK, answer, clerk)).toEqual({ value: [['a'], true], warnings: [] });
    expect(as(HOST, 'return (await store.get("a")).answer.by', host)).toEqual({
      value: 'clerk',
      warnings: [],
    });
    // Another user of the group cannot answer.
    const other = { options: { trustedUids: [ATTACKER] } };
    expect(as(HOST, 'return (await store.get("a")).answer ?? "none"', other).value).toBe('none');
  });

  it('that is root owns nothing of the host: root has to be told whom to trust', () => {
    as(HOST, 'await store.put(QUESTION)');
    expect(as(0, 'return await store.list()').error).toMatchObject({ code: 'APPROVAL_FOLDER_UNSAFE' });
    const { value } = as(0, 'return (await store.list()).length', { options: { trustedUids: [HOST] } });
    expect(value).toBe(1);
    // An answer of root's is none until the host trusts root.
    as(0, 'await store.answer("a", FORGED)', { options: { trustedUids: [HOST] } });
    expect(existsSync(join(folder, 'a.answer.json'))).toBe(true);
    expect(as(HOST, 'return (await store.get("a")).answer ?? "none"').value).toBe('none');
  });

  it('is not taken for this one in a user namespace, where all users without a number look alike', ({
    skip,
  }) => {
    const unshare = ['/usr/bin/unshare', '--user'];
    if (spawnSync(unshare[0] as string, ['--user', 'true']).status !== 0)
      skip('No user namespace can be made here');
    makeFolder(0o777, ATTACKER, ATTACKER);
    forge();
    chmodSync(folder, 0o755);
    // Neither of them has a number in it: the system shows both as the same user.
    const { error } = as(HOST, 'return await store.list()', { wrap: unshare });
    expect(error).toMatchObject({
      code: 'APPROVAL_FOLDER_UNSAFE',
      message: expect.stringContaining('user namespace') as string,
    });
    // The root user of the namespace, as in a container without privileges, keeps its own folder.
    rmSync(folder, { recursive: true });
    const mapped = { wrap: ['/usr/bin/unshare', '--user', '--map-root-user'] };
    expect(as(HOST, 'await store.put(QUESTION); return await store.answer("a", FORGED)', mapped)).toEqual({
      value: true,
      warnings: [],
    });
    expect(as(HOST, 'return (await store.get("a")).answer.by', mapped).value).toBe('ann');
  });

  it('leaves no unfinished file on a disk that is full', ({ skip }) => {
    mkdirSync(folder);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0700', 'tmpfs', folder]).status !== 0)
      skip('No file system can be mounted here');
    try {
      chownSync(folder, HOST, GROUP);
      const { value } = as(
        HOST,
        `await store.put(QUESTION);
        let refused;
        for (let count = 0; refused === undefined && count < 100; count += 1) {
          const input = { text: 'x'.repeat(20_000) };
          await store.put({ ...QUESTION, id: 'b' + count, input }).catch((error) => (refused = error.code));
        }
        fs.writeFileSync(folder + '/fill', '');
        try { for (;;) fs.appendFileSync(folder + '/fill', 'x'.repeat(512)); } catch {}
        const answered = await store.answer('a', { ...FORGED, by: 'x'.repeat(20_000) }).catch(({ code }) => code);
        const left = fs.readdirSync(folder).filter((name) => name.endsWith('.tmp'));
        fs.rmSync(folder + '/fill');
        await store.remove('b0');
        return { refused, answered, left, after: await store.answer('a', FORGED) };`,
      );
      expect(value).toEqual({ refused: 'ENOSPC', answered: 'ENOSPC', left: [], after: true });
    } finally {
      execFileSync('umount', [folder]);
    }
  });
});
