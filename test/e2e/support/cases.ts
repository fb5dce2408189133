// Cases are written once, as functions of a CLI, and run here: all on the new CLI with `npm test`, all on
// both with `npm run test:long`.
import { describe, it } from 'vitest';
import type { Cli } from './cli.js';

/** What is claimed, and the function that proves it on a CLI. */
export type CaseSet = Readonly<Record<string, (cli: Cli) => Promise<void>>>;

/** Declares every case for every CLI; they have nothing in common and run side by side. */
export function forEachCli(clis: readonly Cli[], cases: CaseSet): void {
  describe.concurrent.each(clis.map((cli) => ({ cli, version: cli.version })))('CLI $version', ({ cli }) => {
    for (const [title, prove] of Object.entries(cases)) it.concurrent(title, () => prove(cli));
  });
}
