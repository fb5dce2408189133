// How children end when their host does. The host is a process of its own, run from compiled sources.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TestContext } from 'vitest';
import type { GuardedChild } from '../../../src/wire/process/run/guardian.js';
import { createHostDeathWatch, type WhenHostDies } from '../../../src/wire/process/run/host-death.js';
import { readProcessTable } from '../../../src/wire/process/run/process-table.js';
import { buildSource } from '../../../../../test/support/build-source.js';
import type { BuiltSource } from '../../../../../test/support/build-source.js';
import {
  interceptSpawn,
  refuseSpawn,
  type SpawnRequest,
} from '../../../../../test/support/intercept-spawn.js';
import { isRunning } from '../../../../../test/support/is-running.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';

const HOST = fileURLToPath(new URL('../../../../../test/fixtures/children/host.mjs', import.meta.url));
const GUARDED_HOST = fileURLToPath(
  new URL('../../../../../test/fixtures/children/guarded-host.mjs', import.meta.url),
);
const STUBBORN = `trap '' TERM; echo ready; while :; do sleep 1; done`;

let built: BuiltSource;
beforeAll(() => {
  built = buildSource(
    'core/src/wire/transport/process-transport.ts',
    'core/src/wire/process/run/host-death.ts',
  );
}, 60_000);
afterAll(() => built.remove());

interface RunningHost {
  child: number;
  said: string;
  /** Everything the host started besides the child. */
  guardians: number[];
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

interface HostPlan {
  /** What the child does, as a shell script. */
  script: string;
  /** What the host does once the child has said something. */
  afterwards: 'stay' | 'exit' | 'throw' | 'end';
  whenHostDies?: WhenHostDies;
  context: TestContext;
}

async function startHost({ script, afterwards, whenHostDies, context }: HostPlan): Promise<RunningHost> {
  const more = whenHostDies ? [JSON.stringify(whenHostDies)] : [];
  const host = spawn(process.execPath, [HOST, built.folder, script, afterwards, ...more], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = host.pid as number;
  const exited = new Promise<number | null>((resolve) => host.once('exit', resolve));
  let output = '';
  host.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  context.onTestFinished(() => void host.kill('SIGKILL'));
  await waitUntil(() => output.includes('\n'), 15_000, 'a line from the host');
  const { child, said } = JSON.parse(output.split('\n')[0] ?? '') as { child: number; said: string };
  context.onTestFinished(() => killGroup(child));
  const guardians = readProcessTable()
    .filter((entry) => entry.parent === pid && entry.pid !== child)
    .map((entry) => entry.pid);
  return { child, said, guardians, exited, kill: (signal) => void host.kill(signal) };
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Gone, as it should be.
  }
}

/** A file that does not exist yet, in a folder that goes with the test. */
function createNote(context: TestContext): { path: string; isThere: () => boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-test-'));
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'note');
  return { path, isThere: () => existsSync(path) };
}

