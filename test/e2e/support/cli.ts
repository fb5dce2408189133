// The CLIs that the end-to-end cases run on: the two that every release is tested with, or one that is being tried.
import { fileURLToPath } from 'node:url';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../../packages/core/src/options/supported-versions.js';
import { findExecutable } from '../../../packages/core/src/wire/process/find/find-executable.js';
import type { Options } from './inboard.js';

/** A CLI, and the options that choose it. */
export interface Cli {
  readonly version: string;
  /** Whether it is expected to behave like the newest CLI that is tested. */
  readonly isNew: boolean;
  /** Whether it is expected to behave like the oldest; always the opposite. */
  readonly isOld: boolean;
  readonly options: Options;
  /** The program's file. */
  readonly path: string;
}

// `npm run try-cli` names another CLI, to take the place of the newest, and which of the two it is held against: cases that
// tell the two apart may find one in between like either.
const tried = process.env['INBOARD_TRIED_CLI'];
const isTriedAsOld = tried !== undefined && process.env['INBOARD_TRIED_CLI_LIKE'] === 'oldest';

/** The newest version that is tested; found as a user's would be, through its package. */
export const newCli: Cli = {
  version: (tried === undefined ? undefined : process.env['INBOARD_TRIED_CLI_VERSION']) ?? NEWEST_VERSION,
  isNew: !isTriedAsOld,
  isOld: isTriedAsOld,
  options: tried === undefined ? {} : { pathToClaudeCodeExecutable: tried },
  path: tried ?? findExecutable({ env: process.env }).path,
};

const oldPath = fileURLToPath(new URL('../../../node_modules/claude-code-2.1.33/cli.js', import.meta.url));

/** The oldest version that is tested: JavaScript, slow to start, and silent about its state. */
export const oldCli: Cli = {
  version: OLDEST_VERSION,
  isNew: false,
  isOld: true,
  options: { pathToClaudeCodeExecutable: oldPath },
  path: oldPath,
};

/** Both, or the one that is being tried. */
export const allClis: readonly Cli[] = tried === undefined ? [newCli, oldCli] : [newCli];
