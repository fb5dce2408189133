// How `inboard play` is called: its arguments, options and help.
import { CLI_OPTION, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const PLAY_COMMAND: Command = {
  summary: 'talk to a small shop agent on the real CLI, without an account, and watch it on a page',
  usage: '',
  args: { least: 0, most: 0 },
  options: {
    open: { type: 'boolean', help: 'open the page in the browser' },
    port: { type: 'string', value: '<n>', help: "the page's port; default 4700, or the next free one" },
    yes: { type: 'boolean', short: 'y', help: 'allow refunds without asking' },
    cli: CLI_OPTION,
  },
  details: [
    'Needs the Claude CLI and no account: a script on loopback reads what you type, in plain English, and answers as',
    'the model. The CLI runs in a temporary folder without your settings, login and environment.',
    '',
    'Try: how many apples do you have? / refund order 1042 / crash / resume / help. What you type here can also be',
    'typed on the page, except resume and exit. Ctrl-C interrupts a turn; at the prompt, Ctrl-C, Ctrl-D or exit leaves.',
    '',
    'From a pipe, each line is a question. If the line after a refund is y, n or an amount, it is the answer to the',
    'approval; otherwise the refund is denied, unless --yes is given.',
  ],
  examples: ['inboard play --open', 'echo "how many apples do you have?" | inboard play', 'inboard play'],
  load: async () => (await loadPart(() => import('./run-play.js'))).runPlay,
};
