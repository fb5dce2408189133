// How `inboard inspect` is called: its arguments, options and help.
import { JOURNAL_OPTIONS } from '../cluster/command.js';
import type { Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const INSPECT_COMMAND: Command = {
  summary: 'open recorded runs or a cluster in the browser, or get a link to a running inspector',
  usage: '[<trace file> | <folder>]',
  args: { least: 0, most: 1 },
  options: {
    ...JOURNAL_OPTIONS,
    tools: {
      type: 'string',
      value: '<tools file>',
      help: 'call these tools by hand, and replay recorded calls with them',
    },
    open: { type: 'boolean', help: 'open the page in the browser' },
    link: { type: 'boolean', help: 'print a new link to each running inspector, and exit' },
    'read-only': { type: 'boolean', help: 'only show: the page cannot change anything' },
    port: { type: 'string', value: '<n>', help: 'default 4700, or the next free one; 0 picks any' },
    host: { type: 'string', value: '<address>', help: 'where to listen; default 127.0.0.1' },
    'allow-remote': { type: 'boolean', help: 'let --host be an address that other machines can reach' },
    'allow-host': {
      type: 'string',
      multiple: true,
      value: '<name>',
      help: 'accept requests for this host name too; repeatable',
    },
  },
  details: [
    'Without a file or folder, opens the one that INBOARD_TRACE names. Follows files that are still being written,',
    'and shows files that are added to the folder.',
    '',
    'With --journal, shows the conversations of a cluster, whichever processes work on them.',
    '',
    'The link works once, within ten minutes, and lets in the browser that opens it. Get more from the button on the',
    'page or with --link, which asks every inspector that you are running on this machine: those of this command,',
    'of "inboard run --inspect", and of programs with INBOARD_INSPECT=1.',
    '',
    'There is no TLS: with --allow-remote, others can read what passes over the network. A tunnel is safer.',
  ],
  examples: [
    'inboard inspect traces/ --open',
    'inboard inspect run.jsonl --tools tools.ts',
    'inboard inspect --journal postgres://desk@db/desk',
    'inboard inspect --link',
    'inboard inspect run.jsonl',
  ],
  load: async () => (await loadPart(() => import('./run-inspect.js'))).runInspect,
};
