// The files of approvals when something is wrong with one of them: it is skipped and named, and everything else goes on.
import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { createApprovals } from '../../../../src/answer/permissions/approvals/approvals.js';
import { FileApprovalStore } from '../../../../src/answer/permissions/approvals/file-approval-store.js';
import { FileOwners } from '../../../../src/answer/permissions/approvals/file-owners.js';
import { allow, deny } from '../../../../src/answer/permissions/decisions.js';
import { createFileApprovalStore } from '@inboard/inboard/index.js';
import { waitUntil } from '../../../../../../test/support/wait-until.js';

const question = (id: string) =>
  ({ id, kind: 'permission', attempt: 1, askedAt: 1, toolName: 'pay', input: { euros: 5 } }) as const;
const yes = { result: allow(), answeredAt: 2, by: 'ann' };
const VERSION_9 = { format: 'inboard-approval', version: 9 };
/** What there are no users, links or pipes for on Windows. */
const onPosix = it.skipIf(process.platform === 'win32');

let folder: string;
let store: FileApprovalStore;
let emitWarning: MockInstance<typeof process.emitWarning>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inboard-approvals-'));
  store = new FileApprovalStore(folder);
  emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => {
  emitWarning.mockRestore();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => join(folder, name);
const write = (name: string, content: unknown, mode = 0o600): void =>
  writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content), { mode });
const openIds = async (): Promise<string[]> =>
  (await store.list()).flatMap(({ id, answer }) => (answer ? [] : [id])).sort();
/** Lets files be removed a moment later. */
async function slowly(run: () => Promise<void>): Promise<void> {
  const { rm } = fs.promises;
  fs.promises.rm = async (...given) => {
    await new Promise(setImmediate);
    await rm(...given);
  };
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    fs.promises.rm = rm;
    syncBuiltinESMExports();
  }
}
/** The process warnings about ignored files. */
const ignored = (): string[] =>
  emitWarning.mock.calls.flatMap(([message, options]) =>
    options?.code === 'APPROVAL_FILE_IGNORED' ? [String(message)] : [],
  );

describe('a file of a newer version', () => {
  it('is skipped and named, whether question or answer, and the others are listed and answered', async () => {
    for (const id of ['a', 'b', 'c']) await store.put(question(id));
    write('a.question.json', { ...VERSION_9, id: 'a', words: 'of tomorrow' });
    write('b.answer.json', { ...VERSION_9, verdict: 'of tomorrow' });
    expect(await openIds()).toEqual(['b', 'c']);
    expect(await store.get('a')).toBeUndefined();
    expect(await store.put(question('b'))).toBeUndefined();
    expect(await store.answer('c', yes)).toBe(true);
    const told = ignored();
    expect(told).toHaveLength(2);
    expect(told.join('\n')).toContain(file('a.question.json'));
    expect(told.join('\n')).toContain(file('b.answer.json'));
    for (const message of told)
      expect(message).toMatch(/version 9 of .* up to version \d+\. .*update the package/);
  });

  it('is not replaced by an answer: whoever has the newer version has been answered', async () => {
    await store.put(question('b'));
    const newer = JSON.stringify({ ...VERSION_9, verdict: 'of tomorrow' });
    write('b.answer.json', newer);
    await expect(store.answer('b', yes)).rejects.toMatchObject({
      code: 'STORED_FORMAT_TOO_NEW',
      file: file('b.answer.json'),
      message: expect.stringMatching(/only reads up to version \d+\./) as string,
    });
    write('c.question.json', { ...VERSION_9, id: 'c' });
    await expect(store.answer('c', yes)).rejects.toMatchObject({ code: 'STORED_FORMAT_TOO_NEW' });
    expect(readFileSync(file('b.answer.json'), 'utf8')).toBe(newer);
    expect(readdirSync(folder).sort()).toEqual(['b.answer.json', 'b.question.json', 'c.question.json']);
  });

  it('does not stop the queue: the next question reaches its watchers, and its answer the host that waits', async () => {
    write('a.question.json', { ...VERSION_9, id: 'a' });
    const host = createApprovals({ store });
    const clerk = createApprovals({ store: new FileApprovalStore(folder) });
    const asked = host.ask({ id: 'b', title: 'Pay?' });
    for await (const { id } of clerk.watch()) {
      await clerk.answer(id, deny('No.'));
      break;
    }
    expect(await asked).toEqual(deny('No.'));
    host.close();
    clerk.close();
  });
});

