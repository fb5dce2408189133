// Call records in files: what is on disk, what is trusted, what is bounded, and what becomes of damage.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_FACT_LINE_BYTES, MAX_RESULT_CHARACTERS } from '../../../src/record/calls/file/call-lines.js';
import { createFileCallRecords, FileRecords } from '../../../src/record/calls/file/file-call-records.js';
import type { CallClaim, CallFact, RecordedResult } from '../../../src/wire/protocol/config/call-records.js';
import { describeSelf } from '../../../src/wire/process/owned-folder.js';
import { breakDisk } from '../../../../../test/support/full-disk.js';

let root: string;
let folder: string;
let log: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'calls-'));
  folder = join(root, 'projects', '-work', 'session');
  log = join(folder, 'inboard-calls.jsonl');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true, force: true });
});

const waiting = (callKey: string, at = 1): CallFact => ({ type: 'waiting', callKey, at });
const covers = (message: string): CallFact => ({ type: 'covers', message, at: 1 });
const ended = (callKey: string, text = 'done'): CallFact => ({
  type: 'ended',
  callKey,
  result: { content: [{ type: 'text', text }] },
  at: 2,
});
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const listWarnings = (): { codes: string[]; stop: () => void } => {
  const codes: string[] = [];
  const spy = vi.spyOn(process, 'emitWarning').mockImplementation((...given: unknown[]) => {
    codes.push(`${(given[1] as { code: string }).code} ${String(given[0])}`);
  });
  return { codes, stop: () => spy.mockRestore() };
};
const descriptors = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return statSync(`/proc/self/fd/${fd}`).ino === statSync(log).ino;
    } catch {
      return false;
    }
  }).length;

describe('on disk', () => {
  it('there is a line for each fact, with the version, for this user alone', async () => {
    await using records = createFileCallRecords({ folder });
    expect(existsSync(folder)).toBe(false);
    expect(records.add(waiting('a'))).toBeUndefined();
    void records.add(covers('m'));
    const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { v: 1, id: expect.any(String) as string, ...waiting('a') },
      { v: 1, id: expect.any(String) as string, ...covers('m') },
    ]);
    expect([modeOf(folder), modeOf(log)]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder)).toEqual(['inboard-calls.jsonl']);
  });

  it('a folder that is there keeps its mode, and a log that others could read is closed to them', () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    writeFileSync(log, '');
    chmodSync(log, 0o644);
    void createFileCallRecords({ folder }).add(waiting('a'));
    expect([modeOf(folder), modeOf(log)]).toEqual([0o755, 0o600]);
  });

  it('the file is open while it is used, and closed when it is idle or when the records are', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const records = createFileCallRecords({ folder });
    void records.add(waiting('a'));
    expect(descriptors()).toBe(1);
    vi.advanceTimersByTime(20_000);
    void records.add(waiting('b'));
    vi.advanceTimersByTime(20_000);
    expect(descriptors()).toBe(1);
    vi.advanceTimersByTime(20_000);
    expect(descriptors()).toBe(0);
    void records.add(waiting('c'));
    expect(descriptors()).toBe(1);
    await records.close();
    expect([descriptors(), vi.getTimerCount()]).toEqual([0, 0]);
    expect(await records.load()).toHaveLength(3);
  });

  it('a log that was deleted or replaced while it is open is written anew', async () => {
    await using records = createFileCallRecords({ folder });
    void records.add(waiting('a'));
    rmSync(folder, { recursive: true });
    void records.add(waiting('b'));
    expect(await records.load()).toEqual([waiting('b')]);
    renameSync(log, join(folder, 'elsewhere'));
    void records.add(waiting('c'));
    expect(await records.load()).toEqual([waiting('c')]);
  });

  it('wrong arguments are refused', () => {
    expect(() => createFileCallRecords({ folder: '' })).toThrow(/folder must be a path/);
    const records = createFileCallRecords({ folder });
    expect(() => records.add({ type: 'ended', callKey: 'a', result: { big: 1n }, at: 1 })).toThrow(
      /"ended" about the call "a".*no JSON/,
    );
    expect(existsSync(folder)).toBe(false);
  });
});

