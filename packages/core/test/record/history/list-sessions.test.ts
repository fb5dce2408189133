// Where sessions are looked for, and that looking costs little. What is shown about them is in official-answers.
import { execFile } from 'node:child_process';
import fs, {
  appendFileSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { getSessionInfo, listSessions } from '../../../src/record/history/sessions/list-sessions.js';
import { deleteSession, renameSession } from '../../../src/record/history/sessions/change-session.js';
import { forkSession } from '../../../src/record/history/sessions/fork-session.js';
import { listSubagents } from '../../../src/record/history/sessions/subagents.js';
import { KnownSessions } from '../../../src/record/history/sessions/known-sessions.js';
import { createProjectKey } from '../../../src/record/history/folders/project-folders.js';
import { getSessionMessages } from '../../../src/record/history/sessions/session-messages.js';
import { buildSource, type BuiltSource } from '../../../../../test/support/build-source.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
import { createConfigFolder as createFolder, useConfigFolders } from './support/config-folder.js';
import { idOf, SESSION, textOf, user } from './support/entries.js';

const createConfigFolder = useConfigFolders();
const run = promisify(execFile);

const promptsOf = async (options?: Parameters<typeof listSessions>[0]): Promise<(string | undefined)[]> =>
  (await listSessions(options)).map(({ firstPrompt }) => firstPrompt);

describe('the config folder', () => {
  const home = process.env['HOME'];
  afterEach(() => {
    process.env['HOME'] = home;
  });

  it('is the one named by CLAUDE_CONFIG_DIR at the time of the call', async () => {
    createConfigFolder({ [`-p/${idOf(1)}.jsonl`]: [user(2, 'first folder')] });
    expect(await promptsOf()).toEqual(['first folder']);
    createConfigFolder({ [`-p/${idOf(1)}.jsonl`]: [user(2, 'second folder')] });
    expect(await promptsOf()).toEqual(['second folder']);
  });

  it('is that of another environment where one is given, for lists, one session and its messages', async () => {
    const { root } = createConfigFolder({ [`-p/${idOf(1)}.jsonl`]: [user(2, 'of the CLI')] });
    createConfigFolder({ [`-p/${idOf(3)}.jsonl`]: [user(4, 'of the process')] });
    const env = { CLAUDE_CONFIG_DIR: root };
    expect(await promptsOf({ env })).toEqual(['of the CLI']);
    expect(await promptsOf()).toEqual(['of the process']);
    expect(await getSessionInfo(idOf(1))).toBeUndefined();
    expect(await getSessionInfo(idOf(1), { env })).toMatchObject({ firstPrompt: 'of the CLI' });
    expect((await getSessionMessages(idOf(1), { env })).length).toBe(1);
    await renameSession(idOf(1), 'Renamed', { env });
    expect(await listSessions({ env })).toMatchObject([{ customTitle: 'Renamed' }]);
    const fork = await forkSession(idOf(1), { env });
    expect((await listSessions({ env })).length).toBe(2);
    await deleteSession(fork.sessionId, { env });
    await expect(deleteSession(idOf(1))).rejects.toThrow('not found');
    expect(await listSubagents(idOf(1), { env })).toEqual([]);
  });

  it('is .claude in the home folder when none is named', async () => {
    const { root } = createConfigFolder({});
    mkdirSync(join(root, '.claude', 'projects', '-p'), { recursive: true });
    writeFileSync(join(root, '.claude', 'projects', '-p', `${SESSION}.jsonl`), textOf([user(2, 'at home')]));
    process.env['HOME'] = root;
    delete process.env['CLAUDE_CONFIG_DIR'];
    expect(await promptsOf()).toEqual(['at home']);
    process.env['CLAUDE_CONFIG_DIR'] = '';
    expect(await promptsOf()).toEqual(['at home']);
  });

  it('need not exist', async () => {
    createConfigFolder({});
    expect(await listSessions()).toEqual([]);
    expect(await listSessions({ dir: '/x' })).toEqual([]);
    expect(await getSessionInfo(SESSION)).toBeUndefined();
  });
});

describe('a project', () => {
  it('has a folder whose name is cut and hashed when it is long', () => {
    expect(createProjectKey('/home/me/some.project_x')).toBe('-home-me-some-project-x');
    const long = `/${'abc/'.repeat(60)}end`;
    expect(createProjectKey(long)).toBe(`${'-abc'.repeat(50)}-lcz6bk`);
    expect(createProjectKey(`/${'x'.repeat(199)}`)).toHaveLength(200);
  });

  it('is found through a link to its directory', async () => {
    const { root } = createConfigFolder({});
    const real = realpathSync(root);
    mkdirSync(join(real, 'work'));
    symlinkSync(join(real, 'work'), join(real, 'link'));
    addSession(real, join(real, 'work'), 1);
    expect(await promptsOf({ dir: join(real, 'link') })).toEqual([`session of ${join(real, 'work')}`]);
  });
});

describe('worktrees', () => {
  it('share their sessions, also one whose folder is gone', async () => {
    const { real, listed } = createRepository();
    const all = ['gone', 'linked', 'main'].map((name) => join(real, name));
    expect(await listed('main')).toEqual(all);
    expect(await listed('linked')).toEqual(all);
    expect(await listed('main/inside')).toEqual([...all, join(real, 'main/inside')].sort());
    expect(await listed('linked', false)).toEqual([join(real, 'linked')]);
    expect(await listed('gone')).toEqual([join(real, 'gone')]);
    expect(await listed('elsewhere')).toEqual([join(real, 'elsewhere')]);
  });

  it('give a session its directory where it names none', async () => {
    const { real } = createRepository();
    const sessions = await listSessions({ dir: join(real, 'main') });
    expect(sessions.map(({ cwd, firstPrompt }) => `session of ${cwd}` === firstPrompt)).toEqual([
      true,
      true,
      true,
    ]);
    const linked = sessions.find(({ cwd }) => cwd === join(real, 'linked'));
    expect(await getSessionInfo(linked?.sessionId ?? '', { dir: join(real, 'main') })).toEqual(linked);
    expect(await getSessionMessages(linked?.sessionId ?? '', { dir: join(real, 'main') })).toHaveLength(1);
  });

  it('may have paths relative to the repository, and a repository without files of its own', async () => {
    const { root } = createConfigFolder({});
    const real = realpathSync(root);
    for (const folder of ['bare.git/objects', 'bare.git/refs', 'bare.git/worktrees/one', 'one']) {
      mkdirSync(join(real, folder), { recursive: true });
    }
    writeFileSync(join(real, 'bare.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(real, 'bare.git/worktrees/one/gitdir'), '../../../one/.git\n');
    writeFileSync(join(real, 'bare.git/worktrees/one/commondir'), '../..\n');
    writeFileSync(join(real, 'one/.git'), 'gitdir: ../bare.git/worktrees/one\n');
    addSession(real, join(real, 'one'), 1);
    addSession(real, join(real, 'bare.git'), 2);
    expect(await listSessions({ dir: join(real, 'one') })).toHaveLength(2);
    expect(await listSessions({ dir: join(real, 'bare.git') })).toHaveLength(2);
  });

  function createRepository() {
    const { root } = createConfigFolder({});
    const real = realpathSync(root);
    for (const folder of [
      'main/.git/worktrees/linked',
      'main/.git/worktrees/gone',
      'main/inside',
      'linked',
      'elsewhere',
    ]) {
      mkdirSync(join(real, folder), { recursive: true });
    }
    for (const name of ['linked', 'gone']) {
      writeFileSync(join(real, `main/.git/worktrees/${name}/gitdir`), `${join(real, name)}/.git\n`);
      writeFileSync(join(real, `main/.git/worktrees/${name}/commondir`), '../..\n');
    }
    writeFileSync(join(real, 'linked/.git'), `gitdir: ${join(real, 'main/.git/worktrees/linked')}\n`);
    const names = ['main', 'linked', 'gone', 'main/inside', 'elsewhere'];
    for (const [index, name] of names.entries()) addSession(real, join(real, name), index + 1);
    const listed = async (name: string, includeWorktrees = true): Promise<string[]> =>
      (await listSessions({ dir: join(real, name), includeWorktrees })).map(({ cwd }) => cwd ?? '').sort();
    return { real, listed };
  }
});

describe('listed again, transcripts', () => {
  const HOUR = 3_600_000;
  const MARK = JSON.stringify({ archived: true, at: '2026-01-01T00:00:00.000Z', by: 'sdk' });
  const files = {
    [`-p/${idOf(1)}.jsonl`]: [user(2, 'one')],
    [`-p/${idOf(2)}.jsonl`]: [user(2, 'two')],
    [`-p/${idOf(2)}/archived.json`]: [MARK],
    [`-q/${idOf(3)}.jsonl`]: [user(2, 'three')],
    [`-q/${idOf(3)}/subagents/agent-1.jsonl`]: [user(2, 'no mark here')],
  };

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** A later time, in which no file has been changed of late. */
  const settle = (): unknown => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR });

  const CALLS = ['statSync', 'openSync', 'readSync', 'fstatSync', 'closeSync'] as const;

  /** Counts what is asked of the system since the last time. */
  function countCalls(): () => Record<string, number> {
    // A busy machine would make files look slow, which then go to other threads.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const spies = CALLS.map((name) => vi.spyOn(fs, name));
    syncBuiltinESMExports();
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
      syncBuiltinESMExports();
    });
    return () => {
      const counts = spies.map((spy, index) => [CALLS[index], spy.mock.calls.length] as const);
      for (const spy of spies) spy.mockClear();
      return Object.fromEntries(counts.filter(([, count]) => count > 0));
    };
  }

  /** Counts what is read. */
  function countReads(): () => number {
    const callsSince = countCalls();
    return () => callsSince()['readSync'] ?? 0;
  }

  it('cost five questions each, and one when they are listed again', async () => {
    const many = Array.from({ length: 40 }, (_, index) => [`-p/${idOf(index + 1)}.jsonl`, [user(2, 'one')]]);
    createConfigFolder(Object.fromEntries(many));
    const callsSince = countCalls();
    settle();
    expect(await listSessions()).toHaveLength(40);
    expect(callsSince()).toEqual(Object.fromEntries(CALLS.map((name) => [name, 40])));
    expect(await listSessions()).toHaveLength(40);
    expect(callsSince()).toEqual({ statSync: 40 });
  });

  it('are not read again while they and their marks have not changed', async () => {
    createConfigFolder(files);
    const readsSince = countReads();
    settle();
    const first = await listSessions();
    expect(readsSince()).toBe(4);
    const second = await listSessions();
    expect(readsSince()).toBe(0);
    expect(second).toStrictEqual(first);
    expect(second.map(({ archived }) => archived)).toEqual([undefined, true, undefined]);
    // Changing the returned objects does not change what others get.
    Object.assign(second[0] ?? {}, { summary: 'changed' });
    expect(await listSessions()).toStrictEqual(first);
    expect(await listSessions({ limit: 2, offset: 1 })).toStrictEqual(first.slice(1, 2 + 1));
    expect(readsSince()).toBe(0);
  });

  it('are read again within two seconds of a change: the next could look the same', async () => {
    // The clock stands, however long this takes.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    createConfigFolder(files);
    const readsSince = countReads();
    await listSessions();
    expect(readsSince()).toBe(4);
    await listSessions();
    expect(readsSince()).toBe(4);
  });

  it('are known by directory, program and project as if they were read', async () => {
    createConfigFolder({
      [`${createProjectKey('/work')}/${idOf(1)}.jsonl`]: [user(2, 'mine', { cwd: undefined })],
      [`${createProjectKey('/work')}/${idOf(2)}.jsonl`]: [user(2, 'a program', { entrypoint: 'sdk-ts' })],
    });
    settle();
    for (let time = 0; time < 2; time++) {
      expect((await listSessions()).map(({ cwd }) => cwd)).toEqual([expect.any(String), undefined]);
      expect((await listSessions({ dir: '/work' })).map(({ cwd }) => cwd)).toContain('/work');
      expect(await promptsOf({ includeProgrammatic: false })).toEqual(['mine']);
    }
  });

  it('show every change of a transcript or a mark', async () => {
    let tick = 1_800_000_000;
    const ids = [idOf(1), idOf(2)];
    const change = fc.record({
      id: fc.constantFrom(...ids),
      file: fc.constantFrom('transcript', 'mark'),
      // Of the same length, so that the size tells nothing.
      how: fc.constantFrom('write', 'append', 'replace', 'empty', 'remove'),
      text: fc.constantFrom('aaa', 'bbb', 'ccc'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        vi.useRealTimers();
        const config = createFolder(files);
        settle();
        try {
          await listSessions();
          for (const { id, file, how, text } of changes) {
            const folder = join(config.root, 'projects', '-p');
            mkdirSync(join(folder, id), { recursive: true });
            const path = file === 'mark' ? join(folder, id, 'archived.json') : join(folder, `${id}.jsonl`);
            const mark = JSON.stringify({ archived: text !== 'aaa', at: '2026-01-01T00:00:00.000Z' });
            const content = file === 'mark' ? mark.padEnd(80) : textOf([user(2, text)]);
            if (how === 'remove') rmSync(path, { force: true });
            else if (how === 'append') appendFileSync(path, content);
            else if (how === 'replace') {
              writeFileSync(`${path}.new`, content);
              renameSync(`${path}.new`, path);
            } else writeFileSync(path, how === 'empty' ? '' : content);
            tick += 1;
            if (how !== 'remove') utimesSync(path, tick, tick);
            const listed = await listSessions();
            for (const each of ids)
              expect(listed.find(({ sessionId }) => sessionId === each)).toStrictEqual(
                await getSessionInfo(each),
              );
          }
        } finally {
          config.remove();
        }
      }),
      propertyOptions(15),
    );
  });

  it('are forgotten when there are too many, the longest unused first, and never kept when long', () => {
    const known = new KnownSessions();
    const stamp = { dev: 1, ino: 1, size: 1, mtimeMs: 0, ctimeMs: 0 };
    const stamps = { transcript: stamp, mark: undefined };
    const session = (summary: string) => ({
      isProgrammatic: false,
      info: { sessionId: SESSION, summary, lastModified: 0 },
    });
    known.remember('long', stamps, session('x'.repeat(5000)));
    expect(known.find('long', stamps)).toBeUndefined();
    known.remember('first', stamps, session('first'));
    known.remember('second', stamps, session('second'));
    expect(known.find('first', stamps)?.info?.summary).toBe('first');
    for (let count = 0; count < 19_999; count++) known.remember(String(count), stamps, session(''));
    expect(known.find('second', stamps)).toBeUndefined();
    expect(known.find('first', stamps)).toBeDefined();
    expect(known.find('first', { ...stamps, mark: stamp })).toBeUndefined();
  });
});

