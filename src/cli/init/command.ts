// How `inboard init` is called: its arguments, options and help.
import type { Command } from '../command.js';

/** The command `init`. */
export const INIT_COMMAND: Command = {
  summary: 'write a new project: tools, an agent, tests that pass offline',
  usage: '[folder]',
  args: { least: 0, most: 1 },
  options: {
    js: { type: 'boolean', help: 'JavaScript instead of TypeScript' },
    name: { type: 'string', value: '<name>', help: "the project's name; default: from the folder's" },
    inboard: {
      type: 'string',
      value: '<version | tarball>',
      help: 'what the project installs as inboard; default: this version',
    },
  },
  details: [
    'Writes into the folder, which is made if need be; default: the current one. No file is ever overwritten: if one',
    'is in the way, nothing is written. Installs nothing; the next command is printed.',
  ],
  examples: ['inboard init my-agent', 'inboard init my-agent --js', 'inboard init --name @acme/stock-agent'],
  load: async () => (await import('./run-init.js')).runInit,
};
