// Every reader of foreign bytes gets hostile ones: it gives a value or a typed error, changes nothing for others, and takes twice the steps
// for twice the length. The seed is made of the commit; INBOARD_SEED gives another, and INBOARD_RUNS=50 tries 50 times as much.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCommitSeed } from '../../scripts/support/commit-seed.mjs';
import { propertyOptions } from '../support/seed.js';
import { PROJECT_ROOT } from '../package/project.js';
import { countBlocks } from './count-blocks.js';
import { isTyped, type FuzzedReader } from './fuzzed-reader.js';
import { hostileBytes } from './hostile-bytes.js';
import { READERS } from './readers.js';

const seed = process.env['INBOARD_SEED']
  ? propertyOptions(1).seed
  : readCommitSeed(undefined, PROJECT_ROOT) | 0;
const RUNS = 50;

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

    it.each(examples.map((example, index) => [index, example] as const))(
      'takes good bytes: example %i',
      async (__, example) => {
        expect(await findFault(reader, example)).toBeUndefined();
      },
    );

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

    it('takes four times the steps for four times the length', async () => {
      const read = (count: number) => async (): Promise<void> => {
        const fault = await findFault(reader, Buffer.from(reader.grow(count)));
        if (fault !== undefined) throw fault;
      };
      // What is loaded on first use is loaded, and what is the same for each length is left out of the comparison.
      await read(1)();
      const [none, some, more] = [
        await countBlocks(read(1)),
        await countBlocks(read(9)),
        await countBlocks(read(33)),
      ];
      expect(more - none).toBeLessThan(6 * Math.max(some - none, 2000));
    });
  });
});
