// Renames over files that are open, which only Windows refuses.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { moveOver } from '../../src/util/move-over.js';
import { disk } from '../../src/util/system/disk.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'move-over-'));
  writeFileSync(join(folder, 'new'), 'new');
  writeFileSync(join(folder, 'old'), 'old');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function refuse(times: number, code: string) {
  const rename = disk.promises.rename;
  let refused = 0;
  return vi.spyOn(disk.promises, 'rename').mockImplementation(async (from, to) => {
    refused += 1;
    if (refused <= times) throw Object.assign(new Error(code), { code });
    await rename(from, to);
  });
}

const move = (platform: NodeJS.Platform) => moveOver(join(folder, 'new'), join(folder, 'old'), platform);

it.each(['EPERM', 'EACCES', 'EBUSY'])('tries again on Windows after %s', async (code) => {
  vi.useFakeTimers();
  const rename = refuse(3, code);
  const moving = move('win32');
  await vi.runAllTimersAsync();
  await moving;
  expect(rename).toHaveBeenCalledTimes(4);
  expect(readFileSync(join(folder, 'old'), 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['old']);
});

it('gives up after some seconds, with the error of the system', async () => {
  vi.useFakeTimers();
  const begun = Date.now();
  refuse(Number.POSITIVE_INFINITY, 'EBUSY');
  const moving = move('win32').catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await moving).toMatchObject({ code: 'EBUSY' });
  expect(Date.now() - begun).toBeGreaterThan(2000);
  expect(Date.now() - begun).toBeLessThan(5000);
});

it('does not wait for another error, nor on another system', async () => {
  const rename = refuse(2, 'ENOENT');
  await expect(move('win32')).rejects.toMatchObject({ code: 'ENOENT' });
  rename.mockRestore();
  refuse(1, 'EPERM');
  await expect(move('linux')).rejects.toMatchObject({ code: 'EPERM' });
});
