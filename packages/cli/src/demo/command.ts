// How `inboard demo` is called: its arguments, options and help.
import { CLI_OPTION, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const DEMO_COMMAND: Command = {
  summary: 'run an agent that calls a tool inside this process, and show the wire',
  usage: '',
  args: { least: 0, most: 0 },
  options: {
    wire: { type: 'boolean', help: 'show every line of the wire in full' },
    offline: { type: 'boolean', help: 'use the scripted model even if ANTHROPIC_API_KEY is set' },
    cli: CLI_OPTION,
  },
  details: ['Needs no account: without ANTHROPIC_API_KEY the model is a script on loopback.'],
  examples: ['inboard demo --wire', 'inboard demo'],
  load: async () => (await loadPart(() => import('./run-demo.js'))).runDemo,
};
