#!/usr/bin/env node
// The command `inboard`: runs the command line with this process as its terminal, and ends the process with its exit code.
import { inWordsOf, runCommandLine } from './terminal/command-line.js';
import { openProcessTerminal } from './terminal/process-terminal.js';
import { noteLine } from './terminal/terminal.js';
import { unlessIdle } from './terminal/unless-idle.js';
import { EXIT_CODES } from './terminal/usage-error.js';

const words = process.argv.slice(2);
const { terminal, finish } = openProcessTerminal((text) => inWordsOf(words[0], text));
const running = runCommandLine(words, terminal);
const exitCode = await unlessIdle(running, () => {
  noteLine(
    terminal,
    'inboard: The command ended before it was done: it waits for something that can no longer happen.',
  );
  return EXIT_CODES.failed;
});
await finish(exitCode);
