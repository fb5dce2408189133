// What is started on Windows to end a tree of processes, and what happens if it fails. Wine runs the rest (test/windows).
import type { ChildProcess } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { endWindowsTree, endWindowsTreesNow } from '../../../src/wire/process/run/windows-tree.js';
import { findSystemProgram } from '../../../src/wire/process/system-program.js';
import { processes } from '../../../src/util/system/processes.js';
import {
  interceptSpawn,
  refuseSpawn,
  type SpawnRequest,
} from '../../../../../test/support/intercept-spawn.js';

describe('the programs of Windows', () => {
  it('are named by their whole path', () => {
    expect(findSystemProgram('taskkill.exe', { systemroot: 'D:\\Windows' })).toBe(
      'D:\\Windows\\System32\\taskkill.exe',
    );
  });

  it('are on disk C: where the variable is missing or relative', () => {
    const expected = 'C:\\Windows\\System32\\taskkill.exe';
    expect(findSystemProgram('taskkill.exe', {})).toBe(expected);
    expect(findSystemProgram('taskkill.exe', { SystemRoot: '' })).toBe(expected);
    expect(findSystemProgram('taskkill.exe', { SystemRoot: '.' })).toBe(expected);
  });
});

describe('endWindowsTree', () => {
  function start(answer: (killer: ChildProcess) => void) {
    const kill = vi.fn(() => true);
    let request: SpawnRequest | undefined;
    interceptSpawn((killer, asked) => {
      request = asked;
      answer(killer);
      return true;
    });
    endWindowsTree(7, { kill });
    return { kill, request };
  }

  it('starts the system’s program by its path', async () => {
    const { kill, request } = start((killer) => process.nextTick(() => killer.emit('exit', 0, null)));
    await new Promise(setImmediate);
    expect(request?.file).toBe(findSystemProgram('taskkill.exe'));
    expect(request?.args.slice(1)).toEqual(['/T', '/F', '/PID', '7']);
    expect(kill).not.toHaveBeenCalled();
  });

  it('kills the child alone if that program fails', async () => {
    const { kill } = start((killer) => process.nextTick(() => killer.emit('exit', 1, null)));
    await new Promise(setImmediate);
    expect(kill).toHaveBeenCalledWith('SIGKILL');
  });

  it('kills the child alone if that program is missing', async () => {
    const { kill } = start((killer) => refuseSpawn(killer, 'ENOENT'));
    await new Promise(setImmediate);
    expect(kill).toHaveBeenCalledWith('SIGKILL');
  });
});

describe('endWindowsTreesNow', () => {
  it('names all processes at once, and kills each by itself if that fails', () => {
    const killed: number[] = [];
    vi.spyOn(process, 'kill').mockImplementation((pid) => {
      killed.push(pid);
      if (pid === 8) throw new Error('gone');
      return true;
    });
    const spawn = vi.spyOn(processes, 'spawnSync');
    spawn.mockReturnValueOnce({ status: 0 } as never);
    endWindowsTreesNow([7, 8]);
    expect(spawn).toHaveBeenCalledWith(
      findSystemProgram('taskkill.exe'),
      ['/T', '/F', '/PID', '7', '/PID', '8'],
      expect.anything(),
    );
    expect(killed).toEqual([]);
    spawn.mockReturnValueOnce({ status: null } as never);
    endWindowsTreesNow([7, 8, 9]);
    expect(killed).toEqual([7, 8, 9]);
    vi.restoreAllMocks();
  });
});