describe.concurrent('a host', () => {
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
    it(`killed by ${signal} takes a child that minds nothing with it`, async (context) => {
      const host = await startHost({ script: STUBBORN, afterwards: 'stay', context });
      context.expect(host.guardians).toHaveLength(1);
      host.kill(signal);
      await host.exited;
      await waitUntil(() => !isRunning(host.child));
      await waitUntil(() => !host.guardians.some(isRunning));
    });
  }

  it('killed takes everything below the child with it, whatever session or parent it has', async (context) => {
    const script = `trap '' TERM
      sleep 300 >/dev/null & in_group=$!
      setsid sleep 300 >/dev/null & in_session=$!
      env -i "$(command -v setsid)" "$(command -v sleep)" 300 >/dev/null & unmarked=$!
      adopted=$(setsid sh -c 'sleep 300 >/dev/null & echo $!')
      echo $in_group $in_session $unmarked $adopted; wait`;
    const host = await startHost({ script, afterwards: 'stay', context });
    const below = host.said.split(' ').map(Number);
    context.expect(below).toHaveLength(4);
    context.onTestFinished(() => below.forEach((pid) => killProcess(pid)));
    const parents = new Map(readProcessTable().map(({ pid, parent }) => [pid, parent]));
    // The last one's own parent is gone: nothing but the mark tells where it comes from.
    context.expect(below.map((pid) => parents.get(pid) === host.child)).toEqual([true, true, true, false]);
    host.kill('SIGKILL');
    await waitUntil(() => !isRunning(host.child) && !below.some(isRunning));
  });

  it('killed leaves what others started alone', async (context) => {
    const other = spawn('/bin/sleep', ['300'], { stdio: 'ignore' });
    context.onTestFinished(() => void other.kill('SIGKILL'));
    const host = await startHost({ script: STUBBORN, afterwards: 'stay', context });
    host.kill('SIGKILL');
    await waitUntil(() => !host.guardians.some(isRunning));
    context.expect(isRunning(other.pid as number)).toBe(true);
  });

  it('killed gives a child its grace, in which it leaves because its input ended', async (context) => {
    const note = createNote(context);
    const script = `echo ready; cat >/dev/null; sleep 0.3; echo left >'${note.path}'`;
    const whenHostDies = { graceMs: 60_000 };
    const host = await startHost({ script, afterwards: 'stay', whenHostDies, context });
    host.kill('SIGKILL');
    await waitUntil(() => !isRunning(host.child));
    await waitUntil(() => !host.guardians.some(isRunning));
    context.expect(note.isThere()).toBe(true);
  });

  it('killed takes a child with it whose grace is over', async (context) => {
    const host = await startHost({
      script: STUBBORN,
      afterwards: 'stay',
      whenHostDies: { graceMs: 250 },
      context,
    });
    host.kill('SIGKILL');
    await waitUntil(() => !isRunning(host.child));
  });

  it('that exits in an orderly way lets its children write down what they have', async (context) => {
    const note = createNote(context);
    // The shell reports on stderr, which has no reader any more, that its sleep was ended.
    const script = `exec 2>/dev/null; trap 'sleep 0.3; echo left >"${note.path}"; exit 0' TERM
      echo ready; while :; do sleep 0.1; done`;
    const host = await startHost({ script, afterwards: 'exit', context });
    context.expect(await host.exited).toBe(0);
    await waitUntil(() => !isRunning(host.child));
    context.expect(note.isThere()).toBe(true);
  });

  for (const [afterwards, code] of [
    ['exit', 0],
    ['throw', 1],
  ] as const) {
    it(`ending through ${afterwards} with a child running leaves nothing behind`, async (context) => {
      const host = await startHost({ script: STUBBORN, afterwards, context });
      context.expect(await host.exited).toBe(code);
      await waitUntil(() => !isRunning(host.child));
    });
  }

  it('killed leaves alone what was taken back', async (context) => {
    const groups = ['kept', 'released'].map(() =>
      spawn('/bin/sleep', ['300'], { detached: true, stdio: 'ignore' }),
    );
    const [kept, released] = groups.map((group) => group.pid as number) as [number, number];
    context.onTestFinished(() => groups.forEach((group) => group.kill('SIGKILL')));
    const args = [GUARDED_HOST, built.folder, String(kept), String(released)];
    const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    context.onTestFinished(() => void host.kill('SIGKILL'));
    await new Promise((resolve) => host.stdout.once('data', resolve));
    host.kill('SIGKILL');
    await waitUntil(() => !isRunning(kept));
    context.expect(isRunning(released)).toBe(true);
  });

  it('is not held up by anything once its child is gone', async (context) => {
    const host = await startHost({ script: 'echo ready; exec cat', afterwards: 'end', context });
    context.expect(await host.exited).toBe(0);
    context.expect(isRunning(host.child)).toBe(false);
    await waitUntil(() => !host.guardians.some(isRunning));
  });
});

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone, as it should be.
  }
}

function listenForWarnings(): Error[] {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  return warnings;
}

