import * as fc from 'fast-check';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboardError } from '../../src/errors.js';
import type { SpillFileSystem } from '../../src/util/queues/spill-file.js';
import { SpillQueue, type RawItem, type SpillQueueOptions } from '../../src/util/queues/spill-queue.js';
import { measureHeldMemory } from './measure-held-memory.js';

const BATCH = 64 * 1024;

let directory: string;
let queues: { close(): void }[];

beforeEach(() => {
  directory = fs.mkdtempSync(join(tmpdir(), 'inboard-test-'));
  queues = [];
});

afterEach(() => {
  for (const queue of queues) queue.close();
  fs.rmSync(directory, { recursive: true, force: true });
});

function createQueue<T>(options: SpillQueueOptions<T, RawItem> = {}): SpillQueue<T, RawItem> {
  const queue = new SpillQueue<T, RawItem>({ directory, make: (raw) => readRaw(raw) as T, ...options });
  queues.push(queue);
  return queue;
}

function readRaw({ bytes }: RawItem): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}

function pushRaw(queue: SpillQueue<unknown, RawItem>, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value));
  queue.pushRaw({ length: bytes.length, bytes });
}

function pushValue<T>(queue: SpillQueue<T, RawItem>, value: T): void {
  queue.push(value, JSON.stringify(value));
}

function drain<T>(queue: SpillQueue<T, RawItem>): T[] {
  const items: T[] = [];
  while (queue.size > 0) items.push(queue.shift() as T);
  return items;
}

interface WatchedFile {
  path: string;
  flags: unknown;
  /** Size after it was truncated last. */
  bytes: number;
}

interface WatchedFileSystem extends SpillFileSystem {
  readonly open: Map<number, WatchedFile>;
}

// The real calls, with a record of what is open and how large it has become.
function watchFileSystem(overrides: Partial<SpillFileSystem> = {}): WatchedFileSystem {
  const open: WatchedFileSystem['open'] = new Map();
  const base: SpillFileSystem = { ...fs, ...overrides };
  return {
    ...base,
    open,
    openSync(path, flags, mode) {
      const descriptor = base.openSync(path, flags, mode);
      open.set(descriptor, { path: String(path), flags, bytes: -1 });
      return descriptor;
    },
    closeSync(descriptor) {
      open.delete(descriptor);
      base.closeSync(descriptor);
    },
    ftruncateSync(descriptor, length) {
      base.ftruncateSync(descriptor, length);
      const entry = open.get(descriptor);
      if (entry) entry.bytes = fs.fstatSync(descriptor).size;
    },
  };
}

