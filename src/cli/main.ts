#!/usr/bin/env node
// The command `inboard`: gives the process to the command line, and sees that it ends.
import { runCommandLine } from './terminal/command-line.js';
import { openProcessTerminal } from './terminal/process-terminal.js';

const { terminal, finish } = openProcessTerminal();
await finish(await runCommandLine(process.argv.slice(2), terminal));
