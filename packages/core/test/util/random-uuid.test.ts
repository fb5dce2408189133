import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';

const VERSION_4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const real = fs.openSync;
afterEach(() => {
  fs.openSync = real;
  syncBuiltinESMExports();
});

/** A copy of its own, with nothing read ahead. */
async function loadAnew(open: typeof fs.openSync) {
  fs.openSync = open;
  syncBuiltinESMExports();
  vi.resetModules();
  return await import('../../src/util/random-uuid.js');
}

describe('randomUUID', () => {
  it('has the form of version 4 and is never the same, also when more randomness is read', async () => {
    let reads = 0;
    const { randomUUID } = await loadAnew((...given) => {
      reads += 1;
      return real(...given);
    });
    const made = Array.from({ length: 1000 }, randomUUID);
    expect(made.filter((uuid) => !VERSION_4.test(uuid))).toEqual([]);
    expect(new Set(made).size).toBe(made.length);
    expect(reads).toBe(process.platform === 'win32' ? made.length : Math.ceil(made.length / 64));
  });

  it('asks Node where the system has no file to read it from', async () => {
    const { randomUUID } = await loadAnew(() => {
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    });
    const made = Array.from({ length: 100 }, randomUUID);
    expect(made.filter((uuid) => !VERSION_4.test(uuid))).toEqual([]);
    expect(new Set(made).size).toBe(made.length);
  });
});
