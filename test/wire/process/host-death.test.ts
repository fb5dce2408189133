// How children end when their host does. The host is a process of its own, run from compiled sources.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TestContext } from 'vitest';
import { createHostDeathWatch } from '../../../src/wire/process/run/host-death.js';
import { readProcessTable } from '../../../src/wire/process/run/process-table.js';
import { buildSource } from '../../support/build-source.js';
import type { BuiltSource } from '../../support/build-source.js';
import { isRunning } from '../../support/is-running.js';
import { waitUntil } from '../../support/wait-until.js';

const HOST = fileURLToPath(new URL('../../fixtures/children/host.mjs', import.meta.url));
const GUARDED_HOST = fileURLToPath(new URL('../../fixtures/children/guarded-host.mjs', import.meta.url));
const STUBBORN = `trap '' TERM; echo ready; while :; do sleep 1; done`;

let built: BuiltSource;
beforeAll(() => {
  built = buildSource('wire/transport/process-transport.ts');
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
  context: TestContext;
}

async function startHost({ script, afterwards, context }: HostPlan): Promise<RunningHost> {
  const host = spawn(process.execPath, [HOST, built.folder, script, afterwards], {
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

// The guardian gives five seconds in all; side by side the tests take no longer than one of them.
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

  it('killed takes what the child started with it', async (context) => {
    const script = `trap '' TERM; sleep 300 >/dev/null & echo $!; wait`;
    const host = await startHost({ script, afterwards: 'stay', context });
    const below = Number(host.said);
    context.expect(isRunning(below)).toBe(true);
    host.kill('SIGKILL');
    await waitUntil(() => !isRunning(below) && !isRunning(host.child));
  });

  it('killed lets a child that minds the end of its input leave by itself', async (context) => {
    const host = await startHost({ script: 'echo ready; exec cat', afterwards: 'stay', context });
    host.kill('SIGKILL');
    await waitUntil(() => !isRunning(host.child));
    await waitUntil(() => !host.guardians.some(isRunning));
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

  it('is one for all, is replaced when it was killed, and given up when that goes on', async () => {
    const watch = createHostDeathWatch('linux');
    const groups = [startGroup(), startGroup()];
    const before = new Set(listChildren());
    const waitForGuardian = async (than?: number): Promise<number> => {
      let found: number[] = [];
      await waitUntil(
        () => {
          found = listChildren().filter((pid) => !before.has(pid) && pid !== than);
          return found.length > 0;
        },
        15_000,
        'a guardian',
      );
      expect(found).toHaveLength(1);
      return found[0] as number;
    };
    for (const group of groups) watch.add(group);
    const first = await waitForGuardian();
    process.kill(first, 'SIGKILL');
    const second = await waitForGuardian(first);
    for (const group of groups) watch.remove(group);
    process.kill(second, 'SIGKILL');
    await waitUntil(() => !isRunning(second));
    // Nothing was left to guard, so nobody took its place until now.
    watch.add(groups[0] as number);
    const third = await waitForGuardian();
    process.kill(third, 'SIGKILL');
    await waitUntil(() => !isRunning(third));
    watch.add(groups[1] as number);
    expect(listChildren().filter((pid) => !before.has(pid))).toEqual([]);
  });
});

describe('a system without the shell', () => {
  it('goes on without a guardian', async () => {
    const watch = createHostDeathWatch('linux', '/nowhere/sh');
    for (let group = 2_000_000_001; group < 2_000_000_010; group += 1) {
      watch.add(group);
      await new Promise((resolve) => setImmediate(resolve));
      watch.remove(group);
    }
    watch.add(2_000_000_001);
    watch.remove(2_000_000_001);
  });
});

describe('on Windows', () => {
  it('one listener on the process serves all children and goes with the last', () => {
    const count = () => process.listenerCount('exit');
    const before = count();
    const watch = createHostDeathWatch('win32');
    for (let pid = 1_000_000_001; pid < 1_000_000_100; pid += 1) watch.add(pid);
    expect(count()).toBe(before + 1);
    for (let pid = 1_000_000_001; pid < 1_000_000_100; pid += 1) watch.remove(pid);
    expect(count()).toBe(before);
    watch.remove(5);
    expect(count()).toBe(before);
  });
});