function failWith(code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: made up`), { code });
  };
}

describe('SpillQueue', () => {
  it('keeps the order under any interleaving, in memory and on disk', () => {
    const anyStep = fc.oneof(
      fc.record({
        do: fc.constantFrom('push' as const, 'pushRaw' as const),
        text: fc.string({ unit: 'binary', maxLength: 30 }),
        times: fc.integer({ min: 1, max: 4000 }),
      }),
      fc.record({ do: fc.constant('shift' as const), times: fc.integer({ min: 1, max: 6000 }) }),
    );
    fc.assert(
      fc.property(
        fc.array(anyStep, { maxLength: 12 }),
        fc.integer({ min: 0, max: 100_000 }),
        (steps, maxBytes) => {
          const queue = createQueue<[number, string]>({ maxBytes });
          const model: [number, string][] = [];
          let taken = 0;
          // Told by `expect` only where it is wrong: it is slow with so many.
          const compare = (item: [number, string] | undefined): void => {
            const expected = model[taken];
            if (expected) taken += 1;
            if (item?.[0] !== expected?.[0] || item?.[1] !== expected?.[1]) expect(item).toEqual(expected);
          };
          for (const step of steps) {
            for (let time = 0; time < step.times; time += 1) {
              if (step.do !== 'shift') {
                const value: [number, string] = [model.length, step.text];
                model.push(value);
                if (step.do === 'push') pushValue(queue, value);
                else pushRaw(queue, value);
              } else compare(queue.shift() as [number, string] | undefined);
            }
            expect(queue.size).toBe(model.length - taken);
          }
          for (const item of drain(queue)) compare(item);
          expect(taken).toBe(model.length);
          queue.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('gives back the very item while it fits in memory, and an equal one from disk', () => {
    const queue = createQueue<{ text: string }>({ maxBytes: 100 });
    const small = { text: 'small' };
    const large = { text: 'x'.repeat(BATCH) };
    pushValue(queue, small);
    pushValue(queue, large);
    expect(queue.shift()).toBe(small);
    const back = queue.shift();
    expect(back).not.toBe(large);
    expect(back).toEqual(large);
    expect(queue.shift()).toBeUndefined();
  });

  it('holds no more than its limit and one batch in memory', () => {
    const fileSystem = watchFileSystem();
    const maxBytes = 200_000;
    const queue = createQueue<string>({ maxBytes, fileSystem });
    const text = 'a'.repeat(500);
    for (let count = 0; count < 10_000; count += 1) {
      pushValue(queue, text);
      expect(queue.heldBytes).toBeLessThanOrEqual(maxBytes + BATCH);
    }
    const [descriptor] = fileSystem.open.keys();
    expect(queue.size).toBe(10_000);
    expect(fs.fstatSync(descriptor as number).size).toBeGreaterThan(500 * 10_000 - maxBytes - BATCH);
    expect(drain(queue).length).toBe(10_000);
    expect(queue.heldBytes).toBe(0);
  });

  it('opens no file while everything fits', () => {
    const fileSystem = watchFileSystem({ openSync: failWith('EACCES') });
    const warnings: InboardError[] = [];
    const queue = createQueue<number>({ fileSystem, onWarning: (error) => warnings.push(error) });
    for (let count = 0; count < 1000; count += 1) pushValue(queue, count);
    expect(drain(queue).length).toBe(1000);
    expect(warnings).toEqual([]);
  });

  it('creates its file exclusively for the owner, without a name where the system allows that', () => {
    const fileSystem = watchFileSystem();
    const queue = createQueue<string>({ maxBytes: 0, fileSystem });
    pushValue(queue, 'x'.repeat(BATCH));
    const [[descriptor, entry]] = [...fileSystem.open] as [[number, WatchedFile]];
    expect(entry.flags).toBe('wx+');
    expect(entry.path.startsWith(directory)).toBe(true);
    if (process.platform !== 'win32') {
      expect(fs.fstatSync(descriptor).mode & 0o777).toBe(0o600);
      expect(fs.fstatSync(descriptor).nlink).toBe(0);
      expect(fs.readdirSync(directory)).toEqual([]);
    }
    expect(drain(queue)).toEqual(['x'.repeat(BATCH)]);
  });

  it('leaves neither a file nor a descriptor behind, however often it is closed', () => {
    const fileSystem = watchFileSystem();
    const queue = createQueue<string>({ maxBytes: 0, fileSystem });
    for (let count = 0; count < 10; count += 1) pushValue(queue, 'x'.repeat(BATCH));
    expect(fileSystem.open.size).toBe(1);
    queue.close();
    queue.close();
    expect(fileSystem.open.size).toBe(0);
    expect(fs.readdirSync(directory)).toEqual([]);
    expect(queue.size).toBe(0);
    expect(queue.heldBytes).toBe(0);
    pushValue(queue, 'late');
    expect(queue.size).toBe(0);
    expect(queue.shift()).toBeUndefined();
    expect(fileSystem.open.size).toBe(0);
  });

  it('removes a file at close that could not be unlinked while open', () => {
    let isBusy = true;
    const fileSystem = watchFileSystem({
      unlinkSync(path) {
        if (isBusy) failWith('EBUSY')();
        fs.unlinkSync(path);
      },
    });
    const queue = createQueue<string>({ maxBytes: 0, fileSystem });
    pushValue(queue, 'x'.repeat(BATCH));
    expect(fs.readdirSync(directory).length).toBe(1);
    isBusy = false;
    queue.close();
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it('truncates the drained file, goes back to memory, and can spill again', () => {
    const fileSystem = watchFileSystem();
    const queue = createQueue<string>({ maxBytes: 1000, fileSystem });
    for (let round = 0; round < 3; round += 1) {
      const values = Array.from({ length: 500 }, (_, index) => `${round} ${index} ${'y'.repeat(400)}`);
      for (const value of values) pushValue(queue, value);
      expect(drain(queue)).toEqual(values);
      const [[descriptor, entry]] = [...fileSystem.open] as [[number, WatchedFile]];
      expect(fs.fstatSync(descriptor).size).toBe(0);
      expect(entry.bytes).toBe(0);
      const item = `${round}`;
      pushValue(queue, item);
      expect(queue.heldBytes).toBe(item.length + 2);
      expect(queue.shift()).toBe(item);
    }
    expect(fileSystem.open.size).toBe(1);
  });

  it('overwrites a file that cannot be truncated', () => {
    const fileSystem = watchFileSystem({ ftruncateSync: failWith('EIO') });
    const queue = createQueue<string>({ maxBytes: 0, fileSystem });
    for (const letter of ['a', 'b', 'c']) {
      pushValue(queue, letter.repeat(BATCH));
      expect(drain(queue)).toEqual([letter.repeat(BATCH)]);
    }
  });

  it('carries text of more than one byte per character over every read border', () => {
    const queue = createQueue<string>({ maxBytes: 0 });
    const values = Array.from({ length: 3000 }, (_, index) => `${'é✓😀\n\u2028'.repeat(index % 97)}${index}`);
    for (const value of values) pushValue(queue, value);
    expect(drain(queue)).toEqual(values);
  });

  it('carries a single item far larger than a read, between small ones', () => {
    const queue = createQueue<string>({ maxBytes: 10 });
    const huge = '😀'.repeat(5 * 1024 * 1024);
    pushValue(queue, 'a');
    pushValue(queue, huge);
    pushValue(queue, 'b');
    expect(queue.heldBytes).toBeLessThan(BATCH);
    expect(queue.shift()).toBe('a');
    expect(queue.shift() === huge).toBe(true);
    expect(queue.shift()).toBe('b');
    expect(queue.size).toBe(0);
  });

  it('lets go of the memory of a huge item once it was taken', () => {
    const queue = createQueue<number>({ maxBytes: 0, decode: (encoded) => encoded.length });
    queue.push(1, 'x'.repeat(32 * 1024 * 1024));
    queue.push(2, 'y'.repeat(BATCH));
    const before = measureHeldMemory();
    expect(queue.shift()).toBe(32 * 1024 * 1024);
    expect(measureHeldMemory() - before).toBeLessThan(4 * 1024 * 1024);
    expect(queue.shift()).toBe(BATCH);
  });

  it('decodes with the function it was given, and goes on when that throws', () => {
    const queue = createQueue<string>({
      maxBytes: 0,
      decode(encoded) {
        if (encoded.startsWith('bad')) throw new Error('cannot decode');
        return `decoded ${encoded.length}`;
      },
    });
    queue.push('one', `bad${'x'.repeat(BATCH)}`);
    queue.push('two', 'x'.repeat(BATCH));
    expect(() => queue.shift()).toThrow('cannot decode');
    expect(queue.shift()).toBe(`decoded ${BATCH}`);
    expect(queue.size).toBe(0);
  });

  it.each([
    ['the file cannot be created', { openSync: failWith('EACCES') }],
    ['the disk is full', { writeSync: failWith('ENOSPC') }],
    ['nothing can be written', { writeSync: () => 0 }],
  ])('loses nothing when %s, and says so once', (_, overrides) => {
    const warnings: InboardError[] = [];
    const fileSystem = watchFileSystem(overrides);
    const queue = createQueue<string>({
      maxBytes: 1000,
      fileSystem,
      onWarning: (error) => warnings.push(error),
    });
    const values = Array.from({ length: 2000 }, (_unused, index) => `${index} ${'z'.repeat(200)}`);
    for (const [index, value] of values.entries()) {
      if (index % 3 === 0) pushRaw(queue, value);
      else pushValue(queue, value);
    }
    expect(queue.size).toBe(2000);
    expect(drain(queue)).toEqual(values);
    expect(warnings.map((error) => error.code)).toEqual(['SPILL_FAILED']);
    expect(warnings[0]?.message).toContain(directory);
    expect(warnings[0]?.cause).toBeInstanceOf(Error);
    queue.close();
    expect(fileSystem.open.size).toBe(0);
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it('loses nothing when the directory does not exist, with the real file system', () => {
    const warnings: InboardError[] = [];
    const queue = createQueue<string>({
      maxBytes: 0,
      directory: join(directory, 'missing'),
      onWarning: (error) => warnings.push(error),
    });
    const values = Array.from({ length: 5 }, (_, index) => `${index}${'z'.repeat(BATCH)}`);
    for (const value of values) pushValue(queue, value);
    expect(drain(queue)).toEqual(values);
    expect(warnings.length).toBe(1);
  });

  it('keeps the order when the disk fills up half way through a batch, in small writes', () => {
    let room = 1_000_000;
    const fileSystem = watchFileSystem({
      writeSync: ((descriptor: number, bytes: Uint8Array, offset: number, length: number, at: number) => {
        if (room === 0) failWith('ENOSPC')();
        const count = fs.writeSync(descriptor, bytes, offset, Math.min(length, room, 10_007), at);
        room -= count;
        return count;
      }) as SpillFileSystem['writeSync'],
    });
    const warnings: InboardError[] = [];
    const queue = createQueue<string>({
      maxBytes: 1000,
      fileSystem,
      onWarning: (error) => warnings.push(error),
    });
    const values = Array.from({ length: 8000 }, (_, index) => `${index} ${'w'.repeat(200)}`);
    for (const value of values) pushValue(queue, value);
    expect(drain(queue)).toEqual(values);
    expect(warnings.length).toBe(1);
    for (const value of values) pushValue(queue, value);
    expect(drain(queue)).toEqual(values);
    expect(warnings.length).toBe(1);
  });

  it('reads on when the system returns less than was asked for', () => {
    const fileSystem = watchFileSystem({
      readSync: ((descriptor: number, bytes: Buffer, offset: number, length: number, at: number) =>
        fs.readSync(descriptor, bytes, offset, Math.min(length, 333), at)) as SpillFileSystem['readSync'],
    });
    const queue = createQueue<string>({ maxBytes: 0, fileSystem });
    const values = Array.from({ length: 2000 }, (_, index) => `${index} ${'v'.repeat(index % 300)}`);
    for (const value of values) pushValue(queue, value);
    expect(drain(queue)).toEqual(values);
  });

  it.each([
    ['a read fails', failWith('EIO')],
    ['the file is shorter than it was', () => 0],
  ])('says how much was lost when %s, and goes on behind it', (_, readSync) => {
    const fileSystem = watchFileSystem({ readSync });
    const queue = createQueue<string>({ maxBytes: 10, fileSystem });
    pushValue(queue, 'head');
    pushValue(queue, 'x'.repeat(BATCH));
    pushValue(queue, 'y'.repeat(BATCH));
    pushValue(queue, 'tail');
    expect(queue.shift()).toBe('head');
    expect(() => queue.shift()).toThrow(/^2 messages .* cannot be read back/);
    expect(queue.size).toBe(1);
    expect(queue.shift()).toBe('tail');
  });

  it('needs constant memory for a long spill', () => {
    const queue = createQueue<string>({ maxBytes: 1024 * 1024 });
    const encoded = JSON.stringify('q'.repeat(1000));
    const count = 200_000;
    const before = measureHeldMemory();
    for (let index = 0; index < count; index += 1) queue.push('q', encoded);
    // The file has about 200 MB by now.
    expect(measureHeldMemory() - before).toBeLessThan(10 * 1024 * 1024);
    for (let index = 0; index < count - 1; index += 1) queue.shift();
    expect(measureHeldMemory() - before).toBeLessThan(10 * 1024 * 1024);
    expect(queue.size).toBe(1);
  });
});
