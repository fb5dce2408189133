// How `inboard init` is called: its arguments, options and help.
import type { Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const INIT_COMMAND: Command = {
  summary: 'create a new project: tools, an agent, tests that pass offline',
  usage: '[folder]',
  args: { least: 0, most: 1 },
  options: {
    template: {
      type: 'string',
      value: '<agent | cluster>',
      help: 'agent (default): a program with an agent; cluster: workers, an API, a container file, Kubernetes manifests',
    },
    js: { type: 'boolean', help: 'JavaScript instead of TypeScript; only with the template agent' },
    name: {
      type: 'string',
      value: '<name>',
      help: "the project's name; default: made from the folder's name",
    },
    inboard: {
      type: 'string',
      value: '<version | tarball>',
      help: 'what the project installs as inboard; default: the tarball that this one came from, or this version',
    },
  },
  details: [
    'Writes into the folder, by default the current one, and creates it if needed. Never overwrites a file: if one is',
    'in the way, nothing is written. Installs nothing; prints the command to run next.',
  ],
  examples: [
    'inboard init my-js-agent --js',
    'inboard init --name @acme/stock-agent',
    'inboard init my-cluster --template cluster',
    'inboard init my-agent',
  ],
  load: async () => (await loadPart(() => import('./run-init.js'))).runInit,
};
