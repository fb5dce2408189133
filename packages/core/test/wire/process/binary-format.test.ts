import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readBinaryFormat } from '../../../src/wire/process/binary-format.js';
import { hostSystem } from '../../../src/wire/process/operating-system.js';
import {
  createElfHead,
  createMachHead,
  createPortableHead,
} from '../../../../../test/support/fake-operating-system.js';

function read(bytes: Uint8Array | undefined) {
  return readBinaryFormat((position, length) => bytes?.subarray(position, position + length));
}

describe('readBinaryFormat', () => {
  it.each([
    [createElfHead('x64', '/lib/ld-x'), { format: 'elf', arch: 'x64', loader: '/lib/ld-x' }],
    [createElfHead('arm64'), { format: 'elf', arch: 'arm64' }],
    [createMachHead('x64'), { format: 'mach-o', arch: 'x64' }],
    [createMachHead('arm64'), { format: 'mach-o', arch: 'arm64' }],
    [Buffer.from('cafebabe00000002', 'hex'), { format: 'mach-o' }],
    [createPortableHead('x64'), { format: 'pe', arch: 'x64' }],
    [createPortableHead('arm64'), { format: 'pe', arch: 'arm64' }],
    [Buffer.from('MZ  '), { format: 'unknown' }],
    [Buffer.from('#!/bin/sh\n'), { format: 'script' }],
    [Buffer.from('hello'), { format: 'unknown' }],
    [Buffer.from('#'), { format: 'unknown' }],
    [undefined, { format: 'unknown' }],
  ])('knows kind %#', (bytes, expected) => {
    expect(read(bytes)).toEqual(expected);
  });

  it('reads no entry that is not wholly in the first bytes, and keeps what it knows of the file', () => {
    const withTableAt = (start: number): Uint8Array => {
      const head = Buffer.from(createElfHead('arm64', '/lib/ld-x'));
      head.copyWithin(start, 120, 120 + 40);
      head.writeBigUInt64LE(BigInt(start), 32);
      return head;
    };
    expect(read(withTableAt(4096 - 40))).toEqual({ format: 'elf', arch: 'arm64', loader: '/lib/ld-x' });
    for (const start of [4096 - 39, 4096 - 4, 4096, 2 ** 40])
      expect(read(withTableAt(start))).toEqual({ format: 'elf', arch: 'arm64' });
  });

  it('gets through whatever follows a known beginning', () => {
    const beginnings = ['7f454c46020101', 'cffaedfe', 'cafebabe', '4d5a', '2321'];
    fc.assert(
      fc.property(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 400 }), (beginning, rest) => {
        const bytes = Buffer.concat([Buffer.from(beginning, 'hex'), rest]);
        expect(['elf', 'mach-o', 'pe', 'script', 'unknown']).toContain(read(bytes).format);
      }),
    );
  });

  it('reads the program this test runs in', () => {
    const { format } = readBinaryFormat((position, length) =>
      hostSystem.readBytes(process.execPath, position, length),
    );
    expect(format).toBe({ linux: 'elf', darwin: 'mach-o', win32: 'pe' }[process.platform as string]);
  });
});

describe.runIf(process.platform === 'linux')('the host system', () => {
  /** Files in a folder that goes with the test; `runAs` makes this process believe it runs one of them. */
  function createPrograms(files: Record<string, Uint8Array>): { runAs: (name: string) => void } {
    const folder = mkdtempSync(join(tmpdir(), 'inboard-programs-'));
    const own = process.execPath;
    onTestFinished(() => {
      process.execPath = own;
      rmSync(folder, { recursive: true, force: true });
    });
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    return { runAs: (name) => void (process.execPath = join(folder, name)) };
  }

  /** The host system of a process that has asked nothing yet. */
  async function loadAnew(): Promise<typeof hostSystem> {
    vi.resetModules();
    return (await import('../../../src/wire/process/operating-system.js')).hostSystem;
  }

  it('is a musl one when the program that runs is loaded by musl, and this is found out once', async () => {
    const { runAs } = createPrograms({
      musl: createElfHead('arm64', '/lib/ld-musl-aarch64.so.1'),
      glibc: createElfHead('arm64', '/lib/ld-linux-aarch64.so.1'),
    });
    for (const [first, second, isMusl] of [
      ['musl', 'glibc', true],
      ['glibc', 'musl', false],
    ] as const) {
      const system = await loadAnew();
      runAs(first);
      expect(system.isMusl()).toBe(isMusl);
      runAs(second);
      expect(system.isMusl()).toBe(isMusl);
    }
  });

  it('is told by the loaders on disk when the program that runs has none', async () => {
    const { runAs } = createPrograms({ static: createElfHead('arm64'), text: Buffer.from('no program') });
    const hasMusl = readdirSync('/lib').some((name) => name.startsWith('ld-musl-'));
    for (const name of ['static', 'text', 'missing']) {
      runAs(name);
      expect((await loadAnew()).isMusl()).toBe(hasMusl);
      for (const [loader, isMusl] of [
        ['ld-musl-x.so.1', true],
        ['of-ld-musl-x', false],
      ] as const) {
        const listFolder = (folder: string) => (folder === '/lib' ? ['ld-linux-x.so.1', loader] : []);
        expect(Object.assign(await loadAnew(), { listFolder }).isMusl()).toBe(isMusl);
      }
    }
  });

  it('leaves no file open that it has read a part of', () => {
    const count = (): number => readdirSync('/proc/self/fd').length;
    const before = count();
    for (let round = 0; round < 20; round += 1) {
      expect(hostSystem.readBytes(process.execPath, 1, 3)).toEqual(Buffer.from('ELF'));
      // Opened, and then not readable.
      expect(hostSystem.readBytes('/', 0, 3)).toBeUndefined();
    }
    // Others in this process may open files meanwhile, but not that many.
    expect(count() - before).toBeLessThan(20);
  });
});
