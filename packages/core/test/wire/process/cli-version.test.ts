import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PartReader } from '../../../src/wire/process/binary-format.js';
import { probeCliVersion } from '../../../src/wire/process/find/cli-version.js';
import { compareVersions } from '../../../src/wire/process/find/compare-versions.js';
import { readBundleVersion, readProgramVersion } from '../../../src/wire/process/find/embedded-version.js';
import { findExecutable } from '../../../src/wire/process/find/find-executable.js';
import {
  findCacheFolder,
  readCachedVersion,
  writeCachedVersion,
} from '../../../src/wire/process/find/version-cache.js';
import { hostSystem } from '../../../src/wire/process/operating-system.js';
import { isRunning } from '../../../../../test/support/is-running.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';

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

describe('what was asked for before this process', () => {
  let cache: string;
  const file = (): string => join(cache, 'cli-versions.json');
  const identity = '["/opt/claude",1,2]';
  const entry = (more: object = {}) => ({ version: '2.1.7', at: Date.now(), ...more });
  const keep = (content: unknown): void =>
    writeFileSync(file(), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });

  beforeEach(() => {
    cache = mkdtempSync(join(folder, 'cache-'));
    vi.stubEnv('INBOARD_CACHE', cache);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  /** Loads the module anew, as a separate process would, so that no version has been asked for yet. */
  const probeAnew = async (command: string, isEnough?: (version: string) => boolean) => {
    vi.resetModules();
    const fresh = await import('../../../src/wire/process/find/cli-version.js');
    return await fresh.probeCliVersion({ command, env: process.env, cwd: folder, isEnough });
  };

  it('is not asked for again, unless the file changed, a day went by, or it would refuse an option', async () => {
    const log = join(folder, 'log-of-cached');
    const cli = writeCli('cached', `echo >> '${log}'\necho 2.1.7`);
    const asked = (): number => readFileSync(log, 'utf8').length;
    expect(await probeAnew(cli)).toBe('2.1.7');
    expect(await probeAnew(cli)).toBe('2.1.7');
    expect(asked()).toBe(1);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await probeAnew(cli, () => false)).toBe('2.1.7');
    expect(asked()).toBe(2);
    utimesSync(cli, 1, 1);
    await probeAnew(cli);
    expect(asked()).toBe(3);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60 * 60 * 1000);
    await probeAnew(cli);
    expect(asked()).toBe(4);
    vi.restoreAllMocks();
  });

  it('is taken for nothing where anything is wrong with the file', () => {
    keep({ [identity]: entry() });
    expect(readCachedVersion(identity)).toBe('2.1.7');
    keep({ version: 1, [identity]: entry() });
    expect(readCachedVersion(identity)).toBe('2.1.7');
    expect(readCachedVersion('["/opt/other",1,2]')).toBeUndefined();
    const hostile = [
      '',
      '{',
      'null',
      '[]',
      '{"__proto__":{"version":"2.1.7","at":1}}',
      // Of a version of the file's format that is still to come.
      { version: 2, [identity]: entry() },
      { [identity]: 'x' },
      { [identity]: entry({ version: '2.1.7; rm -rf /' }) },
      { [identity]: entry({ version: `2.1.${'9'.repeat(400)}` }) },
      { [identity]: entry({ version: 7 }) },
      { [identity]: entry({ at: 'now' }) },
      { [identity]: entry({ at: Date.now() + 60_000 }) },
      { [identity]: entry(), filler: 'x'.repeat(70_000) },
      '['.repeat(30_000),
    ];
    for (const content of hostile) {
      keep(content);
      expect(readCachedVersion(identity), JSON.stringify(content).slice(0, 60)).toBeUndefined();
    }
    // Others could have written it.
    keep({ [identity]: entry() });
    chmodSync(file(), 0o666);
    expect(readCachedVersion(identity)).toBeUndefined();
    rmSync(file());
    const elsewhere = join(folder, 'elsewhere.json');
    writeFileSync(elsewhere, JSON.stringify({ [identity]: entry() }), { mode: 0o600 });
    symlinkSync(elsewhere, file());
    expect(readCachedVersion(identity)).toBeUndefined();
    rmSync(file());
    mkdirSync(file());
    expect(readCachedVersion(identity)).toBeUndefined();
  });

  it('is kept for a bounded number of files, and not where it cannot be', () => {
    for (let index = 0; index < 60; index += 1) writeCachedVersion(`f${index}`, '2.1.7');
    const { version, ...kept } = JSON.parse(readFileSync(file(), 'utf8')) as Record<string, unknown>;
    expect(version).toBe(1);
    expect(Object.keys(kept)).toHaveLength(50);
    expect(readCachedVersion('f59')).toBe('2.1.7');
    expect(readdirSync(cache)).toEqual(['cli-versions.json']);
    writeCachedVersion(identity, 'not a version');
    expect(readCachedVersion(identity)).toBeUndefined();
    // A folder into which others can write, and one that cannot be made.
    chmodSync(cache, 0o777);
    writeCachedVersion(identity, '2.1.7');
    expect(readCachedVersion(identity)).toBeUndefined();
    writeCachedVersion(identity, '2.1.7', '/dev/null/inboard');
    expect(readCachedVersion(identity, '/dev/null/inboard')).toBeUndefined();
  });

  it('lies where the user keeps such things, or nowhere', () => {
    const home = homedir();
    expect(findCacheFolder({ XDG_CACHE_HOME: '/c' }, 'linux')).toBe('/c/inboard');
    expect(findCacheFolder({}, 'linux')).toBe(join(home, '.cache', 'inboard'));
    expect(findCacheFolder({}, 'darwin')).toBe(join(home, 'Library', 'Caches', 'inboard'));
    expect(findCacheFolder({}, 'win32')).toBeUndefined();
    expect(findCacheFolder({ XDG_CACHE_HOME: 'relative' }, 'linux')).toBeUndefined();
    expect(findCacheFolder({ INBOARD_CACHE: '/mine' }, 'linux')).toBe('/mine');
    expect(findCacheFolder({ INBOARD_CACHE: 'off' }, 'linux')).toBeUndefined();
  });
});