describe('a large fact', () => {
  const text = 'é'.repeat(MAX_FACT_LINE_BYTES);

  it('is in a file of its own, which its line names, and does not hold up others', async () => {
    await using records = createFileCallRecords({ folder });
    const adding = records.add(ended('large', text));
    void records.add(waiting('small'));
    // The small one did not wait.
    expect(readFileSync(log, 'utf8')).toContain('"small"');
    await adding;
    const [file = ''] = readdirSync(folder).filter((name) => name.startsWith('inboard-call-'));
    expect(modeOf(join(folder, file))).toBe(0o600);
    expect(statSync(log).size).toBeLessThan(1000);
    expect(await records.load()).toEqual([waiting('small'), ended('large', text)]);
  });

  it('lets the process do other things while it is written, and is as it was when it was added', async () => {
    await using records = createFileCallRecords({ folder });
    const result = { content: [{ type: 'text', text: 'x'.repeat(20 * 1024 * 1024) }] };
    const [block] = result.content;
    const asAdded = JSON.stringify({ type: 'ended', callKey: 'large', result, at: 1 });
    let turns = 0;
    let isAdded = false;
    const count = (): void => {
      turns += 1;
      if (!isAdded) setImmediate(count);
    };
    setImmediate(count);
    const adding = records.add({ type: 'ended', callKey: 'large', result, at: 1 });
    if (block) block.text = 'changed';
    await adding;
    isAdded = true;
    // Some for each megabyte.
    expect(turns).toBeGreaterThan(40);
    const [fact] = await records.load();
    expect(JSON.stringify(fact) === asAdded).toBe(true);
  });

  it('may be a list of many small values', async () => {
    await using records = createFileCallRecords({ folder });
    const content = Array.from({ length: 50_000 }, (_, at) => ({ type: 'text', text: `${at} 😀` }));
    const fact: CallFact = { type: 'ended', callKey: 'many', result: { content }, at: 1 };
    await records.add(fact);
    expect(await records.load()).toEqual([fact]);
  });

  it('is waited for by close()', async () => {
    const records = createFileCallRecords({ folder });
    void records.add(ended('large', text));
    await records.close();
    expect(await createFileCallRecords({ folder }).load()).toEqual([ended('large', text)]);
  });

  it.each(['gone', 'damaged', 'of another call'])('does not count where its file is %s', async (what) => {
    await using records = createFileCallRecords({ folder });
    void records.add(covers('m'));
    await records.add(ended('large', text));
    const [name = ''] = readdirSync(folder).filter((each) => each.startsWith('inboard-call-'));
    const file = join(folder, name);
    if (what === 'gone') rmSync(file);
    else writeFileSync(file, what === 'damaged' ? '{"type":' : JSON.stringify(ended('another')));
    const warnings = listWarnings();
    // Nor does what would say that a call never began.
    expect(await records.load()).toEqual([]);
    void records.add(covers('later'));
    expect(await records.load()).toEqual([covers('later')]);
    warnings.stop();
    expect(warnings.codes).toEqual([expect.stringContaining(`CALL_RECORDS_IGNORED`)]);
    expect(warnings.codes[0]).toContain(name);
  });

  it('that no request could hold is replaced by a sentence that says so', async () => {
    await using records = createFileCallRecords({ folder });
    const huge = 'x'.repeat(MAX_RESULT_CHARACTERS);
    const result: RecordedResult = {
      content: [{ type: 'text', text: huge }],
      isError: true,
      _meta: { a: 1 },
    };
    await records.add({ type: 'ended', callKey: 'huge', result, at: 1 });
    const [fact] = await records.load();
    expect(fact).toMatchObject({
      result: {
        content: [
          {
            type: 'text',
            text: expect.stringMatching(/^\[The call ended, but its result of about 3\d+ /) as string,
          },
        ],
        isError: true,
        _meta: { a: 1, 'inboard/not-recorded': { limit: MAX_RESULT_CHARACTERS } },
      },
    });
    expect(statSync(log).size).toBeLessThan(1000);
  });
});

describe('damage', () => {
  it('of a torn line costs that line alone', async () => {
    await using records = createFileCallRecords({ folder });
    void records.add(waiting('a'));
    for (const torn of ['{"v":1,"id":"x-1","type":"waiting","call', '{"v":1', '\n\n{']) {
      appendFileSync(log, torn);
      expect(await records.load()).not.toContain(undefined);
      void records.add(waiting(torn));
    }
    const keys = (await records.load()).map((fact) => 'callKey' in fact && fact.callKey);
    expect(keys).toEqual(['a', '{"v":1,"id":"x-1","type":"waiting","call', '{"v":1', '\n\n{']);
  });

  it('of a line in the middle is said, and a call that may be in it does not count as one that never began', async () => {
    const warnings = listWarnings();
    await using records = createFileCallRecords({ folder });
    void records.add(covers('before'));
    const call = { toolName: 'mcp__a__b', input: {}, attempt: 1, owner: 'me', at: 1 };
    void records.add({ type: 'begun', callKey: 'a', ...call });
    const text = readFileSync(log, 'utf8');
    for (const damaged of [
      text.replace('"type":"begun"', '"t\u0000pe":"begun"'),
      text.replace('"type":"begun"', '"type":"begu'),
      text.replace('"callKey":"a"', '"callKey":7'),
      text.replace(/.*"begun".*/, 'ÿÿ\u0000'),
    ]) {
      writeFileSync(log, damaged);
      expect(await records.load()).toEqual([]);
    }
    warnings.stop();
    expect(warnings.codes).toEqual([
      expect.stringMatching(/^CALL_RECORDS_IGNORED .*a line of it is damaged/s),
    ]);
    void records.add(covers('after'));
    expect(await records.load()).toEqual([covers('after')]);
  });

  it('by a power failure is possible: after the machine was started anew, no call counts as one that never began', async () => {
    await using records = createFileCallRecords({ folder });
    const here = describeSelf();
    const owners = [here, { ...here, boot: 'another' }, { ...here, boot: '' }].map((each) =>
      JSON.stringify(each),
    );
    for (const owner of [...owners, 'somebody']) void records.add({ ...covers(owner), owner } as CallFact);
    const loaded = await records.load();
    expect(loaded.map((fact) => 'owner' in fact && fact.owner)).toEqual([owners[0], owners[2], 'somebody']);
  });

  it('of anything else is skipped', async () => {
    const warnings = listWarnings();
    await using records = createFileCallRecords({ folder });
    void records.add(waiting('a'));
    const lines = [
      'null',
      '[]',
      '{"v":1}',
      '{"v":0,"id":"x","type":"waiting","callKey":"c","at":1}',
      'ÿ\u0000',
    ];
    lines.push('{"v":1,"id":"y","type":"ended","callKey":"c","at":1,"result":7}', '{"v":"1"}');
    lines.push(
      '{"v":1,"id":"z","type":"moon","at":1}',
      '{"v":1,"id":"f","type":"ended","at":1,"file":"../../x"}',
    );
    appendFileSync(log, `${lines.join('\n')}\n`);
    void records.add(waiting('b'));
    expect(await records.load()).toEqual([waiting('a'), waiting('b')]);
    warnings.stop();
  });

  it('by lines of a newer version is none: they are skipped, said once, and nothing is taken for certain that they may change', async () => {
    await using records = createFileCallRecords({ folder });
    void records.add(covers('before'));
    void records.add(waiting('a'));
    const newer = '{"v":2,"id":"n-1","kind":"begun","call":"b"}\n';
    appendFileSync(log, newer + newer);
    void records.add(covers('after'));
    const warnings = listWarnings();
    expect(await records.load()).toEqual([waiting('a'), covers('after')]);
    expect(await records.load()).toHaveLength(2);
    warnings.stop();
    expect(warnings.codes).toEqual([
      expect.stringMatching(
        /^CALL_RECORDS_IGNORED .*version 2 of the format inboard-calls.*update the package/s,
      ),
    ]);
    expect(readFileSync(log, 'utf8')).toContain(newer);
  });

  it('by a line that is there twice is none', async () => {
    await using records = createFileCallRecords({ folder });
    void records.add(waiting('a'));
    void records.add(waiting('a'));
    const [line = ''] = readFileSync(log, 'utf8').split('\n').filter(Boolean);
    appendFileSync(log, `${line}\n`);
    expect(await records.load()).toEqual([waiting('a'), waiting('a')]);
  });

  it.each<[string, string, { sync?: string[]; promises?: string[] }, CallFact]>([
    ['a full disk', 'ENOSPC', { sync: ['writeSync'] }, waiting('b')],
    [
      'a full disk and a large fact',
      'ENOSPC',
      { promises: ['open'] },
      ended('b', 'é'.repeat(MAX_FACT_LINE_BYTES)),
    ],
    ['no descriptors', 'EMFILE', { sync: ['openSync'] }, waiting('b')],
  ])('by %s is reported, and the next fact is added', async (_, code, calls, fact) => {
    const records = createFileCallRecords({ folder });
    void records.add(waiting('a'));
    await records.close();
    const restore = breakDisk(code, calls);
    const failure = { code: 'CALL_RECORDS_FAILED', retryable: true, cause: { code } };
    try {
      await expect(async () => await records.add(fact)).rejects.toMatchObject(failure);
    } finally {
      restore();
    }
    await records.add(fact);
    expect(await records.load()).toEqual([waiting('a'), fact]);
    await records.close();
  });
});

describe('what is not trusted', () => {
  const own = process.geteuid?.() ?? 0;
  const put = (mode: number): void => {
    void createFileCallRecords({ folder }).add(ended('forged'));
    chmodSync(log, mode);
  };

  it.each<[string, () => FileRecords]>([
    [
      'a log that others can write',
      () => {
        put(0o666);
        return new FileRecords({ folder });
      },
    ],
    [
      'a log that the group can write',
      () => {
        put(0o620);
        return new FileRecords({ folder });
      },
    ],
    [
      'a link',
      () => {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(root, 'target'), '');
        symlinkSync(join(root, 'target'), log);
        return new FileRecords({ folder });
      },
    ],
    [
      'a folder',
      () => {
        mkdirSync(log, { recursive: true });
        return new FileRecords({ folder });
      },
    ],
    [
      'a log of another user',
      () => {
        put(0o600);
        return new FileRecords({ folder }, { users: { own: own + 1, isAmbiguous: false } });
      },
    ],
    [
      'a log of a user who stands for all others',
      () => {
        put(0o600);
        return new FileRecords({ folder }, { users: { own, isAmbiguous: true } });
      },
    ],
    [
      'a log in a folder that everybody can write',
      () => {
        put(0o600);
        chmodSync(folder, 0o777);
        return new FileRecords({ folder });
      },
    ],
    [
      'a log behind a link to its folder',
      () => {
        put(0o600);
        renameSync(folder, join(root, 'moved'));
        symlinkSync(join(root, 'moved'), folder);
        return new FileRecords({ folder });
      },
    ],
  ])('%s is neither read nor written', async (_, prepare) => {
    const records = prepare();
    const warnings = listWarnings();
    expect(await records.load()).toEqual([]);
    warnings.stop();
    expect(warnings.codes).toEqual([expect.stringMatching(/^CALL_RECORDS_IGNORED .*it is not used/)]);
    expect(() => records.add(waiting('a'))).toThrow(
      expect.objectContaining({
        code: 'CALL_RECORDS_UNSAFE',
        message: expect.stringContaining(root) as string,
      }),
    );
  });

  it('is not a folder that the group can write, as the CLI makes it under some umasks', async () => {
    void createFileCallRecords({ folder }).add(waiting('a'));
    chmodSync(folder, 0o775);
    expect(await createFileCallRecords({ folder }).load()).toEqual([waiting('a')]);
  });
});