describe('a damaged answer', () => {
  const DAMAGED: Record<string, unknown> = {
    empty: '',
    cut: '{"format":"inboard-approval","version":1,"result":{"beha',
    'of something else': '[1,2]',
    'without a result': { format: 'inboard-approval', version: 1, answeredAt: 2 },
    'without a decision': { result: { behavior: 'maybe' }, answeredAt: 2 },
    'without a time': { result: allow() },
  };

  it.each(Object.entries(DAMAGED))(
    '(%s) counts as none, is kept, and the next answer replaces it',
    async (_, content) => {
      await store.put(question('a'));
      write('a.answer.json', content);
      expect(await openIds()).toEqual(['a']);
      expect(await store.put(question('a'))).toBeUndefined();
      expect(ignored()).toEqual([
        expect.stringContaining(`${file('a.answer.json')} is ignored: it is damaged`),
      ]);
      expect(await store.answer('a', yes)).toBe(true);
      expect(await store.answer('a', { ...yes, result: deny('Late.') })).toBe(false);
      expect(await store.get('a')).toEqual({ ...question('a'), answer: yes });
      const [kept = ''] = readdirSync(folder).filter((name) => name.endsWith('.unused'));
      expect(kept).toMatch(/^a\.answer\.json\./);
      expect(readFileSync(file(kept), 'utf8')).toBe(
        typeof content === 'string' ? content : JSON.stringify(content),
      );
      await store.remove('a');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('is replaced under a lock, which is gone when the next answer takes the name', async () => {
    await store.put(question('a'));
    write('a.answer.json', '');
    const { link } = fs.promises;
    const locks: string[][] = [];
    fs.promises.link = (...given) => {
      locks.push(readdirSync(folder).filter((name) => name.endsWith('.lock.tmp')));
      return link(...given);
    };
    try {
      await slowly(async () => expect(await store.answer('a', yes)).toBe(true));
    } finally {
      fs.promises.link = link;
      syncBuiltinESMExports();
    }
    expect(locks).toEqual([[], []]);
  });

  it('is replaced by one answer of many that come at once', async () => {
    await store.put(question('a'));
    write('a.answer.json', '');
    const answers = Array.from({ length: 20 }, (_, index) => ({
      result: deny(`${index}`),
      answeredAt: index,
    }));
    const taken = await Promise.all(answers.map((each) => new FileApprovalStore(folder).answer('a', each)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect((await store.get('a'))?.answer).toEqual(answers[taken.indexOf(true)]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.unused'))).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('says which file to delete when another process never finishes replacing it', async () => {
    await store.put(question('a'));
    write('a.answer.json', '');
    write('a.answer.json.lock.tmp', '');
    await expect(store.answer('a', yes)).rejects.toMatchObject({
      code: 'APPROVAL_FILE_STUCK',
      retryable: true,
      message: expect.stringContaining(file('a.answer.json.lock.tmp')) as string,
    });
    // Left by a process that was killed: swept after a minute.
    const long = new Date(Date.now() - 3_600_000);
    utimesSync(file('a.answer.json.lock.tmp'), long, long);
    await store.list();
    expect(await store.answer('a', yes)).toBe(true);
  });

  it('whose question is gone is swept in time, and so is one that was replaced', async () => {
    const long = new Date(Date.now() - 3_600_000);
    for (const name of ['gone.answer.json', 'gone.answer.json.1.unused']) {
      write(name, '');
      utimesSync(file(name), long, long);
    }
    await store.list();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('in a question is skipped and named', async () => {
    await store.put(question('a'));
    write('cut.question.json', '{"id":');
    write('empty.question.json', '');
    expect(await openIds()).toEqual(['a']);
    expect(ignored().toSorted()).toEqual([
      expect.stringContaining('cut.question.json'),
      expect.stringContaining('empty.question.json'),
    ]);
  });
});

describe('a file that was not made by the store', () => {
  beforeEach(async () => {
    for (const id of ['a', 'b']) await store.put(question(id));
  });

  onPosix(
    'is ignored where it is a link, a pipe, a folder or a socket, and nothing waits for it',
    async () => {
      await store.answer('a', yes);
      symlinkSync(file('a.answer.json'), file('b.answer.json'));
      expect(await openIds()).toEqual(['b']);
      expect(ignored()).toEqual([expect.stringContaining('b.answer.json is ignored: it is a symbolic link')]);
      rmSync(file('b.answer.json'));
      execFileSync('mkfifo', [file('b.answer.json')]);
      expect(await openIds()).toEqual(['b']);
      rmSync(file('b.answer.json'));
      mkdirSync(file('b.answer.json'));
      expect(await openIds()).toEqual(['b']);
      expect(await store.answer('b', yes)).toBe(true);
      expect(await openIds()).toEqual([]);
      await store.remove('b');
      expect(readdirSync(folder).sort()).toEqual(['a.answer.json', 'a.question.json']);
    },
  );

  onPosix.each<[string, (from: string, to: string) => void]>([
    ['a hard link to', linkSync],
    ['a new name of', renameSync],
  ])('is ignored where it is %s the answer to another question', async (_, move) => {
    await store.answer('a', yes);
    move(file('a.answer.json'), file('b.answer.json'));
    expect((await store.get('b'))?.answer).toBeUndefined();
    expect(ignored()).toEqual([expect.stringContaining('answers another question, a')]);
    expect(await store.answer('b', { ...yes, result: deny('No.') })).toBe(true);
    expect((await store.get('b'))?.answer?.result).toEqual(deny('No.'));
  });

  it('is ignored where it has the question of another file', async () => {
    renameSync(file('a.question.json'), file('b.question.json'));
    expect(await store.list()).toEqual([]);
    expect(await store.get('b')).toBeUndefined();
    expect(await store.answer('b', yes)).toBe(false);
    expect(ignored()[0]).toContain('has the question a, which belongs into another file');
  });

  onPosix.each([0o620, 0o602])('is ignored where others can change it (mode %o)', async (mode) => {
    await store.answer('a', yes);
    chmodSync(file('a.answer.json'), mode);
    expect(await openIds()).toEqual(['a', 'b']);
    expect(ignored()).toEqual([expect.stringContaining('can be written by other users (mode 06')]);
  });
});

describe('the folder', () => {
  onPosix.each([0o770, 0o707, 0o777, 0o2775])(
    'is refused where others can write to it (mode %o)',
    async (mode) => {
      await store.put(question('a'));
      chmodSync(folder, mode);
      const refusal = {
        code: 'APPROVAL_FOLDER_UNSAFE',
        message: expect.stringMatching(/can be written by .*chmod go?-w /) as string,
      };
      await expect(store.put(question('b'))).rejects.toMatchObject(refusal);
      await expect(store.answer('a', yes)).rejects.toMatchObject(refusal);
      await expect(store.get('a')).rejects.toMatchObject(refusal);
      await expect(store.list()).rejects.toMatchObject(refusal);
      expect(readdirSync(folder)).toEqual(['a.question.json']);
    },
  );

  onPosix('may be shared by a group on purpose, and then its files can be read by the group', async () => {
    chmodSync(folder, 0o2770);
    const shared = new FileApprovalStore(folder, { trustedUids: [4242] });
    const before = process.umask(0o077);
    try {
      await shared.put(question('a'));
    } finally {
      process.umask(before);
    }
    expect(await shared.answer('a', yes)).toBe(true);
    const modes = readdirSync(folder).map((name) => fs.statSync(file(name)).mode & 0o777);
    expect(modes).toEqual([0o640, 0o640]);
    chmodSync(folder, 0o2777);
    await expect(shared.list()).rejects.toMatchObject({ code: 'APPROVAL_FOLDER_UNSAFE' });
  });

  onPosix('may be like /tmp, where an answer that does not name its question does not count', async () => {
    chmodSync(folder, 0o1777);
    await store.put(question('a'));
    await store.put(question('b'));
    expect(await store.answer('a', yes)).toBe(true);
    write('b.answer.json', yes);
    expect(await openIds()).toEqual(['b']);
    expect(ignored()).toEqual([expect.stringContaining('does not say which question it answers')]);
  });

  it('may have answers of earlier versions, which name no question', async () => {
    await store.put(question('a'));
    write('a.answer.json', { format: 'inboard-approval', version: 1, ...yes });
    expect((await store.get('a'))?.answer).toEqual(yes);
  });

  it('is watched as soon as it can be made, and nobody is ended because it cannot', async () => {
    write('taken', 'a file');
    const late = createFileApprovalStore(join(file('taken'), 'approvals'));
    const changed = vi.fn();
    const stop = late.watch(changed);
    const approvals = createApprovals({ store: late });
    await expect(approvals.ask({ id: 'a', title: 'Pay?' })).rejects.toMatchObject({
      code: 'PERMISSION_UNAVAILABLE',
      cause: { code: 'ENOTDIR' },
    });
    expect(changed).not.toHaveBeenCalled();
    rmSync(file('taken'));
    await waitUntil(() => changed.mock.calls.length > 0);
    const before = changed.mock.calls.length;
    await late.put(question('a'));
    await waitUntil(() => changed.mock.calls.length > before);
    stop();
  });

  onPosix('may be reached through a link', async () => {
    await store.put(question('a'));
    symlinkSync(folder, `${folder}-link`);
    try {
      expect(await new FileApprovalStore(`${folder}-link`).list()).toEqual([question('a')]);
    } finally {
      rmSync(`${folder}-link`);
    }
  });
});

describe('a disk that fails', () => {
  /** Has a step fail once a file of the store is open, or the call itself. */
  async function failing(step: string, run: () => Promise<unknown>): Promise<void> {
    const real = { open: fs.promises.open, link: fs.promises.link, rename: fs.promises.rename };
    const fail = (): Promise<never> => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
    const target = fs.promises as unknown as Record<string, unknown>;
    if (step === 'link' || step === 'rename') target[step] = fail;
    else {
      target['open'] = async (path: string, ...rest: [string, number]) => {
        const handle = await real.open(path, ...rest);
        if (!path.endsWith('.tmp')) return handle;
        const close = handle.close.bind(handle);
        (handle as unknown as Record<string, unknown>)[step] =
          step === 'close' ? () => close().then(fail) : fail;
        return handle;
      };
    }
    syncBuiltinESMExports();
    try {
      await expect(run(), step).rejects.toThrow('ENOSPC');
    } finally {
      Object.assign(fs.promises, real);
      syncBuiltinESMExports();
    }
  }

  it('leaves nothing of what could not be written', async () => {
    await store.put(question('a'));
    for (const step of ['stat', 'writeFile', 'sync', 'close', 'rename'])
      await failing(step, () => store.put(question('b')));
    for (const step of ['stat', 'writeFile', 'sync', 'close', 'link'])
      await failing(step, () => store.answer('a', yes));
    expect(readdirSync(folder)).toEqual(['a.question.json']);
    expect(await store.answer('a', yes)).toBe(true);
  });

  it('is told of only once nothing is left of the file', async () => {
    await slowly(async () => {
      await failing('writeFile', async () => {
        await store.put(question('b')).finally(() => expect(readdirSync(folder)).toEqual([]));
      });
    });
  });

  onPosix('leaves nothing where the group cannot be given its right to read', async () => {
    chmodSync(folder, 0o2770);
    const shared = new FileApprovalStore(folder, { trustedUids: [4242] });
    await failing('chmod', () => shared.put(question('b')));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['ELOOP', 'EMLINK', 'EACCES', 'EPERM', 'ENXIO', 'EISDIR'])(
    'has a file ignored that cannot be opened for good: %s',
    async (code) => {
      await store.put(question('a'));
      await store.answer('a', yes);
      await refusing(code, async () => expect(await openIds()).toEqual(['a']));
      expect(ignored()).toEqual([expect.stringContaining(`${file('a.answer.json')} is ignored`)]);
    },
  );

  it('has no answer taken for missing that cannot be opened just now', async () => {
    await store.put(question('a'));
    await store.answer('a', yes);
    await refusing(
      'EMFILE',
      async () => await expect(store.list()).rejects.toMatchObject({ code: 'EMFILE' }),
    );
  });

  /** Lets no answer be opened. */
  async function refusing(code: string, run: () => Promise<unknown>): Promise<void> {
    const { open } = fs.promises;
    fs.promises.open = (path, ...rest) =>
      String(path).endsWith('.answer.json')
        ? Promise.reject(Object.assign(new Error(code), { code }))
        : open(path, ...rest);
    syncBuiltinESMExports();
    try {
      await run();
    } finally {
      fs.promises.open = open;
      syncBuiltinESMExports();
    }
  }
});

describe('who counts', () => {
  const stats = (uid: number, mode: number) => ({ uid, mode }) as fs.Stats;
  const users = { own: 1000, isAmbiguous: false };
  const owners = (trusted: number[] = [], own: Partial<typeof users> | { own: undefined } = {}) =>
    new FileOwners(trusted, { ...users, ...own });

  it('is this user, and who is named; root only for the folder', () => {
    expect(owners().findFault(stats(1000, 0o600))).toBeUndefined();
    expect(owners().findFault(stats(0, 0o600))).toContain('belongs to the user 0, and not to 1000');
    expect(owners().findFault(stats(1001, 0o600))).toContain('user 1001');
    expect(owners([1001]).findFault(stats(1001, 0o600))).toBeUndefined();
    expect(owners([1001]).findFault(stats(1001, 0o660))).toContain('mode 0660');
    expect(owners().checkFolder('/f', stats(0, 0o755))).toEqual({ othersCanWrite: false });
    expect(() => owners().checkFolder('/f', stats(1001, 0o700))).toThrow('"trustedUids": [1001]');
    expect(owners([1001]).checkFolder('/f', stats(1001, 0o700))).toEqual({ othersCanWrite: false });
    expect(owners([1001]).checkFolder('/f', stats(0, 0o2770))).toEqual({ othersCanWrite: true });
  });

  it('is nobody by number where a number stands for many, unless it is named', () => {
    const ambiguous = { own: 65_534, isAmbiguous: true };
    expect(owners([], ambiguous).findFault(stats(65_534, 0o600))).toContain('user namespace');
    expect(() => owners([], ambiguous).checkFolder('/f', stats(65_534, 0o700))).toThrow('user namespace');
    expect(() => owners([], ambiguous).checkWritten('/f', stats(65_534, 0o600))).toThrow('user namespace');
    expect(owners([65_534], ambiguous).findFault(stats(65_534, 0o600))).toBeUndefined();
  });

  it('is told as soon as a file is written where root is somebody else, as over NFS', () => {
    const root = { own: 0 };
    expect(() => owners([], root).checkWritten('/f', stats(65_534, 0o600))).toThrow(/root squash.*\[65534\]/);
    expect(() => owners([65_534], root).checkWritten('/f', stats(65_534, 0o600))).not.toThrow();
  });

  it('is whoever can write where users have no numbers', () => {
    const windows = owners([], { own: undefined });
    expect(windows.findFault(stats(0, 0o666))).toBeUndefined();
    expect(windows.checkFolder('/f', stats(0, 0o777))).toEqual({ othersCanWrite: false });
    expect(() => windows.checkWritten('/f', stats(0, 0o666))).not.toThrow();
  });
});

it.each<[unknown[], string]>([
  [[], 'must be a path'],
  [[''], 'must be a path'],
  [['/f', 'x'], 'must be an object'],
  [['/f', { trustedUid: 5 }], 'no option "trustedUid"'],
  [['/f', { trustedUids: 5 }], 'list of the numbers'],
  [['/f', { trustedUids: ['ann'] }], 'list of the numbers'],
  [['/f', { trustedUids: [-1] }], 'list of the numbers'],
])('refuses to be made with %j', (given, message) => {
  expect(() => createFileApprovalStore(...(given as [string]))).toThrow(message);
});
