// The two CLIs that the end-to-end cases run on.
import { fileURLToPath } from 'node:url';
import type { Options } from './inboard.js';

/** A CLI, and the options that choose it. */
export interface Cli {
  readonly version: '2.1.325' | '2.1.33';
  readonly options: Options;
}

/** The newest version that is tested; found as a user's would be, through its package. */
export const newCli: Cli = { version: '2.1.325', options: {} };

/** The oldest version that is tested: JavaScript, slow to start, and silent about its state. */
export const oldCli: Cli = {
  version: '2.1.33',
  options: {
    pathToClaudeCodeExecutable: fileURLToPath(
      new URL('../../../node_modules/claude-code-2.1.33/cli.js', import.meta.url),
    ),
  },
};
