// Cases are written once, as functions of a CLI, and run here: a sample on the new CLI with `npm test`, all on both with
// `npm run test:long`.
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import { readCommitSeed } from '../../../scripts/support/commit-seed.mjs';
import { PROJECT_ROOT } from '../../package/project.js';
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
  const isTaken = (title: string): boolean =>
    (createHash('sha256').update(`${seed} ${title}`).digest()[0] ?? 0) * 100 < SAMPLED_PERCENT * 256;
  const taken = Object.entries(cases).filter(([title]) => isTaken(title));
  // Never none.
  const some = taken.length === 0 ? Object.entries(cases).slice(0, 1) : taken;
  describe(`${some.length} of ${Object.keys(cases).length} cases, seed ${seed} (all: INBOARD_ALL_CASES=1)`, () => {
    forEachCli(clis, Object.fromEntries(some));
  });
}
