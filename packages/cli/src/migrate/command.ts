// How `inboard migrate` is called: its arguments, options and help.
import { JSON_OPTION, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const MIGRATE_COMMAND: Command = {
  summary: 'move a program from the official SDK to this one, or report what will differ',
  usage: '[files or folders]',
  args: { least: 0, most: Infinity },
  options: {
    check: { type: 'boolean', help: 'change nothing; report what will differ, where, why, and what to do' },
    'dry-run': { type: 'boolean', help: 'change nothing; show what would be changed' },
    json: JSON_OPTION,
  },
  details: [
    'Reads JavaScript, TypeScript and package.json files, by default in this folder. Skips node_modules, dist,',
    'build, coverage and folders that begin with a dot. Where a program loads @anthropic-ai/claude-agent-sdk as a',
    'module, it will load inboard instead; everything else stays as it is, byte for byte.',
    'The exit code is 1 if something breaks, or if a file could not be read or written.',
  ],
  examples: ['inboard migrate', 'inboard migrate --dry-run src', 'inboard migrate --check'],
  load: async () => (await loadPart(() => import('./run-migrate.js'))).runMigrate,
};