describe('the guardian', () => {
  function listChildren(): number[] {
    return readProcessTable()
      .filter((entry) => entry.parent === process.pid && !entry.isZombie)
      .map((entry) => entry.pid);
  }

  function startGroup(): number {
    const child = spawn('/bin/sleep', ['300'], { detached: true, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child.pid as number;
  }

  function guard(pid: number): GuardedChild {
    return { pid, mark: `test.${pid};`, graceMs: 0 };
  }

  it('is one for all, and is replaced however often it is lost, as long as there are children', async () => {
    const watch = createHostDeathWatch('linux');
    const warnings = listenForWarnings();
    const groups = [startGroup(), startGroup()];
    const before = new Set(listChildren());
    const findGuardians = (): number[] => listChildren().filter((pid) => !before.has(pid));
    expect(watch.standing()).toBeUndefined();
    for (const group of groups) watch.add(guard(group));
    const seen = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      await watch.standing();
      expect(watch.standing()).toBeUndefined();
      const [guardian, ...others] = findGuardians();
      expect(others).toEqual([]);
      expect(seen.has(guardian as number)).toBe(false);
      seen.add(guardian as number);
      // Out of reach of what the terminal sends to the group of the host.
      const group = readProcessTable().find(({ pid }) => pid === guardian)?.group;
      expect(group).toBe(guardian);
      process.kill(guardian as number, 'SIGKILL');
      // The loss itself may be over between two looks.
      const isReplaced = (): boolean => findGuardians().some((pid) => !seen.has(pid));
      await waitUntil(isReplaced, 15_000, 'another guardian');
    }
    await watch.standing();
    const [last] = findGuardians();
    for (const group of groups) watch.remove(group);
    process.kill(last as number, 'SIGKILL');
    await waitUntil(() => !isRunning(last as number));
    await new Promise((resolve) => setImmediate(resolve));
    // Nothing is left to guard, so no other guard takes its place.
    expect(findGuardians()).toEqual([]);
    expect(watch.standing()).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('listens for the exit of the host once for all children, and only while there are any', () => {
    const count = () => process.listenerCount('exit');
    const before = count();
    const watch = createHostDeathWatch('linux');
    for (let pid = 2_000_000_001; pid < 2_000_000_005; pid += 1) watch.add(guard(pid));
    expect(count()).toBe(before + 1);
    for (let pid = 2_000_000_001; pid < 2_000_000_005; pid += 1) watch.remove(pid);
    expect(count()).toBe(before);
  });

  it('that cannot be started is warned about once, and prompts go on without it', async () => {
    const watch = createHostDeathWatch('linux', '/nowhere/sh');
    const warnings = listenForWarnings();
    for (let pid = 2_000_000_001; pid < 2_000_000_005; pid += 1) {
      watch.add(guard(pid));
      await watch.standing();
      expect(watch.standing()).toBeUndefined();
    }
    for (let pid = 2_000_000_001; pid < 2_000_000_005; pid += 1) watch.remove(pid);
    await waitUntil(() => warnings.length > 0);
    expect(warnings).toMatchObject([{ code: 'INBOARD_NO_GUARDIAN' }]);
    expect(warnings[0]?.message).toContain('(/nowhere/sh: spawn /nowhere/sh ENOENT)');
  });

  describe('played', () => {
    const PID = 2_000_000_001;

    /** Guardians that do as the test says; `turn` lets the event loop come round, and the clock stands still. */
    function playGuardians(play: (child: ChildProcess) => void = addPipes) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const started: ChildProcess[] = [];
      const requests: SpawnRequest[] = [];
      interceptSpawn((child, request) => {
        started.push(child);
        requests.push(request);
        play(child);
        return true;
      });
      const watch = createHostDeathWatch('linux');
      onTestFinished(() => watch.remove(PID));
      return { watch, started, requests, warnings: listenForWarnings() };
    }

    function addPipes(child: ChildProcess): void {
      Object.assign(child, { stdin: new PassThrough(), stdout: new PassThrough() });
    }

    function say(child: ChildProcess | undefined): void {
      child?.stdout?.emit('data', 'x');
    }

    async function turn(): Promise<void> {
      for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
    }

    it('is tried again at once, then after a growing while, for as long as there is a child', async () => {
      const { watch, started, warnings } = playGuardians((child) => refuseSpawn(child, 'EMFILE'));
      watch.add(guard(PID));
      await turn();
      expect(started).toHaveLength(2);
      let count = 2;
      for (const delayMs of [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]) {
        vi.advanceTimersByTime(delayMs - 1);
        await turn();
        expect(started).toHaveLength(count);
        vi.advanceTimersByTime(1);
        await turn();
        expect(started).toHaveLength((count += 1));
      }
      watch.remove(PID);
      vi.advanceTimersByTime(60_000);
      await turn();
      expect(started).toHaveLength(count);
      // Told once, by the reason of the system.
      expect(warnings.map(({ message }) => message)).toEqual([
        expect.stringContaining('(/bin/sh: spawn EMFILE)'),
      ]);
    });

    it('that has stood for a second is replaced as if none had been lost before', async () => {
      const { watch, started, warnings } = playGuardians();
      watch.add(guard(PID));
      for (const [stoodMs, delayMs] of [
        [0, 0],
        [999, 50],
        [999, 100],
        [1000, 0],
        [0, 0],
        [0, 50],
      ] as const) {
        await turn();
        const guardian = started.at(-1);
        const standing = watch.standing();
        expect(standing).toBeInstanceOf(Promise);
        say(guardian);
        await standing;
        expect(watch.standing()).toBeUndefined();
        vi.advanceTimersByTime(stoodMs);
        const count = started.length;
        guardian?.emit('exit', null, 'SIGKILL');
        await turn();
        if (delayMs > 0) {
          vi.advanceTimersByTime(delayMs - 1);
          await turn();
          expect(started).toHaveLength(count);
          vi.advanceTimersByTime(1);
          await turn();
        }
        expect(started).toHaveLength(count + 1);
      }
      expect(warnings).toEqual([]);
    });

    it('whose pipe breaks is lost once, and its successor is told of all children', async () => {
      const { watch, started, requests, warnings } = playGuardians();
      watch.add(guard(PID));
      watch.add({ pid: PID + 1, mark: 'm;', graceMs: 60_000 });
      onTestFinished(() => watch.remove(PID + 1));
      await turn();
      say(started[0]);
      await watch.standing();
      const [first] = started;
      first?.stdin?.destroy(new Error('write EPIPE'));
      await turn();
      expect(started).toHaveLength(2);
      say(started[1]);
      // News of the first are none of the second's.
      say(first);
      first?.emit('error', new Error('late'));
      first?.emit('exit', null, 'SIGKILL');
      await turn();
      expect(started).toHaveLength(2);
      expect(watch.standing()).toBeUndefined();
      watch.remove(PID + 1);
      const { stdin } = started[1] as ChildProcess & { stdin: PassThrough };
      // Node 26 gives one piece at a time, earlier ones give all at once.
      const pieces: unknown[] = [];
      for (let piece = stdin.read() as unknown; piece !== null; piece = stdin.read()) pieces.push(piece);
      const told = pieces.join('').split('\n');
      expect(told[0]).toBe(`+ ${PID} test.${PID}; 0`);
      expect(told[1]).toMatch(new RegExp(`^\\+ ${PID + 1} m; [1-9]\\d*$`));
      expect(told.slice(2)).toEqual([`- ${PID + 1}`, '']);
      expect(requests[1]).toMatchObject({ file: '/bin/sh', detached: true, cwd: '/' });
      expect(warnings).toEqual([]);
    });

    it('that says nothing holds prompts back for five seconds', async () => {
      const { watch, warnings } = playGuardians();
      watch.add(guard(PID));
      await turn();
      let isOver = false;
      void watch.standing()?.then(() => (isOver = true));
      vi.advanceTimersByTime(4999);
      await turn();
      expect(isOver).toBe(false);
      vi.advanceTimersByTime(1);
      await turn();
      expect(isOver).toBe(true);
      expect(watch.standing()).toBeUndefined();
      expect(warnings).toMatchObject([{ code: 'INBOARD_NO_GUARDIAN' }]);
      expect(warnings[0]?.message).toContain('it did not start within 5000 ms');
    });

    it('that ends before it stands is warned about, and the next one is waited for again', async () => {
      const { watch, started, warnings } = playGuardians();
      watch.add(guard(PID));
      await turn();
      const standing = watch.standing();
      started[0]?.emit('exit', 127, null);
      await standing;
      await turn();
      expect(warnings[0]?.message).toContain('(/bin/sh: it ended at once)');
      say(started[1]);
      await turn();
      started[1]?.emit('exit', null, 'SIGKILL');
      expect(watch.standing()).toBeInstanceOf(Promise);
      expect(warnings).toHaveLength(1);
    });
  });
});

describe('on Windows', () => {
  it('one listener on the process serves all children and goes with the last', () => {
    const count = () => process.listenerCount('exit');
    const before = count();
    const watch = createHostDeathWatch('win32');
    for (let pid = 1_000_000_001; pid < 1_000_000_100; pid += 1) watch.add({ pid, mark: '', graceMs: 0 });
    expect(count()).toBe(before + 1);
    for (let pid = 1_000_000_001; pid < 1_000_000_100; pid += 1) watch.remove(pid);
    expect(count()).toBe(before);
    watch.remove(5);
    expect(count()).toBe(before);
  });
});
