import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBinaryFormat } from '../../../src/wire/process/binary-format.js';
import { hostSystem } from '../../../src/wire/process/operating-system.js';
import { createElfHead, createMachHead, createPortableHead } from '../../support/fake-operating-system.js';

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
