// Temporary folders of processes that were killed: the next one removes them, and nothing else.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { query } from '@inboard/inboard/index.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import {
  createOwnedFolder,
  describeSelf,
  OWNER_FILE,
  readProcessStart,
  type FolderOwner,
} from '../../../src/wire/process/owned-folder.js';
import { isAbandoned, sweepFolders, sweepFoldersOnce } from '../../../src/wire/process/sweep-folders.js';
import { LaunchError } from '../../../src/errors.js';
import { breakDisk } from '../../../../../test/support/full-disk.js';
import { isRunning } from '../../../../../test/support/is-running.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';

let folder: string;
let before: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swept-'));
  before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(folder, { recursive: true, force: true });
});

const WEEK_MS = 7 * 24 * 3600 * 1000;

/** A folder as another process would have left it. */
function leaveFolder(name: string, owner?: Partial<FolderOwner>): string {
  const path = join(folder, name);
  mkdirSync(join(path, 'config'), { recursive: true });
  writeFileSync(join(path, 'config', '.credentials.json'), '{}');
  if (owner) writeFileSync(join(path, OWNER_FILE), JSON.stringify({ ...describeSelf(), ...owner }));
  return path;
}

/** A process that has ended, as an owner. */
async function findDeadOwner(): Promise<FolderOwner> {
  const child = spawn('/bin/sleep', ['300'], { stdio: 'ignore' });
  const pid = child.pid as number;
  onTestFinished(() => void child.kill('SIGKILL'));
  const owner = { ...describeSelf(), pid, start: readProcessStart(pid) ?? '' };
  child.kill('SIGKILL');
  await waitUntil(() => !isRunning(pid));
  return owner;
}

describe('a folder of this process', () => {
  it('says whose it is, to this user only, and stays', async () => {
    const path = createOwnedFolder('resume');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(join(path, OWNER_FILE)).mode & 0o777).toString(8)).toBe('600');
    expect(JSON.parse(readFileSync(join(path, OWNER_FILE), 'utf8'))).toEqual(describeSelf());
    await sweepFolders({ now: Date.now() + 100 * WEEK_MS });
    expect(existsSync(path)).toBe(true);
  });
});

describe('a temporary folder that cannot be used', () => {
  const fail = (): unknown => {
    try {
      return createOwnedFolder('resume');
    } catch (error) {
      return error;
    }
  };

  it.each([
    ['is not there', () => join(folder, 'gone'), /does not exist \(ENOENT\)\. Create it, or point TMPDIR/],
    ['is a file', () => join(folder, 'file', 'x'), /it is not a folder \(ENOTDIR\)/],
    ['has too long a name', () => join(folder, 'x'.repeat(300)), /its path is too long \(ENAMETOOLONG\)/],
  ])('because it %s is named, with what to do', (_, place, message) => {
    writeFileSync(join(folder, 'file'), '');
    process.env['TMPDIR'] = place();
    const error = fail();
    expect(error).toBeInstanceOf(LaunchError);
    expect(error).toMatchObject({ code: 'TEMPORARY_FOLDER_UNUSABLE', phase: 'launch', retryable: false });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain(`Cannot write the session to resume to the temporary folder`);
    expect((error as Error).message).toContain(place());
  });

  it.each([
    ['EACCES', /may not write there/, false],
    ['EROFS', /read-only/, false],
    ['ENOSPC', /no space is left \(ENOSPC\)\. Free some/, true],
    ['EDQUOT', /quota/, true],
    ['EMFILE', /too many files open/, true],
    ['EIO', /it failed.*\(EIO\)\. Check the folder/, false],
  ])('with %s is named too, and nothing stays of it', (code, message, retryable) => {
    for (const call of ['mkdtempSync', 'writeFileSync']) {
      const mend = breakDisk(code, { sync: [call] });
      const error = fail();
      mend();
      expect(error).toMatchObject({ code: 'TEMPORARY_FOLDER_UNUSABLE', retryable, cause: { code } });
      expect((error as Error).message).toMatch(message);
      expect(readdirSync(folder)).toEqual([]);
    }
  });
});