describe('thousands of large transcripts', () => {
  let built: BuiltSource | undefined;
  afterEach(() => {
    built?.remove();
    built = undefined;
  });

  it('are listed, and pages of one read, in a process with little memory', async () => {
    const folder = createConfigFolder({ '-p/x': '' });
    const project = join(folder.root, 'projects', '-p');
    // 64 MiB each, all but the ends a hole; and all the same file, so that it costs no disk.
    const first = join(project, `${idOf(1)}.jsonl`);
    writeFileSync(first, textOf([user(2, 'hello')]));
    truncateSync(first, 64 * 1024 * 1024);
    const file = openSync(first, 'a');
    writeSync(file, textOf(['', { type: 'custom-title', customTitle: 'Large' }]));
    closeSync(file);
    for (let number = 2; number <= 500; number++) linkSync(first, join(project, `${idOf(number)}.jsonl`));
    const small = textOf([user(2, 'Small')]);
    for (let number = 501; number <= 800; number++) {
      writeFileSync(join(project, `${idOf(number)}.jsonl`), small);
    }
    // A conversation of some 60 MiB, of which two messages are asked for.
    const talk = openSync(join(project, `${idOf(5000)}.jsonl`), 'w');
    for (let number = 10; number < 70; number++) {
      writeSync(
        talk,
        textOf([user(number, 'x'.repeat(1024 * 1024), { parent: number === 10 ? null : number - 1 })]),
      );
    }
    closeSync(talk);

    const sessions = 'core/src/record/history/sessions';
    built = buildSource(`${sessions}/session-messages.ts`, `${sessions}/list-sessions.ts`);
    const lists = join(dirname(built.file), 'list-sessions.js');
    const script = `
        import fs from 'node:fs';
        import { open } from 'node:fs/promises';
        import { syncBuiltinESMExports } from 'node:module';
        const { listSessions } = await import(${JSON.stringify(lists)});
        const { getSessionMessages } = await import(${JSON.stringify(built.file)});
        // Every read of a transcript goes through a file handle, or is made directly.
        const handle = await open(process.execPath);
        const prototype = Object.getPrototypeOf(handle);
        await handle.close();
        let bytes = 0;
        let reads = 0;
        const { read } = prototype;
        const count = (read) => {
          bytes += read;
          // What is let go of is collected soon: the peak then shows what is held, and not when the engine cleaned up.
          if ((reads += 1) % 64 === 0) gc();
        };
        prototype.read = async function (...given) {
          const done = await read.apply(this, given);
          count(done.bytesRead);
          return done;
        };
        const { readSync } = fs;
        fs.readSync = (...given) => {
          const read = readSync(...given);
          count(read);
          return read;
        };
        syncBuiltinESMExports();
        const measure = async (work) => {
          bytes = 0;
          const value = await work();
          return { value, bytes, peak: process.resourceUsage().maxRSS * 1024 };
        };
        const before = process.resourceUsage().maxRSS * 1024;
        const page = await measure(async () => (await listSessions({ limit: 3, offset: 10 })).length);
        const all = await measure(async () => (await listSessions()).map(({ summary }) => summary));
        const messages = await measure(async () =>
          (await getSessionMessages(${JSON.stringify(idOf(5000))}, { limit: 2, offset: 30 })).map(({ uuid }) => uuid));
        console.log(JSON.stringify({ before, page, all, messages }));
      `;
    const { stdout } = await run(
      process.execPath,
      ['--max-old-space-size=32', '--expose-gc', '--input-type=module', '--eval', script],
      { env: { ...process.env }, maxBuffer: 16 * 1024 * 1024 },
    );
    const { before, page, all, messages } = JSON.parse(stdout) as Record<
      'page' | 'all' | 'messages',
      { value: unknown; bytes: number; peak: number }
    > & { before: number };
    const countOf = (summary: string): number =>
      (all.value as string[]).filter((each) => each === summary).length;
    expect([countOf('Large'), countOf('Small')]).toEqual([500, 300]);
    expect(page.value).toBe(3);
    expect(messages.value).toEqual([idOf(40), idOf(41)]);
    // Of 31 GiB, two ends of 64 KiB for each large one; for a page, no more than a handful.
    expect(all.bytes).toBeLessThanOrEqual(501 * 128 * 1024 + 300 * small.length);
    expect(page.bytes).toBeLessThanOrEqual(32 * 128 * 1024);
    // Nor is any of it held: the memory of the process grows by less than a single large one takes.
    expect(all.peak - before).toBeLessThan(64 * 1024 * 1024);
    expect(messages.peak - all.peak).toBeLessThan(64 * 1024 * 1024);
  }, 120_000);
});

function addSession(root: string, cwd: string, number: number): void {
  const folder = join(root, 'projects', createProjectKey(cwd));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${idOf(number)}.jsonl`),
    textOf([user(2, `session of ${cwd}`, { cwd: undefined, gitBranch: undefined })]),
  );
}