describe('the version inside the file', () => {
  const BANNER = "// Claude Code, per Anthropic's terms\n\n// Version: 2.1.150\n";
  const from =
    (bytes: Buffer): PartReader =>
    (position, length) =>
      bytes.subarray(position, position + length);

  /** A program as Bun makes it: code, bundles with a list of them, a summary, the mark, and what the system wants behind. */
  function program({ banner = BANNER, behind = 1000, count = 0 }): Buffer {
    const name = Buffer.from('/$bunfs/root/cli.js');
    const bundle = Buffer.from(`// @bun\n${banner}code();`);
    const entry = Buffer.alloc(52);
    entry.writeUInt32LE(0, 0);
    entry.writeUInt32LE(name.length, 4);
    entry.writeUInt32LE(name.length, 8);
    entry.writeUInt32LE(bundle.length, 12);
    const all = Buffer.concat([name, bundle, entry]);
    const summary = Buffer.alloc(32);
    summary.writeBigUInt64LE(BigInt(all.length + count), 0);
    summary.writeUInt32LE(name.length + bundle.length, 8);
    summary.writeUInt32LE(entry.length, 12);
    const mark = Buffer.from('\n---- Bun! ----\n');
    return Buffer.concat([Buffer.alloc(5000, 1), all, summary, mark, Buffer.alloc(behind, 2)]);
  }
  const read = (bytes: Buffer): string | undefined => readProgramVersion(from(bytes), bytes.length);

  it('is found in a bundle and in a program, whatever is behind it', () => {
    expect(readBundleVersion(from(Buffer.from(`#!/usr/bin/env node\n${BANNER}`)))).toBe('2.1.150');
    expect(read(program({}))).toBe('2.1.150');
    expect(read(program({ behind: 0 }))).toBe('2.1.150');
    expect(read(program({ behind: 1_000_000 }))).toBe('2.1.150');
  });

  it('is not made up where the file is something else', () => {
    expect(readBundleVersion(from(Buffer.from('// My wrapper\n// Version: 1.0.0\n')))).toBeUndefined();
    expect(readBundleVersion(() => undefined)).toBeUndefined();
    expect(read(Buffer.alloc(0))).toBeUndefined();
    expect(read(Buffer.alloc(300_000, 7))).toBeUndefined();
    expect(read(program({ banner: '// Version: 2.1.150\n' }))).toBeUndefined();
    expect(read(program({ count: 1_000_000 }))).toBeUndefined();
    expect(read(program({ count: -100 }))).toBeUndefined();
    expect(read(Buffer.from('\n---- Bun! ----\n'))).toBeUndefined();
    expect(readProgramVersion(() => undefined, 1e9)).toBeUndefined();
  });

  it('is found in the real ones', () => {
    const root = fileURLToPath(new URL('../../../../..', import.meta.url));
    const { path } = findExecutable({ env: {}, packagesFrom: [root] });
    const script = join(root, 'node_modules/claude-code-2.1.33/cli.js');
    const partsOf =
      (file: string): PartReader =>
      (position, length) =>
        hostSystem.readBytes(file, position, length);
    expect(readProgramVersion(partsOf(path), statSync(path).size)).toBe('2.1.325');
    expect(readBundleVersion(partsOf(script))).toBe('2.1.33');
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
