// How `inboard inspect` is called: its arguments, options and help.
import { JOURNAL_OPTIONS } from '../cluster/command.js';
import type { Command } from '../command.js';

/** The command `inspect`. */
export const INSPECT_COMMAND: Command = {
  summary: 'open recorded runs or a cluster in the browser, or get a link to an inspector that runs',
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
    link: { type: 'boolean', help: 'print a new link to each inspector that runs, and end' },
    'read-only': { type: 'boolean', help: 'show, and let nothing be done from the page' },
    port: { type: 'string', value: '<n>', help: 'default 4700, or the next that is free; 0 picks any' },
    host: { type: 'string', value: '<address>', help: 'where to listen; default 127.0.0.1' },
    'allow-remote': { type: 'boolean', help: 'let --host be an address that other machines reach' },
    'allow-host': {
      type: 'string',
      multiple: true,
      value: '<name>',
      help: 'accept requests for this host name too; repeatable',
    },
  },
  details: [
    'Without a file or folder, the one that INBOARD_TRACE names is opened. A file that is still written is followed,',
    'and so are files that come into the folder.',
    '',
    'With --journal, the conversations of a cluster are shown, whichever processes work on them.',
    '',
    'The link works once, within ten minutes, and lets in the browser that opens it. More come from the button on the',
    'page and from --link, which asks every inspector that runs for this user on this machine: those of this command,',
    'of "inboard run --inspect", and of programs with INBOARD_INSPECT=1.',
    '',
    'There is no TLS: what goes to other machines with --allow-remote can be read on the way. A tunnel is better.',
  ],
  examples: [
    'inboard inspect run.jsonl',
    'inboard inspect traces/ --open',
    'inboard inspect run.jsonl --tools tools.ts',
    'inboard inspect --journal postgres://desk@db/desk',
    'inboard inspect --link',
  ],
  load: async () => (await import('./run-inspect.js')).runInspect,
};