describe('the claim', () => {
  const self = { pid: process.pid, start: '', boot: 'boot', pidSpace: 'pid:[1]', host: 'h' };
  let wall = 1_794_000_000_000;
  let steady = 5_000;
  const clocks = { wall: () => wall, steady: () => steady };
  const open = (more: object = {}): FileRecords =>
    new FileRecords({ folder }, { clocks, self: { ...self, ...more } });
  const claim = (records: FileRecords, owner: string) => records.claim({ owner, ttlMs: 10_000 });
  const pass = (ms: number): void => {
    wall += ms;
    steady += ms;
  };

  it('is not ended, nor prolonged, by a clock that is set', async () => {
    const first = (await claim(open(), 'a')) as CallClaim;
    wall += 3_600_000;
    expect(await claim(open(), 'b')).toEqual({ heldBy: 'a', until: wall + 10_000 });
    expect(await first.renew()).toBe(true);
    wall -= 7_200_000;
    expect(await claim(open(), 'b')).toEqual({ heldBy: 'a', until: wall + 10_000 });
    steady += 10_000;
    expect(await claim(open(), 'b')).toHaveProperty('renew');
    expect(await first.renew()).toBe(false);
  });

  it.each([
    ['on another start of the system', { boot: 'later' }],
    ['in another container', { pidSpace: 'pid:[2]' }],
    ['where the system tells nothing', { boot: '', pidSpace: '' }],
  ])('of a process %s counts until it has run out, by the wall clock', async (_, more) => {
    // Its number and start are those of no process here.
    const holder = new FileRecords({ folder }, { clocks, self: { ...self, pid: 1, start: 'gone' } });
    await claim(holder, 'a');
    const end = wall + 10_000;
    expect(await claim(open(more), 'b')).toEqual({ heldBy: 'a', until: end });
    pass(9_999);
    expect(await claim(open(more), 'b')).toEqual({ heldBy: 'a', until: end });
    pass(1);
    expect(await claim(open(more), 'b')).toHaveProperty('renew');
  });

  it('of a process whose number another process has now is free', async () => {
    await claim(open({ start: 'earlier' }), 'a');
    expect(await claim(open(), 'b')).toHaveProperty('renew');
  });

  it('that seems to last for days, because a clock was set back, is free', async () => {
    await claim(open(), 'a');
    wall -= 3 * 24 * 60 * 60 * 1000;
    expect(await claim(open({ boot: 'other' }), 'b')).toHaveProperty('renew');
  });

  it('that has run out, and that nobody took, is renewed', async () => {
    const own = (await claim(open(), 'a')) as CallClaim;
    pass(60_000);
    expect(await own.renew()).toBe(true);
    expect(await claim(open(), 'b')).toMatchObject({ heldBy: 'a' });
  });

  it('that cannot be read is waited for, for ten minutes', async () => {
    await claim(open(), 'a');
    const states = join(folder, 'inboard-calls.claim');
    writeFileSync(join(states, '2.json'), '', { mode: 0o600 });
    utimesSync(join(states, '2.json'), wall / 1000, wall / 1000);
    expect(await claim(open(), 'b')).toEqual({ heldBy: 'unknown', until: wall + 60_000 });
    pass(60_000);
    expect(await claim(open(), 'b')).toHaveProperty('renew');
  });

  it('leaves few files, whatever was left by processes that were killed', async () => {
    const states = join(folder, 'inboard-calls.claim');
    const own = (await claim(open(), 'a')) as CallClaim;
    writeFileSync(join(states, 'left.tmp'), '');
    utimesSync(join(states, 'left.tmp'), 1, 1);
    for (let at = 0; at < 20; at += 1) await own.renew();
    await own.release();
    expect(readdirSync(states).sort()).toEqual(['19.json', '20.json', '21.json', '22.json']);
    expect(modeOf(states)).toBe(0o700);
    expect(await claim(open(), 'b')).toHaveProperty('renew');
  });

  it('does not come back to a process that slept while states were removed', async () => {
    const slept = (await claim(open(), 'a')) as CallClaim;
    pass(20_000);
    const other = (await claim(open(), 'b')) as CallClaim;
    for (let at = 0; at < 20; at += 1) await other.renew();
    expect([await slept.renew(), await other.renew()]).toEqual([false, true]);
  });

  it('is lost with the session, and does not reach over to a new one of the same name', async () => {
    const own = (await claim(open(), 'a')) as CallClaim;
    for (let at = 0; at < 5; at += 1) await own.renew();
    rmSync(folder, { recursive: true });
    const next = (await claim(open(), 'b')) as CallClaim;
    expect([await own.renew(), await next.renew()]).toEqual([false, true]);
    rmSync(folder, { recursive: true });
    expect(await next.renew()).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  it('is changed by one call at a time, however many are made', async () => {
    const own = (await claim(open(), 'a')) as CallClaim;
    expect(await Promise.all(Array.from({ length: 10 }, () => own.renew()))).toEqual(Array(10).fill(true));
  });

  it('works where a file system has no second names', async () => {
    const restore = breakDisk('EPERM', { promises: ['link'] });
    try {
      const own = (await claim(open(), 'a')) as CallClaim;
      expect(await claim(open(), 'b')).toMatchObject({ heldBy: 'a' });
      expect(await own.renew()).toBe(true);
    } finally {
      restore();
    }
  });

  it('that cannot be written is a failure, not a claim', async () => {
    const own = (await claim(open(), 'a')) as CallClaim;
    const restore = breakDisk('ENOSPC', { promises: ['writeFile'] });
    try {
      const failure = { code: 'CALL_RECORDS_FAILED', cause: { code: 'ENOSPC' } };
      await expect(own.renew()).rejects.toMatchObject(failure);
      pass(20_000);
      await expect(claim(open(), 'b')).rejects.toMatchObject(failure);
    } finally {
      restore();
    }
    expect(await own.renew()).toBe(true);
  });
});

describe('compact()', () => {
  const old = (count: number): CallFact[] => [
    covers('m1'),
    ...Array.from({ length: count }, (_, at) => ended(`old-${at}`)),
    waiting('open'),
    covers('m2'),
  ];
  const isDelivered = (): boolean => true;
  const take = async (records: FileRecords): Promise<CallClaim> =>
    (await records.claim({ owner: 'x', ttlMs: 60_000 })) as CallClaim;

  it('removes what was delivered in earlier turns, with its files, and leaves nothing of it on disk', async () => {
    await using records = new FileRecords({ folder });
    const large = ended('old-large', 'é'.repeat(MAX_FACT_LINE_BYTES));
    const keptLarge = ended('kept', 'é'.repeat(MAX_FACT_LINE_BYTES));
    await records.add(large);
    for (const fact of old(100)) void records.add(fact);
    await records.add(keptLarge);
    const claim = await take(records);
    expect(await records.compact({ claim, isDelivered })).toBe(false);
    expect(await records.compact({ claim, isDelivered, maxBytes: 1000 })).toBe(true);
    expect(await records.load()).toEqual([waiting('open'), covers('m2'), keptLarge]);
    void records.add(waiting('new'));
    expect(await new FileRecords({ folder }).load()).toEqual([
      waiting('open'),
      covers('m2'),
      keptLarge,
      waiting('new'),
    ]);
    const texts = readdirSync(folder)
      .filter((name) => name !== 'inboard-calls.claim')
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts.join('')).not.toContain('old-');
    expect(readdirSync(folder).map((name) => modeOf(join(folder, name)) & 0o077)).toEqual([0, 0, 0, 0]);
    // Again, on top of that.
    for (const fact of old(50)) void records.add(fact);
    expect(await records.compact({ claim, isDelivered, maxBytes: 1000 })).toBe(true);
    expect(await records.load()).toEqual([waiting('open'), waiting('new'), waiting('open'), covers('m2')]);
  });

  it('does nothing without the claim', async () => {
    await using records = new FileRecords({ folder });
    for (const fact of old(10)) void records.add(fact);
    const claim = await take(records);
    await claim.release();
    expect(await records.compact({ claim, isDelivered, maxBytes: 1 })).toBe(false);
    expect(await records.load()).toEqual(old(10));
  });

  it('does nothing where a newer version has written, or a claim is lost on the way', async () => {
    await using records = new FileRecords({ folder });
    for (const fact of old(10)) void records.add(fact);
    const before = readFileSync(log, 'utf8');
    let renewals = 0;
    const lost: CallClaim = { renew: async () => (renewals += 1) === 1, release: async () => {} };
    expect(await records.compact({ claim: lost, isDelivered, maxBytes: 1 })).toBe(false);
    expect([renewals, readFileSync(log, 'utf8'), readdirSync(folder)]).toEqual([
      2,
      before,
      ['inboard-calls.jsonl'],
    ]);
    appendFileSync(log, '{"v":3,"id":"a"}\n');
    const warnings = listWarnings();
    expect(await records.compact({ claim: await take(records), isDelivered, maxBytes: 1 })).toBe(false);
    warnings.stop();
    expect(readFileSync(log, 'utf8')).toBe(`${before}{"v":3,"id":"a"}\n`);
  });

  it.each([
    ['a damaged line', '{"v":1,"id":7,"type":"ended"}'],
    ['a line of a newer version', '{"v":3,"id":"a"}'],
    ['a line of a type that it does not know', '{"v":1,"id":"a","type":"paused","callKey":"k","at":1}'],
  ])('loses no line: it does nothing where the log begins with %s', async (_what, line) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(log, `${line}\n`, { mode: 0o600 });
    await using records = new FileRecords({ folder });
    for (const fact of old(10)) void records.add(fact);
    const before = readFileSync(log, 'utf8');
    const warnings = listWarnings();
    expect(await records.compact({ claim: await take(records), isDelivered, maxBytes: 1 })).toBe(false);
    warnings.stop();
    expect(readFileSync(log, 'utf8')).toBe(before);
  });

  it('leaves the log as it is where the file system has no second names', async () => {
    await using records = new FileRecords({ folder });
    for (const fact of old(10)) void records.add(fact);
    const claim = await take(records);
    const free: CallClaim = { renew: async () => true, release: () => claim.release() };
    const restore = breakDisk('EPERM', { promises: ['link'] });
    try {
      expect(await records.compact({ claim: free, isDelivered, maxBytes: 1 })).toBe(false);
    } finally {
      restore();
    }
    expect(await records.load()).toEqual(old(10));
    expect(readdirSync(folder)).toEqual(['inboard-calls.claim', 'inboard-calls.jsonl']);
  });

  it('gives way to another process that does it, and removes what one left that was killed a day ago', async () => {
    await using records = new FileRecords({ folder });
    for (const fact of old(10)) void records.add(fact);
    const claim = await take(records);
    const left = ['inboard-calls-0.lock', 'inboard-calls-7.tail'].map((name) => join(folder, name));
    for (const path of left) writeFileSync(path, '');
    linkSync(log, join(folder, 'inboard-calls-0.jsonl'));
    expect(await records.compact({ claim, isDelivered, maxBytes: 1 })).toBe(false);
    expect(await records.load()).toEqual(old(10));
    for (const path of left) utimesSync(path, 1, 1);
    expect(await records.compact({ claim, isDelivered, maxBytes: 1 })).toBe(true);
    expect(await records.load()).toEqual([waiting('open'), covers('m2')]);
    expect(readdirSync(folder).sort()).toEqual([
      'inboard-calls-0.tail',
      'inboard-calls.claim',
      'inboard-calls.jsonl',
    ]);
  });

  it('says so where the end of the log before is gone', async () => {
    await using records = new FileRecords({ folder });
    for (const fact of old(10)) void records.add(fact);
    await records.compact({ claim: await take(records), isDelivered, maxBytes: 1 });
    rmSync(join(folder, 'inboard-calls-0.tail'));
    const warnings = listWarnings();
    expect(await records.load()).toEqual([waiting('open')]);
    warnings.stop();
    expect(warnings.codes).toEqual([expect.stringContaining('the end of the log before it is gone')]);
  });
});
