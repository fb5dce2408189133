// How `inboard tools` is called: its arguments, options and help.
import { JSON_OPTION, TOOLS_FILE, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const TOOLS_COMMAND: Command = {
  summary: 'show the signatures of your tools as the model will see them, with warnings',
  usage: '<tools file>',
  args: { least: 1, most: 1 },
  options: {
    json: { ...JSON_OPTION, help: 'print JSON and nothing else, with the whole schemas' },
    strict: { type: 'boolean', help: 'exit with 1 if there are warnings' },
  },
  details: TOOLS_FILE,
  examples: ['inboard tools tools.ts --json', 'inboard tools tools.ts'],
  load: async () => (await loadPart(() => import('./show-tools.js'))).showTools,
};
