// Every reader of foreign bytes gets hostile ones: it gives a value or a typed error, changes nothing for others, and takes twice the steps
// for twice the length. The seed is made of the commit; INBOARD_SEED gives another, and INBOARD_RUNS=50 tries 50 times as much.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRandom } from '../../scripts/support/cluster-chaos/random.mjs';
import { readCommitSeed } from '../../scripts/support/commit-seed.mjs';
import { propertyOptions } from '../support/seed.js';
import { PROJECT_ROOT } from '../package/project.js';
import { countBlocks, sumOf } from './count-blocks.js';
import { isTyped, type FuzzedReader } from './fuzzed-reader.js';
import { hostileBytes, spoilOnce } from './hostile-bytes.js';
import { NOT_FOREIGN, READERS } from './readers.js';

const seed = process.env['INBOARD_SEED']
  ? propertyOptions(1).seed
  : readCommitSeed(undefined, PROJECT_ROOT) | 0;
const RUNS = 50;
/** What a run may do besides, such as its timers. */
const SOME_BLOCKS = 150;

/** The files whose code some reader of the list has run on good bytes. */
const reached = new Set<string>();

const stray: unknown[] = [];
const note = (error: unknown): unknown => stray.push(error);

beforeEach(() => {
  stray.length = 0;
  // What is ignored is told by warnings, of which there are many here.
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  vi.restoreAllMocks();
});

afterAll(async () => {
  for (const { close } of READERS) await close?.();
});

/** Reads, and gives what was thrown unless it is typed. */
async function findFault({ read }: FuzzedReader, bytes: Buffer): Promise<unknown> {
  try {
    await read(bytes);
  } catch (error) {
    if (!isTyped(error)) return error;
  }
  await new Promise((resolve) => setImmediate(resolve));
  if (stray.length > 0) return stray.splice(0)[0];
  if (!isDeepStrictEqual(Object.keys(Object.prototype), []) || 'polluted' in {})
    return new Error('Object.prototype was changed');
  return undefined;
}

describe(`with seed ${seed}`, () => {
  describe.each(READERS.map((reader) => [reader.name, reader] as const))('%s', (_, reader) => {
    const examples = reader.examples.map((example) => Buffer.from(example));

    it('takes good bytes', async () => {
      const faults: unknown[] = [];
      const blocks = await countBlocks(async () => {
        for (const example of examples) faults.push(await findFault(reader, example));
      });
      expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
      for (const file of blocks.keys()) reached.add(file);
    });

    it('gives a value or a typed error for hostile ones', async () => {
      const { numRuns } = propertyOptions(reader.runs ?? RUNS);
      await fc.assert(
        fc.asyncProperty(hostileBytes(examples), async (bytes) => {
          const fault = await findFault(reader, bytes);
          if (fault !== undefined) throw fault;
        }),
        { seed, numRuns, interruptAfterTimeLimit: 50_000 },
      );
    });

    it('gives a value or a typed error where one thing is wrong', async () => {
      const all = examples.flatMap((example) => spoilOnce(example));
      const { numRuns } = propertyOptions(2 * (reader.runs ?? RUNS));
      // All of them where that is quick, and some chosen by the seed elsewhere.
      const random = createRandom(seed);
      const chosen =
        all.length <= numRuns ? all : Array.from({ length: numRuns }, () => random.pick(all) as () => Buffer);
      for (const spoil of chosen) {
        const bytes = spoil();
        const fault = await findFault(reader, bytes);
        if (fault !== undefined)
          throw new Error(`${reader.name} failed for ${bytes.toString('latin1')}`, { cause: fault });
      }
    });

    it('takes four times the steps for four times the length', async () => {
      const read = (count: number) => async (): Promise<void> => {
        const fault = await findFault(reader, Buffer.from(reader.grow(count)));
        if (fault !== undefined) throw fault;
      };
      // What is the same for each length is left out of the comparison.
      const counts = [];
      for (const count of [1, 9, 33]) counts.push(sumOf(await countBlocks(read(count))));
      const [none = 0, some = 0, more = 0] = counts;
      // Four times is linear, and thirteen would be quadratic.
      expect(more - none).toBeLessThan(6 * Math.max(some - none, SOME_BLOCKS));
    });
  });
});

/** What a file has that takes bytes or text apart. */
const TAKES_APART = /\bJSON\.parse\(|\bparseRecord\(|\bdecodeURIComponent\(|\.readUInt\d*BE\(/;

function listSources(): string[] {
  return readdirSync(join(PROJECT_ROOT, 'packages'), { recursive: true, encoding: 'utf8' })
    .map((name) => `packages/${name.replaceAll(sep, '/')}`)
    .filter((name) => /^packages\/[\w-]+\/src\/.*\.tsx?$/.test(name))
    .filter((name) => TAKES_APART.test(readFileSync(join(PROJECT_ROOT, name), 'utf8')))
    .sort();
}

const reasonOf = (file: string): string | undefined =>
  Object.entries(NOT_FOREIGN).find(([place]) => file.startsWith(place))?.[1];

it('reaches every file that takes bytes apart, but for those with a reason', () => {
  const sources = listSources();
  expect(sources.length).toBeGreaterThan(50);
  const missed = sources.filter((file) => !reached.has(file) && reasonOf(file) === undefined);
  expect(
    missed,
    'Add a reader to test/fuzz/readers.ts, or the reason why nobody else writes what it reads.',
  ).toEqual([]);
  const needless = Object.keys(NOT_FOREIGN).filter(
    (place) => !sources.some((file) => file.startsWith(place) && !reached.has(file)),
  );
  expect(needless, 'These need no reason in test/fuzz/readers.ts.').toEqual([]);
});
