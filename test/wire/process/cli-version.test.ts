import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { probeCliVersion } from '../../../src/wire/process/find/cli-version.js';
import { compareVersions } from '../../../src/wire/process/find/compare-versions.js';
import { isRunning } from '../../support/is-running.js';
import { waitUntil } from '../../support/wait-until.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inboard-version-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeCli(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const probe = (command: string, more: { args?: string[]; timeoutMs?: number } = {}) =>
  probeCliVersion({ command, env: process.env, cwd: folder, ...more });

describe('probeCliVersion', () => {
  it('asks once per file, and again when the file changed', async () => {
    const log = join(folder, 'log');
    const cli = writeCli('counted', `echo "$@" >> '${log}'\necho "2.1.7 (Claude Code)"`);
    expect(await Promise.all([probe(cli), probe(cli)])).toEqual(['2.1.7', '2.1.7']);
    expect(await probe(cli)).toBe('2.1.7');
    expect(readFileSync(log, 'utf8')).toBe('--version\n');
    writeCli('counted', `echo "$@" >> '${log}'\necho 2.1.8`);
    utimesSync(cli, 1, 1);
    expect(await probe(cli)).toBe('2.1.8');
    expect(readFileSync(log, 'utf8')).toBe('--version\n--version\n');
  });

  it('asks a script through its runtime', async () => {
    const script = join(folder, 'cli.mjs');
    writeFileSync(script, 'console.log(process.argv[2] === "--version" ? "v2.1.33" : "no")');
    expect(await probe(process.execPath, { args: [script] })).toBe('2.1.33');
  });

  it('gives undefined for what cannot be started, fails, or says something else', async () => {
    expect(await probe(join(folder, 'missing'))).toBeUndefined();
    expect(await probe(writeCli('failing', 'exit 1'))).toBeUndefined();
    expect(await probe(writeCli('wordy', 'echo hello'))).toBeUndefined();
    expect(await probe(writeCli('talkative', `echo '{"type":"system","version":"1.2.3"}'`))).toBeUndefined();
    expect(await probe('\0')).toBeUndefined();
  });

  it('does not ask a silent one again with every query, but a minute later', async () => {
    const cli = writeCli('late', `[ -e '${folder}/now' ] && echo 2.1.9`);
    expect(await probe(cli)).toBeUndefined();
    writeFileSync(join(folder, 'now'), '');
    expect(await probe(cli)).toBeUndefined();
    const clock = vi.spyOn(performance, 'now');
    clock.mockReturnValue(performance.now() + 61_000);
    try {
      expect(await probe(cli)).toBe('2.1.9');
    } finally {
      clock.mockRestore();
    }
  });

  it('kills a CLI that does not answer, with what it started', async () => {
    const pids = join(folder, 'pids');
    const cli = writeCli('hanging', `trap '' TERM\nsleep 300 &\necho $$ $! > '${pids}'\nwait`);
    expect(await probe(cli, { timeoutMs: 2000 })).toBeUndefined();
    const [self, below] = readFileSync(pids, 'utf8').trim().split(' ').map(Number) as [number, number];
    await waitUntil(() => !isRunning(self) && !isRunning(below));
  });
});

describe('compareVersions', () => {
  it.each([
    ['2.1.33', '2.1.325', -1],
    ['2.1.325', '2.1.325', 0],
    ['2.2.0', '2.1.999', 1],
    ['10.0.0', '9.9.9', 1],
    ['2.1.0-beta.1', '2.1.0', -1],
    ['v2.1.0', '2.1.0+build', 0],
    ['2.1', '2.1.0', 0],
  ])('%s against %s', (a, b, sign) => {
    expect(Math.sign(compareVersions(a, b))).toBe(sign);
    expect(Math.sign(compareVersions(b, a))).toBe(sign === 0 ? 0 : -sign);
  });
});
