import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readProcessStart } from '../../../src/wire/process/owned-folder.js';
import { endLeftovers, isGroupAlive, signalGroup } from '../../../src/wire/process/run/process-group.js';
import {
  listDescendantGroups,
  readProcessTable,
  shareProcessTable,
} from '../../../src/wire/process/run/process-table.js';
import type { ProcessEntry } from '../../../src/wire/process/run/process-table.js';
import { isRunning } from '../../../../../test/support/is-running.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';

describe('listDescendantGroups', () => {
  const entry = (pid: number, parent: number, group: number): ProcessEntry => ({
    pid,
    parent,
    group,
    isZombie: false,
  });

  it('gives the groups opened below a process, in whatever order the table is', () => {
    const table = [
      entry(30, 20, 20),
      entry(20, 11, 20),
      entry(11, 10, 10),
      entry(10, 1, 10),
      entry(40, 1, 40),
    ];
    expect(listDescendantGroups(10, table)).toEqual([20]);
    expect(listDescendantGroups(40, table)).toEqual([]);
  });

  it('never gives a group that somebody else leads', () => {
    const table = [entry(10, 1, 10), entry(11, 10, 500), entry(500, 1, 500)];
    expect(listDescendantGroups(10, table)).toEqual([]);
  });
});

describe('readProcessTable', () => {
  it('shows this process with its parent', () => {
    expect(readProcessTable().find(({ pid }) => pid === process.pid)).toMatchObject({ parent: process.ppid });
  });

  it('is read once for all that are killed in one turn of the event loop, and anew in the next', async () => {
    const first = shareProcessTable();
    expect(shareProcessTable()).toBe(first);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(shareProcessTable()).not.toBe(first);
  });
});

describe('a process group', () => {
  function startGroup(script: string): number {
    const leader = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
    const pid = leader.pid as number;
    onTestFinished(() => void signalGroup(pid, 'SIGKILL'));
    return pid;
  }

  it('never means this process or all processes', () => {
    for (const group of [0, 1, -5, Number.NaN, 1.5]) expect(signalGroup(group, 0)).toBe(false);
  });

  it('is alive as long as a member is, and ended by endLeftovers', async () => {
    const leader = startGroup(`trap '' TERM; sleep 300 & exit 0`);
    await waitUntil(() => !isRunning(leader));
    expect(isGroupAlive(leader)).toBe(true);
    await endLeftovers(leader, { leaveMs: 10, killMs: 10 });
    expect(isGroupAlive(leader)).toBe(false);
  });

  it('may leave by itself, while the host goes on with its work', async () => {
    const leader = startGroup('exec sleep 300');
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
      signalGroup(leader, 'SIGKILL');
    });
    await endLeftovers(leader, { leaveMs: 5000, killMs: 10 });
    expect(hasTurned).toBe(true);
    expect(isGroupAlive(leader)).toBe(false);
  });

  it('of no process is no work', async () => {
    const leader = startGroup('exit 0');
    await waitUntil(() => !isRunning(leader));
    expect(isGroupAlive(leader)).toBe(false);
    await endLeftovers(leader);
  });

  it('of a zombie only is not alive', async () => {
    // The one process of the new group has ended, and its parent never collects it.
    const parent = spawn('/bin/sh', ['-c', 'setsid sleep 0.1 & echo $!; exec sleep 300'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    let output = '';
    parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitUntil(() => output.endsWith('\n'));
    const group = Number(output);
    const isZombie = () => readProcessTable().some((entry) => entry.pid === group && entry.isZombie);
    await waitUntil(isZombie, 15_000, 'a zombie');
    expect(signalGroup(group, 0)).toBe(true);
    expect(isGroupAlive(group)).toBe(false);
    // Nor does it own folders any more.
    expect(readProcessStart(group)).toBeUndefined();
    expect(readProcessStart(parent.pid as number)).toMatch(/^\d+$/);
  });
});