describe('a sweep', () => {
  it('removes the folders of dead processes, of either kind', async () => {
    const dead = await findDeadOwner();
    const paths = [leaveFolder('inboard-resume-a', dead), leaveFolder('inboard-launch-b', dead)];
    await sweepFolders();
    expect(paths.filter((path) => existsSync(path))).toEqual([]);
  });

  it('is not deceived by a number that another process has now', async () => {
    const path = leaveFolder('inboard-resume-a', { pid: process.pid, start: '1' });
    await sweepFolders();
    expect(existsSync(path)).toBe(false);
  });

  it('leaves folders of other names, of other users, and links alone', async () => {
    const dead = await findDeadOwner();
    const other = leaveFolder('inboard-build-a', dead);
    const target = leaveFolder('precious', dead);
    const link = join(folder, 'inboard-resume-link');
    symlinkSync(target, link);
    const foreign = leaveFolder('inboard-resume-foreign', dead);
    await sweepFolders({ user: statSync(foreign).uid + 1 });
    expect(existsSync(foreign)).toBe(true);
    await sweepFolders({ now: Date.now() + 2 * WEEK_MS });
    expect([other, target, link].every((path) => existsSync(path))).toBe(true);
    expect(existsSync(join(target, 'config', '.credentials.json'))).toBe(true);
    expect(existsSync(foreign)).toBe(false);
  });

  it('removes what a folder links to only as a link', async () => {
    const path = leaveFolder('inboard-resume-a', await findDeadOwner());
    const agents = leaveFolder('agents');
    symlinkSync(agents, join(path, 'config', 'agents'));
    await sweepFolders();
    expect(existsSync(path)).toBe(false);
    expect(existsSync(join(agents, 'config'))).toBe(true);
  });

  it('leaves a folder without a readable owner for a week', async () => {
    const nameless = leaveFolder('inboard-resume-a');
    const broken = leaveFolder('inboard-resume-b');
    writeFileSync(join(broken, OWNER_FILE), '{"pid":"no"}');
    await sweepFolders();
    expect([nameless, broken].every((path) => existsSync(path))).toBe(true);
    await sweepFolders({ now: Date.now() + WEEK_MS + 60_000 });
    expect([nameless, broken].some((path) => existsSync(path))).toBe(false);
  });

  it.each([0, -5, 1.5, 2 ** 60, '7', null])(
    'takes no process for the owner that has the number %j',
    async (pid) => {
      const path = leaveFolder('inboard-resume-a', { pid: pid as number, start: '1' });
      await sweepFolders();
      expect(existsSync(path)).toBe(true);
      await sweepFolders({ now: Date.now() + WEEK_MS + 60_000 });
      expect(existsSync(path)).toBe(false);
    },
  );

  it('needs nothing to be there', async () => {
    await expect(sweepFolders({ folder: '/no/such/folder' })).resolves.toBeUndefined();
  });

  it('comes with the first CLI that a process starts', async () => {
    const path = leaveFolder('inboard-resume-a', await findDeadOwner());
    await using fake = createFakeCli([say('Hi.')]);
    for await (const _ of query({ prompt: 'Hi', options: { transport: fake.transport } }));
    await waitUntil(() => !existsSync(path));
    // And with no other.
    const another = leaveFolder('inboard-resume-b', await findDeadOwner());
    await sweepFoldersOnce();
    expect(existsSync(another)).toBe(true);
  });
});

describe('an owner', () => {
  const self: FolderOwner = { pid: 1, start: '5', boot: 'b', pidSpace: 'p', host: 'h' };
  const young = { self, ageMs: 1000 };
  const old = { self, ageMs: 2 * WEEK_MS };

  it('of an earlier start of this machine is gone', () => {
    expect(isAbandoned({ ...self, boot: 'earlier' }, young)).toBe(true);
  });

  it.each([
    ['in another container', { pidSpace: 'other' }],
    ['on another machine', { boot: 'other', host: 'other' }],
    ['unknown', undefined],
  ])('%s may be alive, for a week', (_, more) => {
    const owner = more && { ...self, pid: 999_999_999, ...more };
    expect(isAbandoned(owner, young)).toBe(false);
    expect(isAbandoned(owner, old)).toBe(true);
  });

  it('is found by its number alone where the system tells no more', () => {
    const bare = { start: '', boot: '', pidSpace: '', host: 'h' };
    const given = { self: { ...self, ...bare }, ageMs: 1000 };
    expect(isAbandoned({ pid: process.pid, ...bare }, given)).toBe(false);
    expect(isAbandoned({ pid: 999_999_999, ...bare }, given)).toBe(true);
    expect(isAbandoned({ pid: 999_999_999, ...bare, host: 'other' }, given)).toBe(false);
  });
});

describe('a query', () => {
  it('ends where the files of its command line cannot be written', async () => {
    await using fake = createFakeCli([say('Hi.')]);
    // Longer than a word of a command line can be.
    const mcpServers = { shop: { command: 'shop', env: { LONG: 'x'.repeat(150_000) } } };
    const pathToClaudeCodeExecutable = await fake.executable();
    const running = async (): Promise<void> => {
      for await (const _ of query({ prompt: 'Hi', options: { mcpServers, pathToClaudeCodeExecutable } }));
    };
    await running();
    // The first file is the folder's owner; the disk is full when the second is written.
    const mend = breakDisk('ENOSPC', { sync: ['writeFileSync'] }, 1);
    try {
      await expect(running()).rejects.toMatchObject({
        code: 'TEMPORARY_FOLDER_UNUSABLE',
        message: expect.stringContaining('options that are not passed on the command line') as unknown,
      });
    } finally {
      mend();
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('inboard-launch'))).toEqual([]);
  });
});
