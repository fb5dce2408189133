// How `inboard init` is called: its arguments, options and help.
import type { Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';
import { TEMPLATE_NAMES, TEMPLATES } from './templates.js';

export const INIT_COMMAND: Command = {
  summary: 'create a new project whose tests pass offline: an agent, a chat, a cluster or tools',
  usage: '[folder]',
  args: { least: 0, most: 1 },
  options: {
    template: {
      type: 'string',
      value: `<${TEMPLATE_NAMES.join(' | ')}>`,
      help: `what to write; default ${TEMPLATE_NAMES[0]}`,
    },
    js: { type: 'boolean', help: 'JavaScript instead of TypeScript; only with the template agent' },
    name: {
      type: 'string',
      value: '<name>',
      help: "the project's name; default: made from the folder's name",
    },
    yes: { type: 'boolean', short: 'y', help: 'ask nothing: the default for everything that is not said' },
    inboard: {
      type: 'string',
      value: '<version | tarball>',
      help: 'what the project installs as inboard; default: the tarball that this one came from, or this version',
    },
  },
  details: [
    'Writes into the folder, by default the current one, and creates it if needed. Never overwrites a file: if one is',
    'in the way, nothing is written. Installs nothing; prints the command to run next.',
    'Started in a terminal, asks for the template, the language and the folder that are not said. Without a terminal, and in',
    'CI (variable CI), it takes the defaults: the template agent, in TypeScript, in the current folder.',
    'The templates:',
    ...TEMPLATE_NAMES.map((name) => `  ${name}: ${TEMPLATES[name].summary}`),
  ],
  examples: [
    'inboard init my-js-agent --js',
    'inboard init --name @acme/stock-agent',
    'inboard init my-chat --template chat',
    'inboard init my-cluster --template cluster',
    'inboard init my-agent',
  ],
  load: async () => (await loadPart(() => import('./run-init.js'))).runInit,
};
