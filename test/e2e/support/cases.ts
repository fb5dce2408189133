// Cases are written once, as functions of a CLI, and run here: a sample on the new CLI with `npm test`, all on both with
// `npm run test:long`.
import { describe, it } from 'vitest';
import { readCommitSeed } from '../../../scripts/support/commit-seed.mjs';
import { PROJECT_ROOT } from '../../package/project.js';
import { takeShare } from '../../support/take-share.js';
import type { Cli } from './cli.js';

/** What is claimed, and the function that proves it on a CLI. */
export type CaseSet = Readonly<Record<string, (cli: Cli) => Promise<void>>>;

/** Declares every case for every CLI; they have nothing in common and run side by side. */
export function forEachCli(clis: readonly Cli[], cases: CaseSet): void {
  describe.concurrent.each(clis.map((cli) => ({ cli, version: cli.version })))('CLI $version', ({ cli }) => {
    for (const [title, prove] of Object.entries(cases)) it.concurrent(title, () => prove(cli));
  });
}

/** How many of a hundred cases `npm test` takes; with INBOARD_ALL_CASES=1, all. */
const SAMPLED_PERCENT = process.env['INBOARD_ALL_CASES'] === '1' ? 100 : 40;

/** Declares a part of the cases, another one for each commit. For those that `npm run test:long` has, too. */
export function forEachCliSampled(clis: readonly Cli[], cases: CaseSet): void {
  const seed = readCommitSeed(undefined, PROJECT_ROOT);
  const taken = takeShare(Object.keys(cases), SAMPLED_PERCENT, seed);
  describe(`${taken.length} of ${Object.keys(cases).length} cases, seed ${seed} (all: INBOARD_ALL_CASES=1)`, () => {
    forEachCli(clis, pick(cases, taken));
  });
}

/** How many of a hundred cases of a large file scripts/run-long.mjs takes, and the seed by which; without it, all are run. */
const PART_PERCENT = 12;
const PART_SEED = process.env['INBOARD_LONG_SEED'];

/**
 * Declares every case for every CLI, or a part of them for each CLI, if scripts/run-long.mjs says so. For large files: an eighth
 * of all files takes twice as long where these are among them.
 */
export function forEachCliInParts(clis: readonly Cli[], cases: CaseSet): void {
  if (PART_SEED === undefined) {
    forEachCli(clis, cases);
    return;
  }
  const titles = Object.keys(cases);
  for (const cli of clis) {
    const names = titles.map((title) => `${cli.version} ${title}`);
    const taken = new Set(takeShare(names, PART_PERCENT, Number(PART_SEED)));
    const some = titles.filter((_, index) => taken.has(names[index] ?? ''));
    describe(`${some.length} of ${titles.length} cases, seed ${PART_SEED} (all: npm run test:long)`, () => {
      forEachCli([cli], pick(cases, some));
    });
  }
}

function pick(cases: CaseSet, titles: readonly string[]): CaseSet {
  return Object.fromEntries(Object.entries(cases).filter(([title]) => titles.includes(title)));
}
