// How `inboard doctor` is called: its arguments, options and help.
import { CLI_OPTION, JSON_OPTION, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const DOCTOR_COMMAND: Command = {
  summary: 'check what works here, and how to fix what does not',
  usage: '[tools-file]',
  args: { least: 0, most: 1 },
  options: {
    cli: CLI_OPTION,
    timeout: {
      type: 'string',
      value: '<seconds>',
      help: 'how long to wait for the CLI each time; default 30',
    },
    json: JSON_OPTION,
  },
  details: [
    'With a tools file, it says for each tool whether the model sees it from the start, and if not, why.',
    'Sends no prompt to a real model. The exit code is 1 if something is broken.',
  ],
  examples: ['inboard doctor --json', 'inboard doctor tools.ts', 'inboard doctor'],
  load: async () => (await loadPart(() => import('./run-doctor.js'))).runDoctor,
};
